package io.strowger.stores.batches;

import io.strowger.spi.store.BatchQueue.Lease;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
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
 * @param leaseCounter counts the leases of this node
 */
record RequestLeases(BatchRows rows, String node, AtomicLong leaseCounter) {
  /** The maximum bytes of request bodies in one lease, unless a single request has more. */
  static final long MAX_BYTES = 4 << 20;

  /**
   * The maximum number of batches that are tried, since other nodes may be leasing the requests of
   * some batches.
   */
  private static final int MAX_BATCHES = 16;

  /** The condition that the node that claimed the bill has ended and delivered everything. */
  private static final String CLAIM_DELIVERED =
      "EXISTS (SELECT 1 FROM ledger_node AS n WHERE n.id = o.claim_node AND n.delivered)";

  private static final String LEASABLE =
      "(o.claim_node IS NULL OR o.claim_node = :self OR o.ready_at < :claim_cutoff OR "
          + CLAIM_DELIVERED
          + ")";

  /**
   * Finds batches with requests that may be leased, ordered by turn. {@code OFFSET 0} keeps a
   * server from joining all requests of all batches. The constant {@code b.phase} in the order lets
   * the embedded database use its index.
   */
  static final String CANDIDATES = candidates("");

  /** Restricts the candidates to batches of workspaces that do not come last. */
  static final String NOT_LAST = " AND b.workspace NOT IN (<last>)";

  /** Restricts the candidates to batches of workspaces that come last. */
  static final String LAST = " AND b.workspace IN (<last>)";

  private static final String NOT_EXCLUDED = " AND b.id NOT IN (<excluded>)";

  /** Finds requests that were never leased. */
  static final String NEVER_LEASED = requests("o.ready_at = :from AND o.ready_at <= :now");

  /** Finds requests that were given back or whose lease ended, the earliest first. */
  static final String RETURNED = requests("o.ready_at >= :from AND o.ready_at <= :now");

  /**
   * Locks some of the requests that were found. If this were one query with the query that finds
   * them, the embedded database would lock all requests that could be leased.
   */
  private static final String LOCK =
      "SELECT o.number, o.attempts, o.claim_node, o.claim_generation, o.claim_nanos, "
          + CLAIM_DELIVERED
          + " AS claim_delivered FROM batch_open AS o"
          + " WHERE o.batch = :batch AND o.number IN (<numbers>)"
          + " AND o.ready_at <= :now AND "
          + LEASABLE
          + " ORDER BY o.number LIMIT :most FOR UPDATE SKIP LOCKED";

  /** Returns the query of candidates, narrowed by a condition. */
  static String candidates(String condition) {
    return "SELECT b.id FROM batch AS b WHERE b.phase = 'OPEN' AND b.due_at > :now"
        + condition
        + " AND EXISTS"
        + " (SELECT 1 FROM batch_open AS o WHERE o.batch = b.id AND o.ready_at <= :now AND "
        + LEASABLE
        + " OFFSET 0) ORDER BY b.phase, b.turn, b.created_at, b.id LIMIT :most";
  }

  /**
   * How many times as many requests are looked at as are to be leased, since other nodes may lease
   * the first ones.
   */
  private static final int SPARE_FACTOR = 3;

  private static String requests(String readyCondition) {
    return "SELECT o.number FROM batch_open AS o WHERE o.batch = :batch AND "
        + readyCondition
        + " AND "
        + LEASABLE
        + " ORDER BY o.batch, o.ready_at, o.number LIMIT :most";
  }

  /** The times of a lease. */
  record LeaseTimes(OffsetDateTime now, OffsetDateTime until, OffsetDateTime claimCutoff) {
    static LeaseTimes of(Instant now, Instant until, Instant claimCutoff) {
      return new LeaseTimes(
          DatabaseTimes.floor(now), DatabaseTimes.floor(until), DatabaseTimes.floor(claimCutoff));
    }
  }

  /**
   * The bill that an earlier lease claimed.
   *
   * @param delivered whether everything in the journal of its node has been delivered
   */
  record Claim(String generation, long nanos, boolean delivered) {}

  /** A request that was leased, without its body. */
  record LeaseGrant(Lease lease, Batch batch, int attempts, @Nullable Claim claim) {}

  private record Row(int number, int attempts, @Nullable Claim claim) {}

  /**
   * The batches that are looked at.
   *
   * @param lastWorkspaces the workspaces that come last
   * @param excludesLast true for batches of all other workspaces, false for batches of these
   * @param excludedBatches the ids of batches to leave out
   */
  private record Scope(
      List<String> lastWorkspaces, boolean excludesLast, List<String> excludedBatches) {
    String sql() {
      return candidates(
          (lastWorkspaces.isEmpty() ? "" : excludesLast ? NOT_LAST : LAST)
              + (excludedBatches.isEmpty() ? "" : NOT_EXCLUDED));
    }

    void bind(Query query) {
      if (!lastWorkspaces.isEmpty()) {
        query.bindList("last", lastWorkspaces);
      }
      if (!excludedBatches.isEmpty()) {
        query.bindList("excluded", excludedBatches);
      }
    }
  }

  /** Leases requests of one batch; must be called in a transaction. */
  List<LeaseGrant> lease(Handle handle, int limit, LeaseTimes times, LeaseOrder order) {
    List<String> lastWorkspaces = validIds(order.lastWorkspaces());
    List<String> excludedBatches = validIds(order.excludedBatches());
    List<LeaseGrant> grants =
        lease(handle, limit, times, new Scope(lastWorkspaces, true, excludedBatches));
    return grants.isEmpty() && !lastWorkspaces.isEmpty()
        ? lease(handle, limit, times, new Scope(lastWorkspaces, false, excludedBatches))
        : grants;
  }

  private static List<String> validIds(Set<String> names) {
    return names.stream().filter(Document::isValidId).toList();
  }

  private List<LeaseGrant> lease(Handle handle, int limit, LeaseTimes times, Scope scope) {
    for (String batch : candidates(handle, times, scope)) {
      List<Row> leasable = limitBytes(handle, batch, lockLowest(handle, batch, limit, times));
      if (!leasable.isEmpty() && takeTurn(handle, batch, times)) {
        Batch current = rows.find(handle, batch);
        if (current != null) {
          return take(handle, current, leasable, times);
        }
      }
    }
    return List.of();
  }

  private List<String> candidates(Handle handle, LeaseTimes times, Scope scope) {
    Query query = handle.createQuery(scope.sql());
    scope.bind(query);
    return query
        .bind("now", times.now)
        .bind("claim_cutoff", times.claimCutoff)
        .bind("self", node)
        .bind("most", MAX_BATCHES)
        .mapTo(String.class)
        .list();
  }

  private List<Row> lockLowest(Handle handle, String batch, int limit, LeaseTimes times) {
    var numbers = new ArrayList<Integer>();
    for (String sql : List.of(NEVER_LEASED, RETURNED)) {
      bindTimes(handle.createQuery(sql), batch, times)
          .bind("from", sql.equals(NEVER_LEASED) ? DatabaseTimes.EPOCH : DatabaseTimes.AFTER_EPOCH)
          .bind("most", SPARE_FACTOR * limit)
          .mapTo(Integer.class)
          .forEach(numbers::add);
    }
    if (numbers.isEmpty()) {
      return List.of();
    }
    numbers.sort(Comparator.naturalOrder());
    return bindTimes(handle.createQuery(LOCK), batch, times)
        .bindList("numbers", numbers.subList(0, Math.min(SPARE_FACTOR * limit, numbers.size())))
        .bind("most", limit)
        .map((row, context) -> row(row))
        .list();
  }

  private Query bindTimes(Query query, String batch, LeaseTimes times) {
    return query
        .bind("batch", batch)
        .bind("now", times.now)
        .bind("claim_cutoff", times.claimCutoff)
        .bind("self", node);
  }

  private Row row(ResultSet row) throws SQLException {
    String claimNode = row.getString("claim_node");
    Claim claim =
        claimNode == null
            ? null
            : new Claim(
                row.getString("claim_generation"),
                row.getLong("claim_nanos"),
                claimNode.equals(node) || row.getBoolean("claim_delivered"));
    return new Row(row.getInt("number"), row.getInt("attempts"), claim);
  }

  private static List<Row> limitBytes(Handle handle, String batch, List<Row> leasable) {
    if (leasable.isEmpty()) {
      return leasable;
    }
    List<RowSize> sizes =
        handle
            .createQuery(
                "SELECT number, OCTET_LENGTH(body) FROM batch_request"
                    + " WHERE batch = :batch AND number IN (<numbers>) ORDER BY batch, number")
            .bind("batch", batch)
            .bindList("numbers", leasable.stream().map(Row::number).toList())
            .map((row, context) -> RowSize.of(row))
            .list();
    return leasable.subList(0, RowSize.fitting(sizes, MAX_BYTES).size());
  }

  /**
   * Puts the batch behind all others in the order of turns and locks its row for the transaction.
   * Returns false when the batch is not open any more or is due.
   */
  private static boolean takeTurn(Handle handle, String batch, LeaseTimes times) {
    return handle.execute(
            """
            UPDATE batch
            SET turn = (SELECT MAX(turn) + 1 FROM batch WHERE phase = 'OPEN')
            WHERE id = ? AND phase = 'OPEN' AND due_at > ?
            """,
            batch,
            times.now)
        == 1;
  }

  private List<LeaseGrant> take(Handle handle, Batch batch, List<Row> leasable, LeaseTimes times) {
    PreparedBatch update =
        handle.prepareBatch(
            "UPDATE batch_open SET ready_at = :until, token = :token"
                + " WHERE batch = :batch AND number = :number");
    var grants = new ArrayList<LeaseGrant>();
    for (Row row : leasable) {
      var lease = new Lease(batch.id(), row.number, node + "-" + leaseCounter.incrementAndGet());
      update
          .bind("until", times.until)
          .bind("token", lease.token())
          .bind("batch", batch.id())
          .bind("number", row.number)
          .add();
      grants.add(new LeaseGrant(lease, batch, row.attempts, row.claim));
    }
    update.execute();
    return grants;
  }
}
