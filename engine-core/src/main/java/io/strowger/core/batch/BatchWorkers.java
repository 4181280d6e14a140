package io.strowger.core.batch;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.authentication.Caller;
import io.strowger.core.batch.BatchRequestHandler.ItemAnswer;
import io.strowger.core.meter.Bill;
import io.strowger.core.record.GenerationId;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchQueue.Billed;
import io.strowger.spi.store.BatchQueue.Lease;
import io.strowger.spi.store.BatchQueue.Leased;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes requests of batches on this node. One thread polls for work every second and whenever
 * it is woken; each request is answered on a virtual thread of its own, as many at a time as the
 * configuration allows. The steps of batches run on virtual threads, too, one at a time.
 *
 * <p>A request is leased before it is answered. It gets a result or is postponed: with a delay when
 * money or capacity is missing or a provider limits the rate, and as a counted attempt when a
 * provider failed. A request that was billed in part is not postponed, because a second answer
 * could not be billed. Requests leased to a node that died are leased to another node when the
 * lease expires. While several workspaces have work, one workspace gets at most all workers but
 * one. Decision 59. Safe on any thread.
 */
public final class BatchWorkers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BatchWorkers.class);

  /** The interval of polling for work that another node created. */
  static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** The number of failed attempts after which a request fails for good. */
  static final int MAX_ATTEMPTS = 5;

  /** The delay after which a request that could not be paid is tried again. */
  static final Duration UNPAID = Duration.ofSeconds(30);

  /**
   * The most batches that leasing skips because they wait for money; further ones are leased and
   * tried again.
   */
  private static final int MAX_UNPAID = 1000;

  private static final Duration FULL = Duration.ofSeconds(1);
  private static final int MAX_LEASED = 100; // at a time
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

  private final Batches batches;
  private final BatchQueue queue;
  private final BatchSteps steps;
  private final Ambient ambient;
  private final int most;
  private final Duration lease;
  private final Map<Lease, Underway> underway = new ConcurrentHashMap<>();
  private final Map<String, Instant> unpaid = new ConcurrentHashMap<>(); // batch id to its end
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();
  private @Nullable Thread thread; // this and the next four are guarded by the lock
  private boolean napping;
  private boolean news;
  private boolean closed;
  private boolean stepping;
  private long renewedAt; // for the polling thread only
  private boolean down; // for the polling thread only

  /** A request that is being answered. */
  private record Underway(String workspace, Cancellation cancellation) {}

  public BatchWorkers(Batches batches) {
    this.batches = batches;
    this.queue = batches.store().queue();
    this.steps = new BatchSteps(batches);
    this.ambient = batches.ambient();
    this.most = batches.settings().workers();
    this.lease = batches.settings().lease();
    batches.onWork(this::wake);
  }

  /** Starts polling for work; does nothing when already started, closed, or without workers. */
  public void start() {
    lock.lock();
    try {
      if (thread == null && !closed && most > 0) {
        renewedAt = ambient.nanoTime();
        thread = ambient.startService("batches", this::run);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many requests of batches this node is answering at this moment. */
  public int requestsInFlight() {
    return underway.size();
  }

  /** Wakes the polling thread, since there may be work. */
  void wake() {
    start();
    lock.lock();
    try {
      news = true;
      Thread looking = thread;
      if (napping && looking != null) {
        looking.interrupt(); // never while it asks the store
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!isClosed()) {
      boolean found = false;
      try {
        found = round();
        down = false;
      } catch (StoreUnavailableException away) {
        if (!down) {
          log.warn("batches are not processed: the store is unavailable: {}", away.getMessage());
        }
        down = true;
      } catch (RuntimeException | Error bug) {
        log.error("polling for requests of batches failed and is repeated", bug);
      }
      if (!found) {
        nap();
      }
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void nap() {
    lock.lock();
    try {
      if (closed || news) {
        news = false;
        return;
      }
      napping = true;
    } finally {
      lock.unlock();
    }
    try {
      ambient.sleep(POLL_INTERVAL);
    } catch (InterruptedException woken) {
      // there is work, or this is being closed
    } finally {
      lock.lock();
      try {
        napping = false;
        news = false;
        Thread.interrupted(); // clears an interrupt that came after the sleep ended
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Renews the leases, starts a step and leases more requests.
   *
   * @return whether there was work
   */
  private boolean round() {
    renew();
    boolean found = step();
    int free = most - underway.size();
    if (free > 0) {
      Set<Lease> before = Set.copyOf(underway.keySet());
      for (Leased leased : lease(free)) {
        begin(leased, before);
        found = true;
      }
    }
    return found;
  }

  /**
   * Leases requests, at most as many as the busiest workspace below its share may still take,
   * because all of them may be of that workspace. A workspace that has its share is leased last.
   */
  private List<Leased> lease(int free) {
    int share = Math.max(1, most - 1);
    var has = new HashMap<String, Integer>();
    underway.values().forEach(one -> has.merge(one.workspace, 1, Integer::sum));
    var full = new HashSet<String>();
    int room = Math.min(free, MAX_LEASED);
    for (Map.Entry<String, Integer> one : has.entrySet()) {
      if (one.getValue() >= share) {
        full.add(one.getKey());
      } else {
        room = Math.min(room, share - one.getValue());
      }
    }
    Instant now = ambient.now();
    unpaid.values().removeIf(until -> !until.isAfter(now));
    var order = new BatchQueue.Order(full, unpaid.keySet());
    return queue.lease(Math.min(room, share), now, now.plus(lease), now.minus(lease), order);
  }

  /** Renews the leases three times per lease period, and cancels requests whose lease is lost. */
  private void renew() {
    long now = ambient.nanoTime();
    if (now - renewedAt < lease.toNanos() / 3 || underway.isEmpty()) {
      return;
    }
    renewedAt = now;
    Set<Lease> mine = new HashSet<>(underway.keySet());
    Set<Lease> held = queue.renew(mine, ambient.now().plus(lease));
    mine.removeAll(held);
    for (Lease lost : mine) {
      Underway one = underway.get(lost);
      if (one != null) {
        one.cancellation.cancel(Cancellation.Cause.CLOSED);
      }
    }
  }

  private boolean step() {
    lock.lock();
    try {
      if (stepping || closed) {
        return false;
      }
      stepping = true;
    } finally {
      lock.unlock();
    }
    Batch next = null;
    try {
      Instant now = ambient.now();
      next = queue.leaseStep(now, now.plus(lease));
    } finally {
      if (next == null) {
        stepped();
      }
    }
    Batch batch = next;
    if (batch == null) {
      return false;
    }
    launch(
        "batch-step",
        () -> {
          try {
            steps.take(batch);
          } finally {
            stepped();
          }
        });
    return true;
  }

  private void stepped() {
    lock.lock();
    try {
      stepping = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins a request, or postpones it when another thread of this process was still working on it
   * under a lost lease: that thread may have billed it since, and the store sees the process as one
   * node.
   */
  private void begin(Leased leased, Set<Lease> before) {
    Lease next = leased.lease();
    for (Lease one : before) {
      if (one.batch().equals(next.batch()) && one.number() == next.number()) {
        queue.postpone(next, ambient.now().plus(FULL), false);
        return;
      }
    }
    var cancellation = new Cancellation();
    underway.put(leased.lease(), new Underway(leased.batch().workspace(), cancellation));
    launch(
        "batch-request",
        () -> {
          try {
            work(leased, cancellation);
          } finally {
            underway.remove(leased.lease());
          }
        });
  }

  /** Runs work on a thread of its own and wakes the polling thread when it is done. */
  private void launch(String name, Runnable work) {
    ambient.start(
        name,
        () -> {
          try {
            work.run();
          } catch (StoreUnavailableException away) {
            log.debug("{} is repeated: the store is unavailable: {}", name, away.getMessage());
          } catch (RuntimeException | Error bug) {
            log.error("{} failed and is repeated", name, bug);
          } finally {
            lock.lock();
            try {
              quiet.signalAll();
            } finally {
              lock.unlock();
            }
            wake();
          }
        });
  }

  private void work(Leased leased, Cancellation cancellation) {
    var batch = new SavedBatch(leased.batch());
    Caller caller = batches.currentCaller(batch.key());
    if (caller == null) {
      BatchSteps.cancel(batches, batch);
      queue.postpone(leased.lease(), ambient.now(), false);
      return;
    }
    String id = GenerationId.ofBatch(ambient.now(), ambient.seed(), ambient.seed());
    var billing = new ItemBilling(queue, leased.lease(), id, leased.billed());
    ItemAnswer answer =
        batches
            .requestHandler()
            .answer(
                caller,
                batch.endpoint(),
                leased.request().body(),
                batch::withBatchProvider,
                billing,
                cancellation);
    if (answer.body() == null && isGivenUp(cancellation.cause())) {
      queue.postpone(leased.lease(), ambient.now(), false);
    } else if (!billing.isRefused()) {
      done(leased, id, billing, answer);
    }
  }

  /** Returns whether this node is shutting down or has lost the lease. */
  private static boolean isGivenUp(Cancellation.@Nullable Cause cause) {
    return cause == Cancellation.Cause.SHUTDOWN || cause == Cancellation.Cause.CLOSED;
  }

  private void done(Leased leased, String id, ItemBilling billing, ItemAnswer answer) {
    GatewayError error = answer.error();
    if (error != null && billing.billedNanos() == 0) {
      Duration delay = delay(error, leased.attempts());
      if (delay != null) {
        if (isUnpaid(error)) {
          waitForMoney(new SavedBatch(leased.batch()));
        }
        queue.postpone(leased.lease(), ambient.now().plus(delay), isAttempt(error));
        return;
      }
    }
    byte[] response = answer.body();
    byte[] body = response == null ? errorBody(error).toBytes() : response;
    UsageAndCost usageAndCost = figures(leased, billing, answer.bill());
    queue.finish(leased.lease(), new Result(response != null, id, body, usageAndCost));
  }

  /**
   * Returns the delay before a request is tried again; null when it has failed for good. Waiting
   * for money or capacity is not an attempt and is bounded only by the batch's own deadline.
   */
  private static @Nullable Duration delay(GatewayError error, int attempts) {
    return switch (error.code()) {
      case PAYMENT_REQUIRED, BUDGET_EXCEEDED -> UNPAID;
      case RATE_LIMIT_EXCEEDED, CAPACITY_EXHAUSTED, UNAVAILABLE, TEMPORARILY_UNAVAILABLE ->
          asked(error);
      case PROVIDER_ERROR, PROVIDER_OVERLOADED, TIMEOUT ->
          attempts + 1 < MAX_ATTEMPTS ? Duration.ofSeconds(1L << attempts) : null;
      default -> null;
    };
  }

  private static boolean isUnpaid(GatewayError error) {
    return error.code() == ErrorCode.PAYMENT_REQUIRED || error.code() == ErrorCode.BUDGET_EXCEEDED;
  }

  /**
   * Suspends the whole batch when not even its cheapest request can be paid; otherwise only the
   * request that could not be paid waits.
   */
  private void waitForMoney(SavedBatch batch) {
    Caller caller = batches.currentCaller(batch.key());
    Charge least = batch.least();
    if (caller != null
        && least != null
        && unpaid.size() < MAX_UNPAID
        && batches.quotes().shortfall(caller, least) != null) {
      unpaid.put(batch.id(), ambient.now().plus(UNPAID));
    }
  }

  private static Duration asked(GatewayError error) {
    Duration told = Duration.ofSeconds(error.retryAfterSeconds().orElse(FULL.toSeconds()));
    return told.compareTo(LONGEST_DELAY) < 0 ? told : LONGEST_DELAY;
  }

  private static boolean isAttempt(GatewayError error) {
    return switch (error.code()) {
      case PROVIDER_ERROR, PROVIDER_OVERLOADED, TIMEOUT -> true;
      default -> false;
    };
  }

  private static Json.Obj errorBody(@Nullable GatewayError error) {
    GatewayError told = error == null ? GatewayError.of(ErrorCode.INTERNAL) : error;
    boolean masked = told.code() == ErrorCode.INTERNAL;
    Problem first = told.problems().isEmpty() ? null : told.problems().getFirst();
    return Json.object()
        .put("type", told.code().type())
        .put("message", masked ? told.code().message() : told.message())
        .put("param", first == null ? Json.NULL : Json.of(first.at().toString()))
        .put("error_type", told.code().type())
        .build();
  }

  /**
   * Returns usage and cost. The amount billed under an earlier lease replaces that of this lease.
   */
  private static UsageAndCost figures(Leased leased, ItemBilling billing, @Nullable Bill bill) {
    Usage usage = bill == null ? Usage.NONE : bill.usage();
    long billed = leased.billed() == Billed.NO ? billing.billedNanos() : leased.billedNanos();
    return new UsageAndCost(
        usage.promptTokens(),
        usage.completionTokens(),
        usage.cacheRead(),
        usage.reasoning(),
        billed,
        billing.overrunNanos(),
        bill != null && bill.byok() ? 1 : 0);
  }

  /**
   * Stops leasing, cancels the requests in flight so that they are postponed, and returns when no
   * request and no step is running. A step ends after the request it checks or the call of the
   * store it makes.
   */
  @Override
  public void close() {
    steps.end();
    Thread looking;
    lock.lock();
    try {
      closed = true;
      looking = thread;
      if (napping && looking != null) {
        looking.interrupt();
      }
    } finally {
      lock.unlock();
    }
    if (looking != null) {
      ThreadJoiner.joinUninterruptibly(looking);
    }
    underway.values().forEach(one -> one.cancellation.cancel(Cancellation.Cause.SHUTDOWN));
    lock.lock();
    try {
      while (!underway.isEmpty() || stepping) {
        quiet.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
