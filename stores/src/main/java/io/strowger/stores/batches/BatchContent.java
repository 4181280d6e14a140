package io.strowger.stores.batches;

import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.stores.database.Database;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;

/** The requests and results of batches: the large tables, written in small transactions. */
record BatchContent(Database database, BatchRows rows) {
  /** The most rows that a transaction writes. */
  static final int MAX_ROWS = 256;

  /** The most bytes of a transaction of several rows; the embedded database holds them twice. */
  static final long MAX_BYTES = 256 << 10;

  private static final int MAX_SIZES = 1000;
  private static final int MAX_REMOVED = 1000;

  private static final String REQUESTS =
      """
      SELECT number, custom_id, body FROM batch_request
      WHERE batch = :batch AND number BETWEEN :from AND :last ORDER BY batch, number
      """;

  private static final String RESULTS =
      "SELECT s.number, s.completed, s.generation, s.body, s."
          + String.join(", s.", BatchRows.FIGURE_COLUMNS)
          + """
          , r.custom_id FROM batch_result AS s
          JOIN batch_request AS r ON r.batch = s.batch AND r.number = s.number
          WHERE s.batch = :batch AND s.number BETWEEN :from AND :last ORDER BY s.batch, s.number
          """;

  /** The rows of a batch from a number on, up to a total of bytes. */
  private record Span(String batch, int firstNumber, long maxBytes) {}

  /**
   * @throws StoreRefusedException when the batch does not accept requests any more
   */
  void add(String batch, List<Request> requests) {
    int from = 0;
    while (from < requests.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += requests.get(to).body().length;
        to++;
      } while (to < requests.size()
          && to - from < MAX_ROWS
          && bytes + requests.get(to).body().length <= MAX_BYTES);
      List<Request> chunk = requests.subList(from, to);
      if (!Document.isValidId(batch)
          || !database.inTransaction("add requests", handle -> add(handle, batch, chunk))) {
        throw new StoreRefusedException(
            "batch " + batch + " accepts no more requests: create another batch", null);
      }
      from = to;
    }
  }

  /**
   * Adds requests; existing requests are kept, so that a failed call can be repeated. Returns false
   * when the batch does not accept requests any more.
   */
  private static boolean add(Handle handle, String batch, List<Request> requests) {
    if (BatchRows.phase(handle, batch, " FOR UPDATE") != Phase.RECEIVING) {
      return false;
    }
    PreparedBatch content =
        handle.prepareBatch(
            "INSERT INTO batch_request (batch, number, custom_id, body)"
                + " VALUES (:batch, :number, :custom, :body) ON CONFLICT DO NOTHING");
    PreparedBatch openRequests =
        handle.prepareBatch(
            "INSERT INTO batch_open (batch, number, ready_at, attempts, claim_nanos)"
                + " VALUES (:batch, :number, :first, 0, 0) ON CONFLICT DO NOTHING");
    for (Request request : requests) {
      BatchRows.bindBody(content, request.body())
          .bind("batch", batch)
          .bind("number", request.number())
          .bind("custom", BatchRows.customIdJson(request))
          .add();
      openRequests
          .bind("batch", batch)
          .bind("number", request.number())
          .bind("first", DatabaseTimes.EPOCH)
          .add();
    }
    content.execute();
    openRequests.execute();
    return true;
  }

  List<Request> requests(String batch, int firstNumber, long maxBytes) {
    var span = new Span(batch, firstNumber, maxBytes);
    return read(
        "read requests", span, "batch_request", REQUESTS, (row, context) -> rows.request(row));
  }

  List<AnsweredRequest> results(String batch, int firstNumber, long maxBytes) {
    var span = new Span(batch, firstNumber, maxBytes);
    return read(
        "read results", span, "batch_result", RESULTS, (row, context) -> rows.answeredRequest(row));
  }

  /** Reads the sizes first, since a driver may load the whole result of a query at once. */
  private <T> List<T> read(String action, Span span, String table, String sql, RowMapper<T> rows) {
    return !Document.isValidId(span.batch)
        ? List.of()
        : database.query(
            action,
            handle -> {
              List<RowSize> sizes = RowSize.fitting(sizes(handle, table, span), span.maxBytes);
              return sizes.isEmpty()
                  ? List.of()
                  : handle
                      .createQuery(sql)
                      .bind("batch", span.batch)
                      .bind("from", span.firstNumber)
                      .bind("last", sizes.getLast().number())
                      .map(rows)
                      .list();
            });
  }

  private static List<RowSize> sizes(Handle handle, String table, Span span) {
    return handle
        .select(
            "SELECT number, OCTET_LENGTH(body) FROM "
                + table
                + " WHERE batch = ? AND number >= ? ORDER BY batch, number LIMIT ?",
            span.batch,
            span.firstNumber,
            MAX_SIZES)
        .map((row, context) -> RowSize.of(row))
        .list();
  }

  int remove(String batch, int limit, boolean removeBatch) {
    if (limit < 1 || limit > MAX_REMOVED) {
      throw new IllegalArgumentException("limit must be 1 to " + MAX_REMOVED + ", was " + limit);
    }
    if (!Document.isValidId(batch)) {
      return 0;
    }
    int removed = 0;
    int found = 1;
    while (found > 0 && removed < limit) {
      int chunkRows = Math.min(MAX_ROWS, limit - removed);
      found = database.inTransaction("remove requests", handle -> remove(handle, batch, chunkRows));
      removed += found;
    }
    if (found == 0 && removeBatch) {
      database.inTransaction("remove a batch", handle -> removeBatch(handle, batch));
    }
    return removed;
  }

  private static int removeBatch(Handle handle, String batch) {
    return handle.execute(
        "DELETE FROM batch WHERE id = ? AND phase = ?", batch, Phase.REMOVED.name());
  }

  /**
   * Removes some rows of a batch. Returns how many were found, including those that another node
   * removed meanwhile; 0 means that no row is left.
   */
  private static int remove(Handle handle, String batch, int limit) {
    if (BatchRows.phase(handle, batch, "") != Phase.REMOVED) {
      return 0;
    }
    List<RowSize> found = RowSize.fitting(contentSizes(handle, batch, limit), MAX_BYTES);
    if (!found.isEmpty()) {
      // in the order in which writing a result locks these tables
      for (String table : List.of("batch_open", "batch_result", "batch_request")) {
        handle.execute(
            "DELETE FROM " + table + " WHERE batch = ? AND number BETWEEN ? AND ?",
            batch,
            found.getFirst().number(),
            found.getLast().number());
      }
    }
    return found.size();
  }

  private static List<RowSize> contentSizes(Handle handle, String batch, int maxRows) {
    return handle
        .select(
            """
            SELECT r.number, OCTET_LENGTH(r.body) + COALESCE(
              (SELECT OCTET_LENGTH(s.body) FROM batch_result AS s
               WHERE s.batch = r.batch AND s.number = r.number), 0)
            FROM batch_request AS r WHERE r.batch = ?
            ORDER BY r.batch, r.number LIMIT ?
            """,
            batch,
            maxRows)
        .map((row, context) -> RowSize.of(row))
        .list();
  }
}
