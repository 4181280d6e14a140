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
 * Deletes what the ledger no longer needs, in small steps. Sums over all time, lines and nodes are
 * kept: the row of a node says how far its journal has arrived, and a journal that is found years
 * later must not be counted twice.
 */
public final class Pruning {
  /**
   * How long a window is kept at least after it ended, for lines that arrive late and for clocks
   * that are set back.
   */
  public static final Duration WINDOW_RETENTION = Duration.ofDays(400);

  /**
   * A table to delete rows from.
   *
   * @param key the columns of its key
   */
  private record Table(String name, List<String> key) {
    private static final List<Table> TABLES =
        List.of(
            new Table("ledger_slice", List.of("payer", "span", "with_own_keys", "node")),
            new Table("ledger_spent", List.of("payer", "span", "node")),
            new Table("ledger_account", List.of("payer", "span")));

    /**
     * Returns the query that locks rows of windows before the first to keep, except rows in use.
     */
    String lockQuery() {
      return "SELECT "
          + String.join(", ", key)
          + " FROM "
          + name
          + " WHERE span >= '0' AND span < :first ORDER BY span, payer LIMIT :most"
          + " FOR UPDATE SKIP LOCKED";
    }

    String deleteStatement() {
      return "DELETE FROM " + name + " WHERE " + String.join(" = ? AND ", key) + " = ?";
    }
  }

  private Pruning() {}

  /**
   * Deletes the sums of days, weeks and months that ended long ago. Rows in use are left for a
   * later call. A line that arrives later makes new rows, which are deleted the same way.
   *
   * @param handle in a transaction
   * @param now the caller's time; the database's time is used when that is earlier
   * @param maxRows the most rows of each table
   * @return the number of rows deleted from the table that had the most; fewer than the maximum
   *     when no more can be deleted now
   */
  public static int deleteWindows(Handle handle, Instant now, int maxRows) {
    Instant databaseTime =
        handle
            .createQuery("SELECT CURRENT_TIMESTAMP")
            .map((row, context) -> row.getObject(1, OffsetDateTime.class).toInstant())
            .one();
    String firstWindow = firstWindow(now.isBefore(databaseTime) ? now : databaseTime);
    int deleted = 0;
    for (Table table : Table.TABLES) {
      deleted = Math.max(deleted, deleteRows(handle, table, firstWindow, maxRows));
    }
    return deleted;
  }

  /**
   * Returns the first window to keep. Names sort by time, since the year comes first. Weeks sort
   * after days and months of their year, so they stay a little longer; windows with other names
   * never end.
   */
  private static String firstWindow(Instant now) {
    return Period.MONTHLY.window(now.minus(WINDOW_RETENTION));
  }

  /** Deletes only rows it has locked, so it never waits and cannot deadlock. */
  private static int deleteRows(Handle handle, Table table, String firstWindow, int maxRows) {
    List<Object[]> keys =
        handle
            .createQuery(table.lockQuery())
            .bind("first", firstWindow)
            .bind("most", maxRows)
            .map((row, context) -> key(row, table.key().size()))
            .list();
    if (!keys.isEmpty()) {
      PreparedBatch delete = handle.prepareBatch(table.deleteStatement());
      keys.forEach(delete::add);
      delete.execute();
    }
    return keys.size();
  }

  private static Object[] key(ResultSet row, int columns) throws SQLException {
    var key = new Object[columns];
    for (int i = 0; i < columns; i++) {
      key[i] = row.getObject(i + 1);
    }
    return key;
  }

  /**
   * Moves some sums of an ended node to those of all ended nodes. Chooses a node that holds no
   * slices and still has sums, because it was not folded completely yet or wrote lines after it
   * ended.
   *
   * @param handle in a transaction
   * @return whether there was such a node
   */
  public static boolean fold(Handle handle) {
    return handle
        .select(
            """
            SELECT n.id FROM ledger_node AS n
            WHERE n.ended AND n.id <> ?
              AND EXISTS (SELECT 1 FROM ledger_spent AS p WHERE p.node = n.id)
              AND NOT EXISTS (SELECT 1 FROM ledger_slice AS s WHERE s.node = n.id)
            ORDER BY n.id LIMIT 1
            """,
            Nodes.ENDED_NODES)
        .mapTo(String.class)
        .findOne()
        .map(node -> NodeSpending.fold(handle, node) > 0)
        .orElse(false);
  }
}
