package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.Posting;
import io.strowger.stores.journal.BlockReader;
import io.strowger.stores.journal.BlockWriter;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.NumberedItem;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What nodes wrote down, as the database keeps it: a row for the items of one node that belong to
 * requests of one second, as far as they came together; or of the same 16 seconds where few of each
 * did, as of requests that took long, else each would have a row to itself. Where a request's name
 * does not say its second, its hash stands for it, as a negative number; and so where what was said
 * is kept with the record, which may be megabytes: who looks for another of that second reads
 * nothing of it.
 */
public final class JournalBlocks {
  private static final Logger log = LoggerFactory.getLogger(JournalBlocks.class);

  /**
   * A row becomes hardly larger, unless one item is: the embedded database writes the last rows
   * anew whenever some are added, and larger ones make its file grow faster.
   */
  private static final int MAX_BYTES = 12 << 10;

  /** Fewer items than these of one second share a row with what came shortly before and after. */
  private static final int FEW = 8;

  /** Seconds that share rows are of the same 16. */
  private static final int SHARED_BITS = 4;

  /** Below all that stands for a second of its own. */
  private static final long SHARED = -1L << 50;

  /** Of an item that belongs to no request. */
  private static final long NONE = Long.MIN_VALUE;

  private static final String NAME_BEGIN = "gen-";
  private static final String OF_BATCH = "gen-batch-";
  private static final int MAX_DIGITS = 12;

  private final Map<Long, Open> open = new LinkedHashMap<>(); // by second
  private final List<Open> done = new ArrayList<>();

  private JournalBlocks() {}

  /** A row that is being filled. */
  private static final class Open {
    private final long second;
    private final BlockWriter block;
    private @Nullable Instant came;

    Open(long second, long first) {
      this.second = second;
      this.block = new BlockWriter(first);
    }

    void add(NumberedItem item) {
      block.add(item);
      Generation record = item.item().record();
      if (record != null && (came == null || record.at().isAfter(came))) {
        came = record.at();
      }
    }
  }

  /** The second in a generation's name, or what stands for it. */
  static long second(String generation) {
    int begin = (generation.startsWith(OF_BATCH) ? OF_BATCH : NAME_BEGIN).length();
    int end = generation.indexOf('-', begin);
    int digits = end - begin;
    if (generation.startsWith(NAME_BEGIN) && digits > 0 && digits <= MAX_DIGITS) {
      long second = 0;
      for (int i = begin; i < end; i++) {
        char c = generation.charAt(i);
        if (c < '0' || c > '9') {
          return hash(generation);
        }
        second = second * 10 + (c - '0');
      }
      return second;
    }
    return hash(generation);
  }

  /** Stands for a second, and is none. */
  private static long hash(String generation) {
    return -1L - (generation.hashCode() & Integer.MAX_VALUE);
  }

  /**
   * Writes items of a node that are not there.
   *
   * @param handle in a transaction
   */
  static void write(Handle handle, String node, List<NumberedItem> items) {
    write(handle, node, blocks(items), 0);
  }

  /**
   * The same for items that may be there: written early, with others or without.
   *
   * @param handle in a transaction
   */
  public static void replace(Handle handle, String node, List<NumberedItem> items) {
    List<Open> blocks = blocks(items);
    long gone = 0;
    for (Open block : blocks) {
      gone += delete(handle, node, block);
    }
    write(handle, node, blocks, gone);
  }

  /** What stands for the 16 seconds around one that has a name. */
  private static long shared(long second) {
    return second < 0 ? second : SHARED + (second >> SHARED_BITS);
  }

  private static List<Open> blocks(List<NumberedItem> items) {
    var journalBlocks = new JournalBlocks();
    var seconds = new long[items.size()];
    var together = new HashMap<Long, Integer>();
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = second(items.get(i).item());
      together.merge(seconds[i], 1, Integer::sum);
    }
    for (int i = 0; i < seconds.length; i++) {
      boolean few = together.getOrDefault(seconds[i], 0) < FEW;
      journalBlocks.add(few ? shared(seconds[i]) : seconds[i], items.get(i));
    }
    journalBlocks.done.addAll(journalBlocks.open.values());
    return journalBlocks.done;
  }

  private static long second(JournalItem item) {
    Generation record = item.record();
    if (record != null) {
      return record.content() == null ? second(record.id()) : hash(record.id());
    }
    return item instanceof JournalItem.Lines(Posting posting)
        ? second(posting.entries().getFirst().generation())
        : NONE;
  }

  private void add(long second, NumberedItem item) {
    if (second == NONE) {
      return;
    }
    Open block = open.computeIfAbsent(second, of -> new Open(of, item.number()));
    block.add(item);
    if (block.block.size() >= MAX_BYTES) {
      open.remove(second);
      done.add(block);
    }
  }

  private static long delete(Handle handle, String node, Open block) {
    String where =
        " FROM settled_block WHERE came_second = :second AND node = :node AND item = :item";
    long bytes =
        handle
            .createQuery("SELECT COALESCE(SUM(OCTET_LENGTH(records)), 0)" + where)
            .bind("second", block.second)
            .bind("node", node)
            .bind("item", block.block.first())
            .mapTo(Long.class)
            .one();
    handle
        .createUpdate("DELETE" + where)
        .bind("second", block.second)
        .bind("node", node)
        .bind("item", block.block.first())
        .execute();
    return bytes;
  }

  private static void write(Handle handle, String node, List<Open> blocks, long gone) {
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO settled_block (came_second, node, item, came_at, lines, records)
            VALUES (:second, :node, :item, :came, :lines, :records)
            """);
    long bytes = -gone;
    for (Open block : blocks) {
      byte[] records = block.block.records();
      bytes += records == null ? 0 : records.length;
      insert
          .bind("second", block.second)
          .bind("node", node)
          .bind("item", block.block.first())
          .bind("came", block.came == null ? null : block.came.atOffset(ZoneOffset.UTC))
          .bind("lines", block.block.lines())
          .bind("records", records)
          .add();
    }
    if (insert.size() > 0) {
      insert.execute();
    }
    Nodes.keepsMore(handle, node, bytes);
  }

  /**
   * Finds a record. A row that cannot be read hides no other.
   *
   * @return the last that was written under this id; null when there is none
   * @throws IOException when there is none, and a row cannot be read that may have it
   */
  public static @Nullable Generation find(Handle handle, String id) throws IOException {
    IOException unreadable = null;
    String node = "";
    NumberedItem last = null;
    try (ResultIterator<Kept> rows = rows(handle, id)) {
      while (rows.hasNext()) {
        Kept row = rows.next();
        try {
          NumberedItem found = BlockReader.find(row.records, row.item, id);
          // items of several kinds lie in rows of their own; of two nodes either will do
          if (found != null
              && (last == null || node.equals(row.node) && found.number() > last.number())) {
            node = row.node;
            last = found;
          }
        } catch (IOException e) {
          log.warn(
              "the block of node {} that starts at item {} cannot be read; its records are skipped",
              row.node,
              row.item,
              e);
          unreadable = e;
        }
      }
    }
    if (last == null && unreadable != null) {
      throw unreadable;
    }
    return last == null ? null : last.item().record();
  }

  /** Read one by one: each may be large. */
  private static ResultIterator<Kept> rows(Handle handle, String id) {
    return handle
        .createQuery(
            "SELECT node, item, records FROM settled_block"
                + " WHERE came_second IN (:second, :shared, :hash) AND records IS NOT NULL")
        .bind("second", second(id))
        .bind("shared", shared(second(id)))
        .bind("hash", hash(id))
        .map((row, context) -> new Kept(row.getString(1), row.getLong(2), row.getBytes(3)))
        .iterator();
  }

  /** Records in a row. */
  private record Kept(String node, long item, byte[] records) {}

  /** A row whose records may be forgotten. */
  private record Old(long second, String node, long item, long bytes) {
    private static final Comparator<Old> IN_ORDER =
        Comparator.comparingLong(Old::second).thenComparing(Old::node).thenComparingLong(Old::item);
  }

  /** Finds the oldest. Takes no lock: the embedded database would write all that are old. */
  static final String OLDEST =
      """
      SELECT came_second, node, item, OCTET_LENGTH(records) FROM settled_block
      WHERE came_at < :before ORDER BY came_at LIMIT :most
      """;

  /**
   * Forgets records, the oldest first, and keeps the lines beside them.
   *
   * @param handle in a transaction
   * @param node who forgets; only what all nodes keep together is asked, so what it took away of
   *     others is counted with its own, and waits for nobody
   * @param before only those of requests that came before this
   * @param most rows that are looked at
   * @param enough bytes after which it ends
   * @return of how many rows; of some another node may have been faster
   */
  public static int forget(Handle handle, String node, Instant before, int most, long enough) {
    List<Old> old =
        handle
            .createQuery(OLDEST)
            .bind("before", before.atOffset(ZoneOffset.UTC))
            .bind("most", most)
            .map((row, context) -> old(row))
            .list();
    var some = new ArrayList<Old>();
    long bytes = 0;
    for (Old row : old) {
      if (bytes < enough) {
        some.add(row);
        bytes += row.bytes;
      }
    }
    if (some.isEmpty()) {
      return 0;
    }
    some.sort(Old.IN_ORDER); // or two nodes that forget wait for each other
    String key = " WHERE came_second = ? AND node = ? AND item = ? AND records IS NOT NULL";
    long freed =
        freed(handle, "DELETE FROM settled_block" + key + " AND lines IS NULL", some)
            + freed(
                handle,
                "UPDATE settled_block SET records = NULL, came_at = NULL"
                    + key
                    + " AND lines IS NOT NULL",
                some);
    if (!Nodes.keepsMore(handle, node, -freed)) {
      throw new IllegalStateException("the node whose records expire is not in the table of nodes");
    }
    return some.size();
  }

  private static long freed(Handle handle, String statement, List<Old> rows) {
    PreparedBatch batch = handle.prepareBatch(statement);
    rows.forEach(row -> batch.add(row.second, row.node, row.item));
    int[] changed = batch.execute();
    long bytes = 0;
    for (int i = 0; i < changed.length; i++) {
      bytes += changed[i] == 1 ? rows.get(i).bytes : 0;
    }
    return bytes;
  }

  private static Old old(ResultSet row) throws SQLException {
    return new Old(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4));
  }

  /** How many bytes of records there are, of all nodes. */
  public static long bytes(Handle handle) {
    return handle
        .createQuery("SELECT CAST(COALESCE(SUM(record_bytes), 0) AS BIGINT) FROM ledger_node")
        .mapTo(Long.class)
        .one();
  }
}
