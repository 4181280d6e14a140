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
import io.strowger.stores.batches.RequestLeases.Taken;
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
 * Leases the rows of {@code batch_open}. A node that looks for work skips rows that others have
 * locked. A transaction locks the rows of requests before the row of their batch, which prevents
 * deadlocks.
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
          steps("due_at <= :now", " ORDER BY due_at"),
          steps("phase = 'OPEN' AND completed + failed >= total", BY_TURN),
          steps("phase = 'STEP'", BY_TURN));

  private static final String UNLEASED = " AND (token IS NULL OR ready_at <= :now)";

  /** Finds requests that are not leased. */
  static final String REST =
      "SELECT number FROM batch_open WHERE batch = :batch"
          + UNLEASED
          + " ORDER BY batch, number LIMIT :most";

  private static final String LOCK =
      "SELECT number FROM batch_open WHERE batch = :batch AND number IN (<numbers>)"
          + UNLEASED
          + " FOR UPDATE SKIP LOCKED";

  /** Selects a request while the lease is still held. */
  private static final String HELD =
      " WHERE batch = :batch AND number = :number AND token = :token";

  private static final Comparator<Lease> IN_ORDER =
      Comparator.comparing(Lease::batch).thenComparingInt(Lease::number);

  private final Database database;
  private final BatchRows rows;
  private final String node;
  private final GenerationStore generations;
  private final RequestLeases open;

  JdbcBatchQueue(Database database, BatchRows rows, String node, GenerationStore generations) {
    this.database = database;
    this.rows = rows;
    this.node = node;
    this.generations = generations;
    this.open = new RequestLeases(rows, node, new AtomicLong());
  }

  private static String steps(String which, String order) {
    return "SELECT "
        + BatchRows.BATCH
        + " FROM batch WHERE "
        + which
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
            Batch found = step(handle, sql, now);
            if (found != null) {
              takeStep(handle, found.id(), until, "");
              return found;
            }
          }
          return null;
        });
  }

  private @Nullable Batch step(Handle handle, String sql, Instant now) {
    return handle
        .createQuery(sql)
        .bind("now", DatabaseTimes.floor(now))
        .map((row, context) -> rows.batch(row))
        .findOne()
        .orElse(null);
  }

  private int takeStep(Handle handle, String batch, Instant until, String when) {
    return handle
        .createUpdate(
            "UPDATE batch SET step_node = :self, step_until = :until WHERE id = :batch" + when)
        .bind("self", node)
        .bind("until", DatabaseTimes.floor(until))
        .bind("batch", batch)
        .execute();
  }

  @Override
  public void renewStep(String batch, Instant until) {
    if (Document.isName(batch)) {
      database.inTransaction(
          "renew the step of a batch",
          handle -> takeStep(handle, batch, until, " AND step_node = :self"));
    }
  }

  @Override
  public List<Leased> lease(int most, Instant now, Instant until, Instant patience, Order order) {
    check(most, MAX_LEASED);
    var when = RequestLeases.When.of(now, until, patience);
    List<Taken> taken =
        database.inTransaction("lease requests", handle -> open.lease(handle, most, when, order));
    if (taken.isEmpty()) {
      return List.of();
    }
    Map<Integer, Request> requests =
        database.ask("read what was leased", handle -> requests(handle, taken));
    var leased = new ArrayList<Leased>();
    for (Taken each : taken) {
      Request request = requests.get(each.lease().number());
      if (request != null) { // else it was removed meanwhile
        leased.add(leased(each, request));
      }
    }
    return leased;
  }

  private Map<Integer, Request> requests(Handle handle, List<Taken> taken) {
    var found = new HashMap<Integer, Request>();
    handle
        .createQuery(
            "SELECT number, custom_id, body FROM batch_request"
                + " WHERE batch = :batch AND number IN (<numbers>)")
        .bind("batch", taken.getFirst().batch().id())
        .bindList("numbers", taken.stream().map(each -> each.lease().number()).toList())
        .map((row, context) -> rows.request(row))
        .forEach(request -> found.put(request.number(), request));
    return found;
  }

  private Leased leased(Taken taken, Request request) {
    Claim claim = taken.claim();
    return new Leased(
        taken.lease(),
        taken.batch(),
        request,
        taken.attempts(),
        claim == null ? Billed.NO : billed(claim),
        claim == null ? 0 : claim.nanos());
  }

  /**
   * Returns whether a claimed bill was charged. Reliable only after the check whether the node of
   * the claim has delivered everything.
   */
  private Billed billed(Claim claim) {
    return claim.generation().isEmpty() || generations.find(claim.generation()) != null
        ? Billed.YES
        : claim.told() ? Billed.NO : Billed.UNKNOWN;
  }

  @Override
  public Set<Lease> renew(Collection<Lease> leases, Instant until) {
    // in a fixed order, so that two renewals cannot deadlock
    List<Lease> all = leases.stream().filter(JdbcBatchQueue::isSound).sorted(IN_ORDER).toList();
    var renewed = new HashSet<Lease>();
    for (int from = 0; from < all.size(); from += BatchContent.ROWS) {
      List<Lease> some = all.subList(from, Math.min(all.size(), from + BatchContent.ROWS));
      renewed.addAll(database.inTransaction("renew leases", handle -> renew(handle, some, until)));
    }
    return renewed;
  }

  private static List<Lease> renew(Handle handle, List<Lease> leases, Instant until) {
    PreparedBatch update = handle.prepareBatch("UPDATE batch_open SET ready_at = :until" + HELD);
    for (Lease lease : leases) {
      held(update, lease).bind("until", DatabaseTimes.floor(until)).add();
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

  private static <S extends SqlStatement<S>> S held(S statement, Lease lease) {
    return statement
        .bind("batch", lease.batch())
        .bind("number", lease.number())
        .bind("token", lease.token());
  }

  private static boolean isSound(Lease lease) {
    return Document.isName(lease.batch()) && Document.isName(lease.token());
  }

  @Override
  public boolean claim(Lease lease, String generation, Usd billed) {
    return isSound(lease)
        && database.inLastingTransaction(
            "claim a bill",
            handle ->
                held(
                            handle.createUpdate(
                                "UPDATE batch_open SET claim_node = :self,"
                                    + " claim_generation = :generation, claim_nanos = :nanos"
                                    + HELD),
                            lease)
                        .bind("self", node)
                        .bind("generation", generation)
                        .bind("nanos", billed.nanos())
                        .execute()
                    == 1);
  }

  @Override
  public boolean finish(Lease lease, Result result) {
    return isSound(lease)
        && database.inTransaction(
            "write a result",
            handle -> {
              if (held(handle.createUpdate("DELETE FROM batch_open" + HELD), lease).execute()
                  != 1) {
                return false;
              }
              write(handle, lease.batch(), List.of(lease.number()), result);
              return true;
            });
  }

  /** Writes results; the row of the batch comes last, since other transactions wait for it. */
  private static void write(Handle handle, String batch, List<Integer> numbers, Result result) {
    String columns = String.join(", ", BatchRows.FIGURES);
    PreparedBatch insert =
        handle.prepareBatch(
            "INSERT INTO batch_result (batch, number, completed, generation, body, "
                + columns
                + ") VALUES (:batch, :number, :completed, :generation, :body, :"
                + columns.replace(", ", ", :")
                + ")");
    for (int number : numbers) {
      BatchRows.figures(BatchRows.bytes(insert, result.body()), result.figures())
          .bind("batch", batch)
          .bind("number", number)
          .bind("completed", result.completed())
          .bind("generation", result.generation())
          .add();
    }
    insert.execute();
    count(handle, batch, numbers.size(), result);
  }

  private static void count(Handle handle, String batch, int results, Result result) {
    var sums = new StringBuilder();
    for (String column : BatchRows.FIGURES) {
      sums.append(", ").append(column).append(" = ").append(column);
      sums.append(" + :results * CAST(:").append(column).append(" AS NUMERIC(38))");
    }
    String counter = result.completed() ? "completed" : "failed";
    BatchRows.figures(
            handle.createUpdate(
                "UPDATE batch SET "
                    + counter
                    + " = "
                    + counter
                    + " + :results"
                    + sums
                    + " WHERE id = :batch"),
            result.figures())
        .bind("results", results)
        .bind("batch", batch)
        .execute();
  }

  @Override
  public void postpone(Lease lease, Instant readyAt, boolean attempted) {
    if (isSound(lease)) {
      database.inTransaction(
          "give a request back",
          handle ->
              held(
                      handle.createUpdate(
                          "UPDATE batch_open SET ready_at = :ready, token = NULL,"
                              + " attempts = attempts + :attempts"
                              + HELD),
                      lease)
                  .bind("ready", DatabaseTimes.floor(readyAt))
                  .bind("attempts", attempted ? 1 : 0)
                  .execute());
    }
  }

  @Override
  public int finishRest(String batch, Result result, Instant now, int most) {
    check(most, MAX_FINISHED);
    if (!Document.isName(batch)) {
      return 0;
    }
    int fit = (int) Math.max(1, BatchContent.BYTES / Math.max(1, result.body().length));
    int finished = 0;
    int some = 1;
    while (some > 0 && finished < most) {
      int next = Math.min(Math.min(BatchContent.ROWS, fit), most - finished);
      some =
          database.inTransaction(
              "end requests", handle -> finishRest(handle, batch, result, now, next));
      finished += some;
    }
    return finished;
  }

  private static int finishRest(Handle handle, String batch, Result result, Instant now, int most) {
    Phase phase = BatchRows.phase(handle, batch, "");
    if (phase == null || phase == Phase.OPEN) {
      return 0;
    }
    List<Integer> found = unleased(handle.createQuery(REST).bind("most", most), batch, now);
    List<Integer> numbers =
        found.isEmpty()
            ? found
            : unleased(handle.createQuery(LOCK).bindList("numbers", found), batch, now);
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

  private static List<Integer> unleased(Query query, String batch, Instant now) {
    return query
        .bind("batch", batch)
        .bind("now", DatabaseTimes.floor(now))
        .mapTo(Integer.class)
        .list();
  }

  @Override
  public int open(String batch) {
    return !Document.isName(batch)
        ? 0
        : database.ask(
            "count open requests",
            handle ->
                handle
                    .createQuery("SELECT COUNT(*) FROM batch_open WHERE batch = :batch")
                    .bind("batch", batch)
                    .mapTo(Integer.class)
                    .one());
  }

  private static void check(int most, int allowed) {
    if (most < 1 || most > allowed) {
      throw new IllegalArgumentException("must be 1 to " + allowed + ", was " + most);
    }
  }
}
