package io.strowger.stores.batches;

import io.strowger.spi.store.BatchQueue.Lease;
import io.strowger.spi.store.BatchQueue.Order;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.Document;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Leases requests to this node.
 *
 * @param node the id of this node; part of every token
 * @param leases counts the leases of this node
 */
record RequestLeases(BatchRows rows, String node, AtomicLong leases) {
  /** The maximum bytes of request bodies in one lease, unless a single request has more. */
  static final long MAX_BYTES = 4 << 20;

  /**
   * The maximum number of batches that are tried, since other nodes may be leasing the requests of
   * some.
   */
  private static final int BATCHES = 16;

  /** The condition that the node that claimed the bill has ended and delivered everything. */
  private static final String TOLD =
      "EXISTS (SELECT 1 FROM ledger_node AS n WHERE n.id = o.claim_node AND n.delivered)";

  private static final String FREE =
      "(o.claim_node IS NULL OR o.claim_node = :self OR o.ready_at < :patience OR " + TOLD + ")";

  /**
   * Finds batches with requests that may be leased, ordered by turn. The offset keeps a server from
   * joining all requests of all batches; the constant in the order lets the embedded database use
   * its index.
   */
  static final String CANDIDATES = candidates("");

  /** Restricts the candidates to batches of workspaces that do not come last. */
  static final String NOT_LAST = " AND b.workspace NOT IN (<last>)";

  /** Restricts the candidates to batches of workspaces that come last. */
  static final String LAST = " AND b.workspace IN (<last>)";

  private static final String WITHOUT = " AND b.id NOT IN (<without>)";

  /** Finds requests that were never leased. */
  static final String FRESH = requests("o.ready_at = :from AND o.ready_at <= :now");

  /**
   * Finds requests that were given back or whose lease ended, in the order in which that happened.
   */
  static final String BACK = requests("o.ready_at >= :from AND o.ready_at <= :now");

  /**
   * Locks some of the requests that were found. If this were one query with the query that finds
   * them, the embedded database would lock all requests that could be leased.
   */
  private static final String LOCK =
      "SELECT o.number, o.attempts, o.claim_node, o.claim_generation, o.claim_nanos, "
          + TOLD
          + " AS told FROM batch_open AS o WHERE o.batch = :batch AND o.number IN (<numbers>)"
          + " AND o.ready_at <= :now AND "
          + FREE
          + " ORDER BY o.number LIMIT :most FOR UPDATE SKIP LOCKED";

  /** Returns the query of candidates, narrowed by a condition. */
  static String candidates(String which) {
    return "SELECT b.id FROM batch AS b WHERE b.phase = 'OPEN' AND b.due_at > :now"
        + which
        + " AND EXISTS"
        + " (SELECT 1 FROM batch_open AS o WHERE o.batch = b.id AND o.ready_at <= :now AND "
        + FREE
        + " OFFSET 0) ORDER BY b.phase, b.turn, b.created_at, b.id LIMIT :most";
  }

  /**
   * How many times as many requests are looked at as are to be leased, since others may lease the
   * first ones.
   */
  private static final int SPARE = 3;

  private static String requests(String ready) {
    return "SELECT o.number FROM batch_open AS o WHERE o.batch = :batch AND "
        + ready
        + " AND "
        + FREE
        + " ORDER BY o.batch, o.ready_at, o.number LIMIT :most";
  }

  /** The times of a lease. */
  record When(OffsetDateTime now, OffsetDateTime until, OffsetDateTime patience) {
    static When of(Instant now, Instant until, Instant patience) {
      return new When(
          DatabaseTimes.floor(now), DatabaseTimes.floor(until), DatabaseTimes.floor(patience));
    }
  }

  /**
   * The bill that an earlier lease claimed.
   *
   * @param told whether everything in the journal of its node has been delivered
   */
  record Claim(String generation, long nanos, boolean told) {}

  /** A request that was leased, without its body. */
  record Taken(Lease lease, Batch batch, int attempts, @Nullable Claim claim) {}

  private record Row(int number, int attempts, @Nullable Claim claim) {}

  /**
   * The batches that are looked at.
   *
   * @param last the workspaces that come last
   * @param others true for batches of all other workspaces, false for batches of these
   * @param without the ids of batches to leave out
   */
  private record Scope(List<String> last, boolean others, List<String> without) {
    String sql() {
      return candidates(
          (last.isEmpty() ? "" : others ? NOT_LAST : LAST) + (without.isEmpty() ? "" : WITHOUT));
    }

    void bind(Query query) {
      if (!last.isEmpty()) {
        query.bindList("last", last);
      }
      if (!without.isEmpty()) {
        query.bindList("without", without);
      }
    }
  }

  /** Leases requests of one batch; must be called in a transaction. */
  List<Taken> lease(Handle handle, int most, When when, Order order) {
    List<String> last = names(order.last());
    List<String> without = names(order.without());
    List<Taken> taken = lease(handle, most, when, new Scope(last, true, without));
    return taken.isEmpty() && !last.isEmpty()
        ? lease(handle, most, when, new Scope(last, false, without))
        : taken;
  }

  private static List<String> names(Set<String> given) {
    return given.stream().filter(Document::isName).toList();
  }

  private List<Taken> lease(Handle handle, int most, When when, Scope scope) {
    for (String batch : candidates(handle, when, scope)) {
      List<Row> free = within(handle, batch, lowest(handle, batch, most, when));
      if (!free.isEmpty() && takesTurn(handle, batch, when)) {
        Batch leased = rows.find(handle, batch);
        if (leased != null) {
          return take(handle, leased, free, when);
        }
      }
    }
    return List.of();
  }

  private List<String> candidates(Handle handle, When when, Scope scope) {
    Query query = handle.createQuery(scope.sql());
    scope.bind(query);
    return query
        .bind("now", when.now)
        .bind("patience", when.patience)
        .bind("self", node)
        .bind("most", BATCHES)
        .mapTo(String.class)
        .list();
  }

  private List<Row> lowest(Handle handle, String batch, int most, When when) {
    var found = new ArrayList<Integer>();
    for (String sql : List.of(FRESH, BACK)) {
      of(handle.createQuery(sql), batch, when)
          .bind("from", sql.equals(FRESH) ? DatabaseTimes.FIRST : DatabaseTimes.SECOND)
          .bind("most", SPARE * most)
          .mapTo(Integer.class)
          .forEach(found::add);
    }
    if (found.isEmpty()) {
      return List.of();
    }
    found.sort(Comparator.naturalOrder());
    return of(handle.createQuery(LOCK), batch, when)
        .bindList("numbers", found.subList(0, Math.min(SPARE * most, found.size())))
        .bind("most", most)
        .map((row, context) -> row(row))
        .list();
  }

  private Query of(Query query, String batch, When when) {
    return query
        .bind("batch", batch)
        .bind("now", when.now)
        .bind("patience", when.patience)
        .bind("self", node);
  }

  private Row row(ResultSet row) throws SQLException {
    String by = row.getString("claim_node");
    Claim claim =
        by == null
            ? null
            : new Claim(
                row.getString("claim_generation"),
                row.getLong("claim_nanos"),
                by.equals(node) || row.getBoolean("told"));
    return new Row(row.getInt("number"), row.getInt("attempts"), claim);
  }

  private static List<Row> within(Handle handle, String batch, List<Row> free) {
    if (free.isEmpty()) {
      return free;
    }
    List<Sizes> sizes =
        handle
            .createQuery(
                "SELECT number, OCTET_LENGTH(body) FROM batch_request"
                    + " WHERE batch = :batch AND number IN (<numbers>) ORDER BY batch, number")
            .bind("batch", batch)
            .bindList("numbers", free.stream().map(Row::number).toList())
            .map((row, context) -> Sizes.of(row))
            .list();
    return free.subList(0, Sizes.within(sizes, MAX_BYTES).size());
  }

  /**
   * Puts the batch behind all others in the order of turns and locks its row for the transaction.
   * Returns false when the batch is not open any more or is due.
   */
  private static boolean takesTurn(Handle handle, String batch, When when) {
    return handle
            .createUpdate(
                """
                UPDATE batch
                SET turn = (SELECT MAX(turn) + 1 FROM batch WHERE phase = 'OPEN')
                WHERE id = :batch AND phase = 'OPEN' AND due_at > :now
                """)
            .bind("batch", batch)
            .bind("now", when.now)
            .execute()
        == 1;
  }

  private List<Taken> take(Handle handle, Batch batch, List<Row> free, When when) {
    PreparedBatch update =
        handle.prepareBatch(
            "UPDATE batch_open SET ready_at = :until, token = :token"
                + " WHERE batch = :batch AND number = :number");
    var taken = new ArrayList<Taken>();
    for (Row row : free) {
      var lease = new Lease(batch.id(), row.number, node + "-" + leases.incrementAndGet());
      update
          .bind("until", when.until)
          .bind("token", lease.token())
          .bind("batch", batch.id())
          .bind("number", row.number)
          .add();
      taken.add(new Taken(lease, batch, row.attempts, row.claim));
    }
    update.execute();
    return taken;
  }
}
