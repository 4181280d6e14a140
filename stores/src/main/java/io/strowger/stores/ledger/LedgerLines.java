package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.journal.BlockReader;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.NumberedItem;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ledger lines for an operator, without becoming a node. Safe on any thread. Each query
 * waits at most two seconds for the database and then throws {@link StoreUnavailableException}.
 */
public final class LedgerLines implements AutoCloseable {
  private static final int PAGE = 100;

  private final Database database;

  /**
   * A ledger line and the accounts it is charged to.
   *
   * @param node the id of the node that wrote it
   * @param item its item number in the journal of the node
   */
  public record Line(String node, long item, LedgerEntry entry, List<Posting.Account> accounts) {}

  private LedgerLines(Database database) {
    this.database = database;
  }

  /**
   * Opens the database.
   *
   * @throws io.strowger.spi.store.StoreRefusedException when the database cannot be opened as it is
   * @throws StoreUnavailableException when the database cannot be reached now
   */
  public static LedgerLines open(DatabaseSettings settings, Ambient ambient) {
    return new LedgerLines(Database.open(settings, ambient));
  }

  /**
   * Reads all lines: first those that earlier versions of the gateway wrote, ordered by node; then
   * the others, in the order in which they are stored. That is not their order in time, which only
   * {@link LedgerEntry#at()} tells.
   *
   * @throws IOException with a message for the operator, when some lines cannot be read
   */
  public void read(Consumer<Line> consumer) throws IOException {
    read(database, consumer);
  }

  static void read(Database database, Consumer<Line> consumer) throws IOException {
    String node = database.query("read lines", nextLegacyNode(""));
    while (node != null) {
      readLegacy(database, node, consumer);
      node = database.query("read lines", nextLegacyNode(node));
    }
    List<Row> rows = database.query("read lines", rowsAfter(Row.BEFORE_FIRST));
    while (!rows.isEmpty()) {
      for (Row row : rows) {
        read(row, consumer);
      }
      rows = database.query("read lines", rowsAfter(rows.getLast()));
    }
  }

  private static void readLegacy(Database database, String node, Consumer<Line> consumer) {
    List<LegacyLine> rows = database.query("read lines", legacyLinesAfter(node, 0, -1));
    while (!rows.isEmpty()) {
      rows.forEach(row -> consumer.accept(row.line));
      LegacyLine last = rows.getLast();
      rows = database.query("read lines", legacyLinesAfter(node, last.line.item(), last.number));
    }
  }

  private static void read(Row row, Consumer<Line> consumer) throws IOException {
    if (row.lines == null) {
      return;
    }
    for (NumberedItem numberedItem : BlockReader.lines(row.lines, row.item)) {
      if (numberedItem.item() instanceof JournalItem.Lines(Posting posting)) {
        for (LedgerEntry entry : posting.entries()) {
          consumer.accept(new Line(row.node, numberedItem.number(), entry, posting.accounts()));
        }
      }
    }
  }

  /**
   * A row of the table of blocks, which is ordered by the first three components.
   *
   * @param arrivalKey the second in which the requests of the row arrived, or what {@link
   *     JournalBlocks} writes in place of it
   * @param item the number of its first item in the journal of the node
   * @param lines the ledger lines of the block; null when it has none
   */
  private record Row(long arrivalKey, String node, long item, byte @Nullable [] lines) {
    /** Comes before every row of the table. */
    static final Row BEFORE_FIRST = new Row(Long.MIN_VALUE, "", 0, null);
  }

  /**
   * Returns the query for the page of rows that follows the given row. It repeats the condition on
   * the first column, since the embedded database uses no index otherwise.
   */
  private static Database.Work<List<Row>> rowsAfter(Row last) {
    return handle ->
        handle
            .createQuery(
                """
                SELECT came_second, node, item, lines FROM settled_block
                WHERE came_second >= :second
                  AND (came_second > :second OR node > :node OR node = :node AND item > :item)
                ORDER BY came_second, node, item LIMIT :page
                """)
            .bind("second", last.arrivalKey)
            .bind("node", last.node)
            .bind("item", last.item)
            .bind("page", PAGE)
            .map((row, context) -> row(row))
            .list();
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(row.getLong(1), row.getString(2), row.getLong(3), row.getBytes(4));
  }

  /**
   * A line that an earlier version of the gateway wrote, in a row of its own.
   *
   * @param number its number within the item
   */
  private record LegacyLine(int number, Line line) {}

  /**
   * Returns the query for the next node, in order of ids, that has legacy lines; null when there is
   * none.
   */
  private static Database.Work<@Nullable String> nextLegacyNode(String node) {
    return handle ->
        handle
            .select(
                "SELECT node FROM ledger_entry WHERE node > ? ORDER BY node, item, line LIMIT 1",
                node)
            .mapTo(String.class)
            .findOne()
            .orElse(null);
  }

  /** Returns the query for the page of a node's legacy lines that follows the given line. */
  private static Database.Work<List<LegacyLine>> legacyLinesAfter(
      String node, long item, int number) {
    return handle ->
        handle
            .createQuery(
                """
                SELECT * FROM ledger_entry
                WHERE node = :node AND item >= :item AND (item > :item OR line > :number)
                ORDER BY node, item, line LIMIT :page
                """)
            .bind("node", node)
            .bind("item", item)
            .bind("number", number)
            .bind("page", PAGE)
            .map((row, context) -> legacyLine(row))
            .list();
  }

  private static LegacyLine legacyLine(ResultSet row) throws SQLException {
    var usage =
        Usage.builder()
            .estimated(row.getBoolean("estimated"))
            .freshInput(row.getLong("fresh_input"))
            .inputAudio(row.getLong("input_audio"))
            .cacheRead(row.getLong("cache_read"))
            .cacheWrite5m(row.getLong("cache_write_5m"))
            .cacheWrite1h(row.getLong("cache_write_1h"))
            .outputText(row.getLong("output_text"))
            .reasoning(row.getLong("reasoning"))
            .outputAudio(row.getLong("output_audio"))
            .images(row.getLong("images"))
            .searches(row.getLong("searches"))
            .toolCallsRequested(row.getLong("tool_calls_requested"))
            .toolCallsExecuted(row.getLong("tool_calls_executed"))
            .build();
    var entry =
        new LedgerEntry(
            row.getString("generation"),
            row.getInt("act"),
            row.getObject("at", OffsetDateTime.class).toInstant(),
            row.getString("what"),
            row.getString("own_key"),
            CallRecord.Outcome.valueOf(row.getString("outcome")),
            usage,
            new Charge(new Usd(row.getLong("credits")), new Usd(row.getLong("own_keys"))));
    String node = row.getString("node");
    long item = row.getLong("item");
    var line = new Line(node, item, entry, accounts(row.getString("accounts")));
    return new LegacyLine(row.getInt("line"), line);
  }

  /** Parses one payer and window per line; a payer may have spaces. */
  private static List<Posting.Account> accounts(String text) {
    var accounts = new ArrayList<Posting.Account>();
    text.lines()
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              accounts.add(
                  new Posting.Account(
                      line.substring(0, Math.max(0, space)), line.substring(space + 1)));
            });
    return accounts;
  }

  @Override
  public void close() {
    database.close();
  }
}
