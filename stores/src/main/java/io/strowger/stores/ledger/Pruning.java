package io.strowger.stores.ledger;

import io.strowger.spi.store.Period;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Takes away what the books need no more, a little at a time. What is counted over all time stays,
 * and so do lines and nodes: the row of a node says how far its journal has arrived, and a journal
 * that somebody finds years later must not count twice.
 */
public final class Pruning {
  /**
   * A window is kept for so long after it ended, at least: for lines that arrive late, and for
   * clocks that are set back.
   */
  public static final Duration KEPT = Duration.ofDays(400);

  /**
   * Rows to be taken away.
   *
   * @param key its columns
   */
  private record Table(String name, List<String> key) {
    private static final List<Table> ALL =
        List.of(
            new Table("ledger_slice", List.of("payer", "span", "with_own_keys", "node")),
            new Table("ledger_spent", List.of("payer", "span", "node")),
            new Table("ledger_account", List.of("payer", "span")));

    /** Those before a window that nobody uses; they are locked. */
    String oldest() {
      return "SELECT "
          + String.join(", ", key)
          + " FROM "
          + name
          + " WHERE span >= '0' AND span < :first ORDER BY span, payer LIMIT :most"
          + " FOR UPDATE SKIP LOCKED";
    }

    String delete() {
      return "DELETE FROM " + name + " WHERE " + String.join(" = ? AND ", key) + " = ?";
    }
  }

  private Pruning() {}

  /**
   * Deletes what is counted in days, weeks and months that ended long ago. Rows that somebody uses
   * stay for another time. A line that arrives yet makes new ones, which go the same way.
   *
   * @param handle in a transaction
   * @param now by the caller's clock; where the database's is behind, that one counts
   * @param most rows of each table
   * @return how many of the table that had the most; fewer than asked for when no more can be
   *     deleted now
   */
  public static int forgetWindows(Handle handle, Instant now, int most) {
    Instant there =
        handle
            .createQuery("SELECT CURRENT_TIMESTAMP")
            .map((row, context) -> row.getObject(1, OffsetDateTime.class).toInstant())
            .one();
    String first = firstKept(now.isBefore(there) ? now : there);
    int deleted = 0;
    for (Table table : Table.ALL) {
      deleted = Math.max(deleted, forget(handle, table, first, most));
    }
    return deleted;
  }

  /**
   * Names compare like their moments, since the year comes first. Weeks are behind all days and
   * months of their year, so they stay a little longer; what has no digit in front never ends.
   */
  private static String firstKept(Instant now) {
    return Period.MONTHLY.window(now.minus(KEPT));
  }

  /** Deletes the very rows it has locked, so it waits for nobody and nobody waits in a circle. */
  private static int forget(Handle handle, Table table, String first, int most) {
    List<Object[]> old =
        handle
            .createQuery(table.oldest())
            .bind("first", first)
            .bind("most", most)
            .map((row, context) -> key(row, table.key().size()))
            .list();
    if (!old.isEmpty()) {
      PreparedBatch delete = handle.prepareBatch(table.delete());
      old.forEach(delete::add);
      delete.execute();
    }
    return old.size();
  }

  private static Object[] key(ResultSet row, int columns) throws SQLException {
    var key = new Object[columns];
    for (int i = 0; i < columns; i++) {
      key[i] = row.getObject(i + 1);
    }
    return key;
  }

  /**
   * Counts some of what a node spent with those that are over: one that ended, holds nothing any
   * more and was not counted so yet, since nobody had the time or it wrote lines after it ended.
   *
   * @param handle in a transaction
   * @return whether there was one
   */
  public static boolean fold(Handle handle) {
    return handle
        .createQuery(
            """
            SELECT n.id FROM ledger_node AS n
            WHERE n.ended AND n.id <> :over
              AND EXISTS (SELECT 1 FROM ledger_spent AS p WHERE p.node = n.id)
              AND NOT EXISTS (SELECT 1 FROM ledger_slice AS s WHERE s.node = n.id)
            ORDER BY n.id LIMIT 1
            """)
        .bind("over", Nodes.OVER)
        .mapTo(String.class)
        .findOne()
        .map(node -> NodeSpending.fold(handle, node) > 0)
        .orElse(false);
  }
}
