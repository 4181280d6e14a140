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
 * The table of journal items in the database. A row has the items of one node that belong to
 * requests of one second and were delivered together. Where a second has few items, the items of
 * the same 16 seconds share a row. The hash of the id, as a negative number, is used in place of
 * the second where the id of a request has no second, and where prompt and answer are stored with
 * the record: they may be megabytes, which a search for another record of that second should not
 * read.
 */
public final class JournalBlocks {
  private static final Logger log = LoggerFactory.getLogger(JournalBlocks.class);

  /**
   * The size in bytes at which a row is full; a single item may be larger. The embedded database
   * rewrites the last rows whenever some are added, so larger rows would make its file grow faster.
   */
  private static final int MAX_BYTES = 12 << 10;

  /** Seconds with fewer items than this share rows with their neighbours. */
  private static final int FEW = 8;

  /** The low bits of a second that are ignored when seconds share rows: 16 seconds. */
  private static final int SHARED_BITS = 4;

  /** The base of shared seconds, below all values of single ones. */
  private static final long SHARED = -1L << 50;

  /** The second of an item that belongs to no request. */
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

  /** Returns the second in a generation's id, or a negative number in place of it. */
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

  /** Returns a negative number in place of a second. */
  private static long hash(String generation) {
    return -1L - (generation.hashCode() & Integer.MAX_VALUE);
  }

  /**
   * Writes items of a node that are not stored yet.
   *
   * @param handle in a transaction
   */
  static void write(Handle handle, String node, List<NumberedItem> items) {
    write(handle, node, blocks(items), 0);
  }

  /**
   * Writes items of a node that may be stored already, since they were written early, alone or with
   * others.
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

  /** Returns the value of the 16 seconds around a second; a hash is returned as it is. */
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
   * Finds a record. An unreadable row does not hide others.
   *
   * @return the last record written with this id; null when there is none
   * @throws IOException when none is found and a row that may have it is unreadable
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
          // items of several kinds are in separate rows; of two nodes either will do
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

  /** Reads the rows one by one, since each may be large. */
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

  /** The records of a row. */
  private record Kept(String node, long item, byte[] records) {}

  /** A row whose records may be deleted. */
  private record Old(long second, String node, long item, long bytes) {
    private static final Comparator<Old> IN_ORDER =
        Comparator.comparingLong(Old::second).thenComparing(Old::node).thenComparingLong(Old::item);
  }

  /**
   * Finds the oldest rows. Takes no lock, since the embedded database would lock, and so write, all
   * rows that are old.
   */
  static final String OLDEST =
      """
      SELECT came_second, node, item, OCTET_LENGTH(records) FROM settled_block
      WHERE came_at < :before ORDER BY came_at LIMIT :most
      """;

  /**
   * Deletes records, the oldest first, and keeps the lines beside them.
   *
   * @param handle in a transaction
   * @param node the node that deletes; the bytes of other nodes' records are subtracted from its
   *     own count, so that it waits for no other row, as only the total is used
   * @param before deletes only records of requests that came before this
   * @param most the most rows that are looked at
   * @param enough the number of bytes after which it ends
   * @return the number of rows; another node may have deleted some of them before
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
    some.sort(Old.IN_ORDER); // in order, or two nodes that delete could deadlock
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

  /** Returns the total bytes of records that are kept, over all nodes. */
  public static long bytes(Handle handle) {
    return handle
        .createQuery("SELECT CAST(COALESCE(SUM(record_bytes), 0) AS BIGINT) FROM ledger_node")
        .mapTo(Long.class)
        .one();
  }
}
