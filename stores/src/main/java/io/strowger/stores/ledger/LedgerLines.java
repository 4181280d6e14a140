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
   * Reads all lines: those of earlier versions by node, then the others by the second in which
   * their requests came.
   *
   * @throws IOException with a message for the operator, when some lines cannot be read
   */
  public void read(Consumer<Line> reader) throws IOException {
    read(database, reader);
  }

  static void read(Database database, Consumer<Line> reader) throws IOException {
    String node = database.query("read lines", earlierNodeAfter(""));
    while (node != null) {
      readEarlier(database, node, reader);
      node = database.query("read lines", earlierNodeAfter(node));
    }
    List<Row> rows = database.query("read lines", rowsAfter(new Row(Long.MIN_VALUE, "", 0, null)));
    while (!rows.isEmpty()) {
      for (Row row : rows) {
        read(row, reader);
      }
      rows = database.query("read lines", rowsAfter(rows.getLast()));
    }
  }

  private static void readEarlier(Database database, String node, Consumer<Line> reader) {
    List<EarlierLine> rows = database.query("read lines", earlierLinesAfter(node, 0, -1));
    while (!rows.isEmpty()) {
      rows.forEach(row -> reader.accept(row.line));
      EarlierLine last = rows.getLast();
      rows = database.query("read lines", earlierLinesAfter(node, last.line.item(), last.number));
    }
  }

  private static void read(Row row, Consumer<Line> reader) throws IOException {
    if (row.lines == null) {
      return;
    }
    for (NumberedItem numberedItem : BlockReader.lines(row.lines, row.item)) {
      if (numberedItem.item() instanceof JournalItem.Lines(Posting posting)) {
        for (LedgerEntry entry : posting.entries()) {
          reader.accept(new Line(row.node, numberedItem.number(), entry, posting.accounts()));
        }
      }
    }
  }

  /** A row of the table of blocks. */
  private record Row(long second, String node, long item, byte @Nullable [] lines) {}

  /**
   * Returns the query of the rows after one. It repeats the condition on the first column, since
   * the embedded database uses no index otherwise.
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
            .bind("second", last.second)
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
   * A line that an earlier version wrote.
   *
   * @param number its number within the item
   */
  private record EarlierLine(int number, Line line) {}

  private static Database.Work<@Nullable String> earlierNodeAfter(String node) {
    return handle ->
        handle
            .select(
                "SELECT node FROM ledger_entry WHERE node > ? ORDER BY node, item, line LIMIT 1",
                node)
            .mapTo(String.class)
            .findOne()
            .orElse(null);
  }

  private static Database.Work<List<EarlierLine>> earlierLinesAfter(
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
            .map((row, context) -> earlierLine(row))
            .list();
  }

  private static EarlierLine earlierLine(ResultSet row) throws SQLException {
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
    return new EarlierLine(row.getInt("line"), line);
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
