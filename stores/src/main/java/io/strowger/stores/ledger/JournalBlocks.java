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
 * the same 16 seconds share a row. In two cases the hash of the id, as a negative number, is used
 * in place of the second: where the id of a request has no second, and where prompt and answer are
 * stored with the record. Prompt and answer may be megabytes, which a search for another record of
 * that second should not read.
 */
public final class JournalBlocks {
  private static final Logger log = LoggerFactory.getLogger(JournalBlocks.class);

  /**
   * The size in bytes at which a row is full; a single item may be larger. The embedded database
   * rewrites the last rows whenever some are added, so larger rows would make its file grow faster.
   */
  private static final int MAX_BYTES = 12 << 10;

  /** Seconds with fewer items than this share rows with their neighbours. */
  private static final int MIN_ROW_ITEMS = 8;

  /** The low bits of a second that are ignored when seconds share rows: 16 seconds. */
  private static final int SHARED_BITS = 4;

  /** The base of shared seconds, below all values of single ones. */
  private static final long SHARED_BASE = -1L << 50;

  /** The second of an item that belongs to no request. */
  private static final long NO_SECOND = Long.MIN_VALUE;

  private static final String ID_PREFIX = "gen-";
  private static final String BATCH_ID_PREFIX = "gen-batch-";
  private static final int MAX_DIGITS = 12;

  private final Map<Long, OpenBlock> openBlocks = new LinkedHashMap<>(); // by second
  private final List<OpenBlock> finishedBlocks = new ArrayList<>();

  private JournalBlocks() {}

  /** A row that is being filled. */
  private static final class OpenBlock {
    private final long second;
    private final BlockWriter writer;
    private @Nullable Instant latestTime;

    OpenBlock(long second, long first) {
      this.second = second;
      this.writer = new BlockWriter(first);
    }

    void add(NumberedItem item) {
      writer.add(item);
      Generation record = item.item().record();
      if (record != null && (latestTime == null || record.at().isAfter(latestTime))) {
        latestTime = record.at();
      }
    }
  }

  /** Returns the second in a generation's id, or a negative number in place of the second. */
  static long second(String generation) {
    int begin = (generation.startsWith(BATCH_ID_PREFIX) ? BATCH_ID_PREFIX : ID_PREFIX).length();
    int end = generation.indexOf('-', begin);
    int digits = end - begin;
    if (generation.startsWith(ID_PREFIX) && digits > 0 && digits <= MAX_DIGITS) {
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
   * other items.
   *
   * @param handle in a transaction
   */
  public static void replace(Handle handle, String node, List<NumberedItem> items) {
    List<OpenBlock> blocks = blocks(items);
    long deletedBytes = 0;
    for (OpenBlock block : blocks) {
      deletedBytes += delete(handle, node, block);
    }
    write(handle, node, blocks, deletedBytes);
  }

  /** Returns the value of the 16 seconds around a second; a hash is returned as it is. */
  private static long sharedSecond(long second) {
    return second < 0 ? second : SHARED_BASE + (second >> SHARED_BITS);
  }

  private static List<OpenBlock> blocks(List<NumberedItem> items) {
    var journalBlocks = new JournalBlocks();
    var seconds = new long[items.size()];
    var itemsPerSecond = new HashMap<Long, Integer>();
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = second(items.get(i).item());
      itemsPerSecond.merge(seconds[i], 1, Integer::sum);
    }
    for (int i = 0; i < seconds.length; i++) {
      boolean isShared = itemsPerSecond.getOrDefault(seconds[i], 0) < MIN_ROW_ITEMS;
      journalBlocks.add(isShared ? sharedSecond(seconds[i]) : seconds[i], items.get(i));
    }
    journalBlocks.finishedBlocks.addAll(journalBlocks.openBlocks.values());
    return journalBlocks.finishedBlocks;
  }

  private static long second(JournalItem item) {
    Generation record = item.record();
    if (record != null) {
      return record.content() == null ? second(record.id()) : hash(record.id());
    }
    return item instanceof JournalItem.Lines(Posting posting)
        ? second(posting.entries().getFirst().generation())
        : NO_SECOND;
  }

  private void add(long second, NumberedItem item) {
    if (second == NO_SECOND) {
      return;
    }
    OpenBlock block = openBlocks.computeIfAbsent(second, key -> new OpenBlock(key, item.number()));
    block.add(item);
    if (block.writer.size() >= MAX_BYTES) {
      openBlocks.remove(second);
      finishedBlocks.add(block);
    }
  }

  private static long delete(Handle handle, String node, OpenBlock block) {
    String where = " FROM settled_block WHERE came_second = ? AND node = ? AND item = ?";
    Object[] key = {block.second, node, block.writer.firstItem()};
    long bytes =
        handle
            .select("SELECT COALESCE(SUM(OCTET_LENGTH(records)), 0)" + where, key)
            .mapTo(Long.class)
            .one();
    handle.execute("DELETE" + where, key);
    return bytes;
  }

  private static void write(Handle handle, String node, List<OpenBlock> blocks, long deletedBytes) {
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO settled_block (came_second, node, item, came_at, lines, records)
            VALUES (:second, :node, :item, :came, :lines, :records)
            """);
    long bytes = -deletedBytes;
    for (OpenBlock block : blocks) {
      byte[] records = block.writer.records();
      bytes += records == null ? 0 : records.length;
      insert
          .bind("second", block.second)
          .bind("node", node)
          .bind("item", block.writer.firstItem())
          .bind("came", block.latestTime == null ? null : block.latestTime.atOffset(ZoneOffset.UTC))
          .bind("lines", block.writer.lines())
          .bind("records", records)
          .add();
    }
    if (insert.size() > 0) {
      insert.execute();
    }
    Nodes.addRecordBytes(handle, node, bytes);
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
    try (ResultIterator<RecordRow> rows = rows(handle, id)) {
      while (rows.hasNext()) {
        RecordRow row = rows.next();
        try {
          NumberedItem found = BlockReader.find(row.records, row.item, id);
          // items of several kinds are in separate rows; of two nodes with the record either is
          // right
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
  private static ResultIterator<RecordRow> rows(Handle handle, String id) {
    return handle
        .select(
            "SELECT node, item, records FROM settled_block"
                + " WHERE came_second IN (?, ?, ?) AND records IS NOT NULL",
            second(id),
            sharedSecond(second(id)),
            hash(id))
        .map((row, context) -> new RecordRow(row.getString(1), row.getLong(2), row.getBytes(3)))
        .iterator();
  }

  /** The records of a row. */
  private record RecordRow(String node, long item, byte[] records) {}

  /** A row whose records may be deleted. */
  private record ExpiredRow(long second, String node, long item, long bytes) {
    private static final Comparator<ExpiredRow> KEY_ORDER =
        Comparator.comparingLong(ExpiredRow::second)
            .thenComparing(ExpiredRow::node)
            .thenComparingLong(ExpiredRow::item);
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
   * @param node the node that deletes. The bytes of other nodes' records are subtracted from the
   *     count of this node too, so that this waits for no other row; only the total of all nodes is
   *     used
   * @param before deletes only records of requests that came before this
   * @param maxRows the most rows that are looked at
   * @param enoughBytes the number of bytes after which no further row is deleted
   * @return the number of rows; another node may have deleted some of them before
   */
  public static int deleteRecords(
      Handle handle, String node, Instant before, int maxRows, long enoughBytes) {
    List<ExpiredRow> expired =
        handle
            .createQuery(OLDEST)
            .bind("before", before.atOffset(ZoneOffset.UTC))
            .bind("most", maxRows)
            .map((row, context) -> expiredRow(row))
            .list();
    var selected = new ArrayList<ExpiredRow>();
    long bytes = 0;
    for (ExpiredRow row : expired) {
      if (bytes < enoughBytes) {
        selected.add(row);
        bytes += row.bytes;
      }
    }
    if (selected.isEmpty()) {
      return 0;
    }
    selected.sort(ExpiredRow.KEY_ORDER); // in order, or two nodes that delete could deadlock
    String key = " WHERE came_second = ? AND node = ? AND item = ? AND records IS NOT NULL";
    long freedBytes =
        executeAndSum(handle, "DELETE FROM settled_block" + key + " AND lines IS NULL", selected)
            + executeAndSum(
                handle,
                "UPDATE settled_block SET records = NULL, came_at = NULL"
                    + key
                    + " AND lines IS NOT NULL",
                selected);
    if (!Nodes.addRecordBytes(handle, node, -freedBytes)) {
      throw new IllegalStateException(
          "node " + node + ", which deletes records, is not in the table of nodes");
    }
    return selected.size();
  }

  private static long executeAndSum(Handle handle, String statement, List<ExpiredRow> rows) {
    PreparedBatch batch = handle.prepareBatch(statement);
    rows.forEach(row -> batch.add(row.second, row.node, row.item));
    int[] changed = batch.execute();
    long bytes = 0;
    for (int i = 0; i < changed.length; i++) {
      bytes += changed[i] == 1 ? rows.get(i).bytes : 0;
    }
    return bytes;
  }

  private static ExpiredRow expiredRow(ResultSet row) throws SQLException {
    return new ExpiredRow(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4));
  }

  /** Returns the total bytes of records that are kept, over all nodes. */
  public static long totalBytes(Handle handle) {
    return handle
        .createQuery("SELECT CAST(COALESCE(SUM(record_bytes), 0) AS BIGINT) FROM ledger_node")
        .mapTo(Long.class)
        .one();
  }
}
