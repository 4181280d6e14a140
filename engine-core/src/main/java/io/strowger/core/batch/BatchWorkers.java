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
import io.strowger.spi.store.BatchQueue.BillingStatus;
import io.strowger.spi.store.BatchQueue.Lease;
import io.strowger.spi.store.BatchQueue.LeasedRequest;
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
 * configuration allows. The steps of a batch, such as its validation ({@link BatchSteps}), run on
 * virtual threads, too, one at a time.
 *
 * <p>A request is leased before it is answered. It gets a result or is postponed: with a delay when
 * money or capacity is missing or a provider limits the rate, and as a counted attempt when a
 * provider failed. A request that was billed in part is not postponed after an error, because a
 * second answer could not be billed; at a shutdown it is postponed all the same, and what its
 * second answer adds is not billed. Requests leased to a node that died are leased to another node
 * when the lease expires. While several workspaces have work, one workspace gets at most all
 * workers but one. Decision 59. Safe on any thread.
 */
public final class BatchWorkers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BatchWorkers.class);

  /** The interval of polling for work that another node created. */
  static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** The number of failed attempts after which a request fails for good. */
  static final int MAX_ATTEMPTS = 5;

  /** The delay after which a request that could not be paid is tried again. */
  static final Duration UNPAID_DELAY = Duration.ofSeconds(30);

  /**
   * The most batches that leasing skips because they wait for money; requests of further batches
   * are leased and tried again.
   */
  private static final int MAX_UNPAID = 1000;

  private static final Duration CAPACITY_DELAY = Duration.ofSeconds(1);
  private static final int MAX_LEASED = 100; // at a time
  private static final Duration MAX_DELAY = Duration.ofMinutes(5);

  private final Batches batches;
  private final BatchQueue queue;
  private final BatchSteps steps;
  private final Ambient ambient;
  private final int maxWorkers;
  private final Duration leaseDuration;
  private final Map<Lease, RequestInProgress> requestsInProgress = new ConcurrentHashMap<>();
  private final Map<String, Instant> unpaidBatches =
      new ConcurrentHashMap<>(); // batch id to the end of its wait
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition workDone = lock.newCondition();
  private @Nullable Thread thread; // this and the next two are guarded by the lock
  private boolean sleeping;
  private boolean wakeRequested;
  private volatile boolean closed; // written under the lock
  private volatile boolean stepRunning; // set by the polling thread, cleared when a step has ended
  private long renewedNanos; // for the polling thread only
  private boolean storeDown; // for the polling thread only

  /** A request that is being answered. */
  private record RequestInProgress(String workspace, Cancellation cancellation) {}

  public BatchWorkers(Batches batches) {
    this.batches = batches;
    this.queue = batches.store().queue();
    this.steps = new BatchSteps(batches);
    this.ambient = batches.ambient();
    this.maxWorkers = batches.settings().workers();
    this.leaseDuration = batches.settings().lease();
    batches.setWakeAction(this::wake);
  }

  /** Starts polling for work; does nothing when already started, closed, or without workers. */
  public void start() {
    lock.lock();
    try {
      if (thread == null && !closed && maxWorkers > 0) {
        renewedNanos = ambient.nanoTime();
        thread = ambient.startService("batches", this::run);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many requests of batches this node is answering at this moment. */
  public int requestsInFlight() {
    return requestsInProgress.size();
  }

  /** Wakes the polling thread, since there may be work. */
  void wake() {
    start();
    lock.lock();
    try {
      wakeRequested = true;
      Thread poller = thread;
      if (sleeping && poller != null) {
        poller.interrupt(); // never during a call of the store
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!closed) {
      boolean foundWork = false;
      try {
        foundWork = pollOnce();
        storeDown = false;
      } catch (StoreUnavailableException e) {
        if (!storeDown) {
          log.warn("batches are not processed: the store is unavailable: {}", e.getMessage());
        }
        storeDown = true;
      } catch (RuntimeException | Error bug) {
        log.error("polling for requests of batches failed and is repeated", bug);
      }
      if (!foundWork) {
        sleepUntilWoken();
      }
    }
  }

  private void sleepUntilWoken() {
    lock.lock();
    try {
      if (closed || wakeRequested) {
        wakeRequested = false;
        return;
      }
      sleeping = true;
    } finally {
      lock.unlock();
    }
    try {
      ambient.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      // there is work, or this is being closed
    } finally {
      lock.lock();
      try {
        sleeping = false;
        wakeRequested = false;
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
  private boolean pollOnce() {
    renew();
    boolean foundWork = startStep();
    int freeWorkers = maxWorkers - requestsInProgress.size();
    if (freeWorkers > 0) {
      Set<Lease> previousLeases = Set.copyOf(requestsInProgress.keySet());
      for (LeasedRequest leased : lease(freeWorkers)) {
        begin(leased, previousLeases);
        foundWork = true;
      }
    }
    return foundWork;
  }

  /**
   * Leases requests. Workspaces that already have their maximum come last. Since all requests that
   * are leased at once may belong to one workspace, no more are leased than the busiest workspace
   * below its maximum may still take.
   */
  private List<LeasedRequest> lease(int freeWorkers) {
    int maxPerWorkspace = Math.max(1, maxWorkers - 1);
    var countByWorkspace = new HashMap<String, Integer>();
    requestsInProgress
        .values()
        .forEach(entry -> countByWorkspace.merge(entry.workspace, 1, Integer::sum));
    var fullWorkspaces = new HashSet<String>();
    int count = Math.min(freeWorkers, MAX_LEASED);
    for (Map.Entry<String, Integer> entry : countByWorkspace.entrySet()) {
      if (entry.getValue() >= maxPerWorkspace) {
        fullWorkspaces.add(entry.getKey());
      } else {
        count = Math.min(count, maxPerWorkspace - entry.getValue());
      }
    }
    Instant now = ambient.now();
    unpaidBatches.values().removeIf(until -> !until.isAfter(now));
    var order = new BatchQueue.LeaseOrder(fullWorkspaces, unpaidBatches.keySet());
    return queue.lease(
        Math.min(count, maxPerWorkspace),
        now,
        now.plus(leaseDuration),
        now.minus(leaseDuration),
        order);
  }

  /** Renews the leases three times per lease period, and cancels requests whose lease is lost. */
  private void renew() {
    long now = ambient.nanoTime();
    if (now - renewedNanos < leaseDuration.toNanos() / 3 || requestsInProgress.isEmpty()) {
      return;
    }
    renewedNanos = now;
    Set<Lease> leases = new HashSet<>(requestsInProgress.keySet());
    Set<Lease> renewedLeases = queue.renew(leases, ambient.now().plus(leaseDuration));
    leases.removeAll(renewedLeases);
    for (Lease lostLease : leases) {
      RequestInProgress request = requestsInProgress.get(lostLease);
      if (request != null) {
        request.cancellation.cancel(Cancellation.Cause.CLOSED);
      }
    }
  }

  private boolean startStep() {
    if (stepRunning || closed) {
      return false;
    }
    Instant now = ambient.now();
    Batch batch = queue.leaseStep(now, now.plus(leaseDuration));
    if (batch == null) {
      return false;
    }
    stepRunning = true;
    launch("batch-step", () -> steps.run(batch), () -> stepRunning = false);
    return true;
  }

  /**
   * Begins a request, or postpones it when another thread of this process was still working on it
   * under a lost lease: that thread may have billed it since, and the store sees the process as one
   * node.
   */
  private void begin(LeasedRequest leased, Set<Lease> previousLeases) {
    Lease newLease = leased.lease();
    for (Lease previous : previousLeases) {
      if (previous.batch().equals(newLease.batch()) && previous.number() == newLease.number()) {
        queue.postpone(newLease, ambient.now().plus(CAPACITY_DELAY), false);
        return;
      }
    }
    var cancellation = new Cancellation();
    requestsInProgress.put(
        leased.lease(), new RequestInProgress(leased.batch().workspace(), cancellation));
    launch(
        "batch-request",
        () -> process(leased, cancellation),
        () -> requestsInProgress.remove(leased.lease()));
  }

  /**
   * Runs work on a thread of its own, and wakes the polling thread when it has ended.
   *
   * @param atEnd run when the work has ended, and when no thread could be started for it
   */
  private void launch(String name, Runnable work, Runnable atEnd) {
    try {
      ambient.start(
          name,
          () -> {
            try {
              work.run();
            } catch (StoreUnavailableException e) {
              log.debug("{} is repeated: the store is unavailable: {}", name, e.getMessage());
            } catch (RuntimeException | Error bug) {
              log.error("{} failed and is repeated", name, bug);
            } finally {
              atEnd.run();
              signalWorkDone();
              wake();
            }
          });
    } catch (RuntimeException | Error notStarted) {
      atEnd.run();
      throw notStarted;
    }
  }

  private void signalWorkDone() {
    lock.lock();
    try {
      workDone.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void process(LeasedRequest leased, Cancellation cancellation) {
    var batch = new SavedBatch(leased.batch());
    Caller caller = batches.currentCaller(batch.key());
    if (caller == null) {
      BatchSteps.cancel(batches, batch);
      queue.postpone(leased.lease(), ambient.now(), false);
      return;
    }
    String id = GenerationId.ofBatch(ambient.now(), ambient.seed(), ambient.seed());
    var billing = new ItemBilling(queue, leased.lease(), id, leased.billingStatus());
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
      finishOrPostpone(leased, id, billing, answer);
    }
  }

  /** Returns whether this node is shutting down or has lost the lease. */
  private static boolean isGivenUp(Cancellation.@Nullable Cause cause) {
    return cause == Cancellation.Cause.SHUTDOWN || cause == Cancellation.Cause.CLOSED;
  }

  private void finishOrPostpone(
      LeasedRequest leased, String id, ItemBilling billing, ItemAnswer answer) {
    GatewayError error = answer.error();
    if (error != null && billing.billedNanoUsd() == 0) {
      Duration delay = delay(error, leased.attempts());
      if (delay != null) {
        if (isUnpaid(error)) {
          suspendIfUnpayable(new SavedBatch(leased.batch()));
        }
        queue.postpone(leased.lease(), ambient.now().plus(delay), countsAsAttempt(error));
        return;
      }
    }
    byte[] response = answer.body();
    byte[] body = response == null ? errorBody(error).toBytes() : response;
    UsageAndCost usageAndCost = usageAndCost(leased, billing, answer.bill());
    queue.finish(leased.lease(), new Result(response != null, id, body, usageAndCost));
  }

  /**
   * Returns the delay before a request is tried again; null when it has failed for good. Waiting
   * for money or capacity is not an attempt and is bounded only by the batch's own deadline.
   */
  private static @Nullable Duration delay(GatewayError error, int attempts) {
    return switch (error.code()) {
      case PAYMENT_REQUIRED, BUDGET_EXCEEDED -> UNPAID_DELAY;
      case RATE_LIMIT_EXCEEDED, CAPACITY_EXHAUSTED, UNAVAILABLE, TEMPORARILY_UNAVAILABLE ->
          retryDelay(error);
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
  private void suspendIfUnpayable(SavedBatch batch) {
    Caller caller = batches.currentCaller(batch.key());
    Charge minBudget = batch.minBudget();
    if (caller != null
        && minBudget != null
        && unpaidBatches.size() < MAX_UNPAID
        && batches.quotes().shortfall(caller, minBudget) != null) {
      unpaidBatches.put(batch.id(), ambient.now().plus(UNPAID_DELAY));
    }
  }

  private static Duration retryDelay(GatewayError error) {
    Duration hint =
        Duration.ofSeconds(error.retryAfterSeconds().orElse(CAPACITY_DELAY.toSeconds()));
    return hint.compareTo(MAX_DELAY) < 0 ? hint : MAX_DELAY;
  }

  private static boolean countsAsAttempt(GatewayError error) {
    return switch (error.code()) {
      case PROVIDER_ERROR, PROVIDER_OVERLOADED, TIMEOUT -> true;
      default -> false;
    };
  }

  private static Json.Obj errorBody(@Nullable GatewayError error) {
    GatewayError shownError = error == null ? GatewayError.of(ErrorCode.INTERNAL) : error;
    boolean isMasked = shownError.code() == ErrorCode.INTERNAL;
    Problem first = shownError.problems().isEmpty() ? null : shownError.problems().getFirst();
    return Json.object()
        .put("type", shownError.code().type())
        .put("message", isMasked ? shownError.code().message() : shownError.message())
        .put("param", first == null ? Json.NULL : Json.of(first.pointer().toString()))
        .put("error_type", shownError.code().type())
        .build();
  }

  /**
   * Returns usage and cost. The amount billed under an earlier lease replaces that of this lease.
   */
  private static UsageAndCost usageAndCost(
      LeasedRequest leased, ItemBilling billing, @Nullable Bill bill) {
    Usage usage = bill == null ? Usage.NONE : bill.usage();
    long billed =
        leased.billingStatus() == BillingStatus.NOT_BILLED
            ? billing.billedNanoUsd()
            : leased.claimedNanoUsd();
    return new UsageAndCost(
        usage.promptTokens(),
        usage.completionTokens(),
        usage.cacheRead(),
        usage.reasoning(),
        billed,
        billing.overrunNanoUsd(),
        bill != null && bill.byok() ? 1 : 0);
  }

  /**
   * Stops leasing, cancels the requests in flight so that they are postponed, and returns when no
   * request and no step is running. A step that is under way ends after the request that it checks,
   * or after its call of the store.
   */
  @Override
  public void close() {
    steps.stop();
    Thread poller;
    lock.lock();
    try {
      closed = true;
      poller = thread;
      if (sleeping && poller != null) {
        poller.interrupt();
      }
    } finally {
      lock.unlock();
    }
    if (poller != null) {
      ThreadJoiner.joinUninterruptibly(poller);
    }
    requestsInProgress
        .values()
        .forEach(one -> one.cancellation.cancel(Cancellation.Cause.SHUTDOWN));
    lock.lock();
    try {
      while (!requestsInProgress.isEmpty() || stepRunning) {
        workDone.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
