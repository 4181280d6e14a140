package io.strowger.stores.batches;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.batches.RequestLeases.Claim;
import io.strowger.stores.batches.RequestLeases.LeaseGrant;
import io.strowger.stores.database.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Leases the steps of batches and the rows of {@code batch_open}. A node that looks for work skips
 * rows that other nodes have locked. A transaction locks the rows of requests before the row of
 * their batch, which prevents deadlocks.
 */
final class JdbcBatchQueue implements BatchQueue {
  private static final int MAX_LEASED = 100;
  private static final int MAX_FINISHED = 1000;
  private static final String FREE_STEP = " AND step_until <= :now";
  private static final String ONE_STEP = " LIMIT 1 FOR UPDATE SKIP LOCKED";
  private static final String BY_TURN = " ORDER BY phase, turn, created_at, id";

  /**
   * Queries that lock a batch whose step is due. The long step, checking new requests, comes last,
   * so that one tenant's uploads do not delay the end of other batches.
   */
  static final List<String> STEPS =
      List.of(
          stepQuery("due_at <= :now", " ORDER BY due_at"),
          stepQuery("phase = 'OPEN' AND completed + failed >= total", BY_TURN),
          stepQuery("phase = 'STEP'", BY_TURN));

  private static final String UNLEASED = " AND (token IS NULL OR ready_at <= :now)";

  /** Finds requests that are not leased. */
  static final String UNLEASED_REQUESTS =
      "SELECT number FROM batch_open WHERE batch = :batch"
          + UNLEASED
          + " ORDER BY batch, number LIMIT :most";

  private static final String LOCK_REQUESTS =
      "SELECT number FROM batch_open WHERE batch = :batch AND number IN (<numbers>)"
          + UNLEASED
          + " FOR UPDATE SKIP LOCKED";

  /** Selects a request while the lease is still held. */
  private static final String WITH_LEASE =
      " WHERE batch = :batch AND number = :number AND token = :token";

  private static final Comparator<Lease> LEASE_ORDER =
      Comparator.comparing(Lease::batch).thenComparingInt(Lease::number);

  private final Database database;
  private final BatchRows rows;
  private final String node;
  private final GenerationStore generations;
  private final RequestLeases requestLeases;

  JdbcBatchQueue(Database database, BatchRows rows, String node, GenerationStore generations) {
    this.database = database;
    this.rows = rows;
    this.node = node;
    this.generations = generations;
    this.requestLeases = new RequestLeases(rows, node, new AtomicLong());
  }

  private static String stepQuery(String condition, String order) {
    return "SELECT "
        + BatchRows.BATCH_COLUMNS
        + " FROM batch WHERE "
        + condition
        + FREE_STEP
        + order
        + ONE_STEP;
  }

  @Override
  public @Nullable Batch leaseStep(Instant now, Instant until) {
    return database.inTransaction(
        "lease the step of a batch",
        handle -> {
          for (String sql : STEPS) {
            Batch batch = findStep(handle, sql, now);
            if (batch != null) {
              takeStep(handle, batch.id(), until, "");
              return batch;
            }
          }
          return null;
        });
  }

  private @Nullable Batch findStep(Handle handle, String sql, Instant now) {
    return handle
        .createQuery(sql)
        .bind("now", DatabaseTimes.floor(now))
        .map((row, context) -> rows.batch(row))
        .findOne()
        .orElse(null);
  }

  private int takeStep(Handle handle, String batch, Instant until, String condition) {
    return handle
        .createUpdate(
            "UPDATE batch SET step_node = :self, step_until = :until WHERE id = :batch" + condition)
        .bind("self", node)
        .bind("until", DatabaseTimes.floor(until))
        .bind("batch", batch)
        .execute();
  }

  @Override
  public void renewStep(String batch, Instant until) {
    if (Document.isValidId(batch)) {
      database.inTransaction(
          "renew the step of a batch",
          handle -> takeStep(handle, batch, until, " AND step_node = :self"));
    }
  }

  @Override
  public List<LeasedRequest> lease(
      int limit, Instant now, Instant until, Instant claimCutoff, LeaseOrder order) {
    requireInRange(limit, MAX_LEASED);
    var times = RequestLeases.LeaseTimes.of(now, until, claimCutoff);
    List<LeaseGrant> grants =
        database.inTransaction(
            "lease requests", handle -> requestLeases.lease(handle, limit, times, order));
    if (grants.isEmpty()) {
      return List.of();
    }
    Map<Integer, Request> requests =
        database.query("read what was leased", handle -> requests(handle, grants));
    var leased = new ArrayList<LeasedRequest>();
    for (LeaseGrant grant : grants) {
      Request request = requests.get(grant.lease().number());
      if (request != null) { // else it was removed meanwhile
        leased.add(leased(grant, request));
      }
    }
    return leased;
  }

  private Map<Integer, Request> requests(Handle handle, List<LeaseGrant> grants) {
    var byNumber = new HashMap<Integer, Request>();
    handle
        .createQuery(
            "SELECT number, custom_id, body FROM batch_request"
                + " WHERE batch = :batch AND number IN (<numbers>)")
        .bind("batch", grants.getFirst().batch().id())
        .bindList("numbers", grants.stream().map(grant -> grant.lease().number()).toList())
        .map((row, context) -> rows.request(row))
        .forEach(request -> byNumber.put(request.number(), request));
    return byNumber;
  }

  private LeasedRequest leased(LeaseGrant grant, Request request) {
    Claim claim = grant.claim();
    return new LeasedRequest(
        grant.lease(),
        grant.batch(),
        request,
        grant.attempts(),
        claim == null ? BillingStatus.NOT_BILLED : billingStatus(claim),
        claim == null ? 0 : claim.nanos());
  }

  /**
   * Returns whether a claimed bill was charged. Reliable only after the check whether the node of
   * the claim has delivered everything.
   */
  private BillingStatus billingStatus(Claim claim) {
    return claim.generation().isEmpty() || generations.find(claim.generation()) != null
        ? BillingStatus.BILLED
        : claim.delivered() ? BillingStatus.NOT_BILLED : BillingStatus.UNKNOWN;
  }

  @Override
  public Set<Lease> renew(Collection<Lease> leases, Instant until) {
    // in a fixed order, so that two renewals cannot deadlock
    List<Lease> sortedLeases =
        leases.stream().filter(JdbcBatchQueue::isValid).sorted(LEASE_ORDER).toList();
    var renewed = new HashSet<Lease>();
    for (int from = 0; from < sortedLeases.size(); from += BatchContent.MAX_ROWS) {
      List<Lease> chunk =
          sortedLeases.subList(from, Math.min(sortedLeases.size(), from + BatchContent.MAX_ROWS));
      renewed.addAll(database.inTransaction("renew leases", handle -> renew(handle, chunk, until)));
    }
    return renewed;
  }

  private static List<Lease> renew(Handle handle, List<Lease> leases, Instant until) {
    PreparedBatch update =
        handle.prepareBatch("UPDATE batch_open SET ready_at = :until" + WITH_LEASE);
    for (Lease lease : leases) {
      bindLease(update, lease).bind("until", DatabaseTimes.floor(until)).add();
    }
    int[] changed = update.execute();
    var renewed = new ArrayList<Lease>();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] == 1) {
        renewed.add(leases.get(i));
      }
    }
    return renewed;
  }

  private static <S extends SqlStatement<S>> S bindLease(S statement, Lease lease) {
    return statement
        .bind("batch", lease.batch())
        .bind("number", lease.number())
        .bind("token", lease.token());
  }

  private static boolean isValid(Lease lease) {
    return Document.isValidId(lease.batch()) && Document.isValidId(lease.token());
  }

  @Override
  public boolean claim(Lease lease, String generation, Usd amount) {
    return isValid(lease)
        && database.inLastingTransaction(
            "claim a bill",
            handle ->
                bindLease(
                            handle.createUpdate(
                                "UPDATE batch_open SET claim_node = :self,"
                                    + " claim_generation = :generation, claim_nanos = :nanos"
                                    + WITH_LEASE),
                            lease)
                        .bind("self", node)
                        .bind("generation", generation)
                        .bind("nanos", amount.nanos())
                        .execute()
                    == 1);
  }

  @Override
  public boolean finish(Lease lease, Result result) {
    return isValid(lease)
        && database.inTransaction(
            "write a result",
            handle -> {
              if (bindLease(handle.createUpdate("DELETE FROM batch_open" + WITH_LEASE), lease)
                      .execute()
                  != 1) {
                return false;
              }
              write(handle, lease.batch(), List.of(lease.number()), result);
              return true;
            });
  }

  /** Writes results; the row of the batch comes last, since other transactions wait for it. */
  private static void write(Handle handle, String batch, List<Integer> numbers, Result result) {
    String columns = String.join(", ", BatchRows.FIGURE_COLUMNS);
    PreparedBatch insert =
        handle.prepareBatch(
            "INSERT INTO batch_result (batch, number, completed, generation, body, "
                + columns
                + ") VALUES (:batch, :number, :completed, :generation, :body, :"
                + columns.replace(", ", ", :")
                + ")");
    for (int number : numbers) {
      BatchRows.bindFigures(BatchRows.bindBody(insert, result.body()), result.usageAndCost())
          .bind("batch", batch)
          .bind("number", number)
          .bind("completed", result.completed())
          .bind("generation", result.generation())
          .add();
    }
    insert.execute();
    addToSums(handle, batch, numbers.size(), result);
  }

  /** Adds results, which have equal figures, to the sums of their batch. */
  private static void addToSums(Handle handle, String batch, int results, Result result) {
    var sums = new StringBuilder();
    for (String column : BatchRows.FIGURE_COLUMNS) {
      sums.append(", ").append(column).append(" = ").append(column);
      sums.append(" + :results * CAST(:").append(column).append(" AS NUMERIC(38))");
    }
    String counter = result.completed() ? "completed" : "failed";
    BatchRows.bindFigures(
            handle.createUpdate(
                "UPDATE batch SET "
                    + counter
                    + " = "
                    + counter
                    + " + :results"
                    + sums
                    + " WHERE id = :batch"),
            result.usageAndCost())
        .bind("results", results)
        .bind("batch", batch)
        .execute();
  }

  @Override
  public void postpone(Lease lease, Instant readyAt, boolean attempted) {
    if (isValid(lease)) {
      database.inTransaction(
          "give a request back",
          handle ->
              bindLease(
                      handle.createUpdate(
                          "UPDATE batch_open SET ready_at = :ready, token = NULL,"
                              + " attempts = attempts + :attempts"
                              + WITH_LEASE),
                      lease)
                  .bind("ready", DatabaseTimes.floor(readyAt))
                  .bind("attempts", attempted ? 1 : 0)
                  .execute());
    }
  }

  @Override
  public int finishRemaining(String batch, Result result, Instant now, int limit) {
    requireInRange(limit, MAX_FINISHED);
    if (!Document.isValidId(batch)) {
      return 0;
    }
    int rowsThatFit = (int) Math.max(1, BatchContent.MAX_BYTES / Math.max(1, result.body().length));
    int finished = 0;
    int chunkFinished = 1;
    while (chunkFinished > 0 && finished < limit) {
      int chunkRows = Math.min(Math.min(BatchContent.MAX_ROWS, rowsThatFit), limit - finished);
      chunkFinished =
          database.inTransaction(
              "end requests", handle -> finishRest(handle, batch, result, now, chunkRows));
      finished += chunkFinished;
    }
    return finished;
  }

  private static int finishRest(
      Handle handle, String batch, Result result, Instant now, int limit) {
    Phase phase = BatchRows.phase(handle, batch, "");
    if (phase == null || phase == Phase.OPEN) {
      return 0;
    }
    List<Integer> candidates =
        listUnleased(handle.createQuery(UNLEASED_REQUESTS).bind("most", limit), batch, now);
    List<Integer> numbers =
        candidates.isEmpty()
            ? candidates
            : listUnleased(
                handle.createQuery(LOCK_REQUESTS).bindList("numbers", candidates), batch, now);
    if (!numbers.isEmpty()) {
      handle
          .createUpdate("DELETE FROM batch_open WHERE batch = :batch AND number IN (<numbers>)")
          .bind("batch", batch)
          .bindList("numbers", numbers)
          .execute();
      write(handle, batch, numbers, result);
    }
    return numbers.size();
  }

  private static List<Integer> listUnleased(Query query, String batch, Instant now) {
    return query
        .bind("batch", batch)
        .bind("now", DatabaseTimes.floor(now))
        .mapTo(Integer.class)
        .list();
  }

  @Override
  public int countWithoutResult(String batch) {
    return !Document.isValidId(batch)
        ? 0
        : database.query(
            "count open requests",
            handle ->
                handle
                    .select("SELECT COUNT(*) FROM batch_open WHERE batch = ?", batch)
                    .mapTo(Integer.class)
                    .one());
  }

  private static void requireInRange(int limit, int max) {
    if (limit < 1 || limit > max) {
      throw new IllegalArgumentException("limit must be 1 to " + max + ", was " + limit);
    }
  }
}
