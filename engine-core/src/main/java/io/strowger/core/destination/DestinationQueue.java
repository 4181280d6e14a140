package io.strowger.core.destination;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.destination.DestinationSender.SendResult;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls that wait for one destination, and the one thread that delivers them. The queue is
 * bounded in calls and in bytes; a call is dropped and counted when the queue is full, or when it
 * cannot be delivered in time. The caller of {@link #offer} never waits.
 *
 * <p>The thread is parked while no calls come, and the first call wakes it and is delivered at
 * once. Then calls gather: after each delivery the thread sleeps for the gathering time, or until a
 * quarter of the queue is in use, and takes the calls that came meanwhile. Waking a thread on
 * another processor would cost more than everything else that queuing a call costs, so under load
 * no call wakes the thread. When nothing came for a whole gathering time the thread parks again.
 *
 * <p>With a queue on disk, calls that the destination does not accept go there, and so do calls in
 * memory while the destination fails, when memory is half full, and when the gateway closes. A
 * separate thread moves them, or the thread that delivers. Calls on disk are retried until they are
 * delivered, refused or expired.
 */
final class DestinationQueue {
  private static final Logger log = LoggerFactory.getLogger(DestinationQueue.class);

  /** The most calls that may wait. */
  static final int MAX_CALLS = 2_048;

  /**
   * The approximate number of bytes that may wait; the first call is accepted whatever its size.
   */
  static final long MAX_BYTES = 16L << 20;

  /** The most calls and bytes of one delivery. */
  private static final int BATCH_CALLS = 100;

  private static final long BATCH_BYTES = 1L << 20;

  private static final Duration INITIAL_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  /** How long a request is retried: no longer than its signature may stay valid. */
  static final Duration MAX_RETRY_TIME = Duration.ofMinutes(5);

  /** The longest pause that a destination may ask for. */
  private static final Duration MAX_REQUESTED_PAUSE = Duration.ofHours(1);

  /** The status of an answer that rejects a request as too large. */
  private static final int TOO_LARGE = 413;

  private final String id;
  private final String name; // for the log
  private final DestinationSender sender;
  private final Ambient ambient;
  private final Duration gatheringTime; // zero: calls do not gather
  private final ReentrantLock lock = new ReentrantLock();

  private final @Nullable DiskQueue disk; // null: what waits is in memory only

  // guarded by the lock
  private final ArrayDeque<QueuedCall> waitingCalls = new ArrayDeque<>();
  private long bytes; // of calls that wait, are being delivered, or are being moved to disk
  private int inDelivery;
  private int movingToDisk;
  private @Nullable Thread worker; // null before the first call and after the end
  private @Nullable Thread diskMover; // null while nothing is moved to disk
  private boolean pausing;
  private boolean gathering; // the worker sleeps, or is about to, while calls gather
  private boolean hasGathered = true; // since the last delivery; the first call is not kept waiting
  private boolean closed;
  private boolean wasFromDisk; // whether the last delivery was; memory and disk take turns

  private volatile boolean parked; // the worker has nothing to do; written under the lock
  private volatile @Nullable DestinationExporter exporter; // null: nothing can be delivered
  private volatile boolean enabled; // whether calls on disk may be delivered
  private volatile boolean abandoned;
  private volatile @Nullable Cancellation sending; // of the current exchange, or the last one
  private volatile Condition condition = Condition.ACCEPTING;
  private volatile boolean retrying; // the last request failed and will be retried
  private volatile boolean overflowing;
  private final AtomicLong deliveredCount = new AtomicLong();
  private final AtomicLong fullCount = new AtomicLong();
  private final AtomicLong refusedCount = new AtomicLong();
  private final AtomicLong failedCount = new AtomicLong();
  private final AtomicLong failureCount = new AtomicLong();

  // used by the worker only
  private Duration nextPause = INITIAL_PAUSE; // between retries of calls on disk
  private Duration pauseAfterStore = Duration.ZERO; // which the destination asked for
  private long failedSinceNanos; // nanoTime when the oldest batch on disk first failed
  private DiskQueue.@Nullable Batch failedBatch; // the batch that failed; null: none has
  private int maxFromDisk = BATCH_CALLS; // of one delivery
  private int maxFromMemory = BATCH_CALLS; // of one delivery; written under the lock
  private @Nullable Long retryNotBefore; // nanoTime before which the destination asked for no retry

  /**
   * @param name the destination's name in the log
   * @param gatheringTime how long calls are gathered between two deliveries; zero to deliver them
   *     at once
   * @param disk the queue for undelivered calls; null when there is none
   */
  DestinationQueue(
      String id,
      String name,
      DestinationSender sender,
      Ambient ambient,
      Duration gatheringTime,
      @Nullable DiskQueue disk) {
    this.id = id;
    this.name = name;
    this.sender = sender;
    this.ambient = ambient;
    this.gatheringTime = gatheringTime;
    this.disk = disk;
  }

  /** Returns whether calls can be delivered. */
  boolean isUsable() {
    return exporter != null;
  }

  /**
   * Uses this exporter from now on; null to drop all calls, except those that are or can be queued
   * on disk.
   */
  void setExporter(@Nullable DestinationExporter newExporter) {
    exporter = newExporter;
    wake();
  }

  /** Sets whether calls on disk are delivered, or stay there. */
  void setEnabled(boolean value) {
    enabled = value;
    wake();
  }

  private void wake() {
    lock.lock();
    try {
      startWorker();
    } finally {
      lock.unlock();
    }
  }

  /** Starts or wakes the worker when there is something to deliver. Called under the lock. */
  private void startWorker() {
    if (waitingCalls.isEmpty() && !mayReadDisk()) {
      return;
    }
    if (worker == null) {
      worker = ambient.start("destination-delivery", this::run);
    } else {
      unpark(worker);
    }
  }

  /** Wakes the worker if it is parked. Called under the lock. */
  private void unpark(Thread thread) {
    if (parked) {
      parked = false;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the sleep of a worker that gathers. Called under the lock. */
  private void stopGathering() {
    if (gathering && worker != null) {
      gathering = false;
      worker.interrupt();
    }
  }

  private void park() {
    while (parked) {
      LockSupport.park(this);
      Thread.interrupted(); // otherwise it would not park again
    }
  }

  private boolean mayReadDisk() {
    return disk != null && disk.calls() > 0 && enabled && exporter != null && !closed;
  }

  /** Starts moving waiting calls to disk if the disk may accept them. Called under the lock. */
  private void startMover() {
    if (disk != null && diskMover == null && !waitingCalls.isEmpty() && disk.mayAppend()) {
      diskMover = ambient.start("destination-spill", this::moveToDisk);
    }
  }

  private boolean isHalfFull() {
    return 2 * (waitingCalls.size() + inDelivery + movingToDisk) > MAX_CALLS
        || 2 * bytes > MAX_BYTES;
  }

  /**
   * Returns whether enough calls wait to end gathering. The limit is below {@link #isHalfFull}, so
   * that gathering alone moves nothing to disk.
   */
  private boolean isQuarterFull() {
    return 4 * waitingCalls.size() > MAX_CALLS || 4 * bytes > MAX_BYTES;
  }

  /** Returns whether about one full delivery waits. */
  private boolean isBatchFull() {
    return waitingCalls.size() >= maxFromMemory || bytes >= BATCH_BYTES;
  }

  /** Queues a call, or drops it. Never waits. */
  void offer(QueuedCall call) {
    long size = call.bytes();
    boolean isDropped = false;
    lock.lock();
    try {
      int count = waitingCalls.size() + inDelivery + movingToDisk;
      if (closed) {
        failedCount.incrementAndGet();
      } else if (count >= MAX_CALLS || count > 0 && bytes + size > MAX_BYTES) {
        isDropped = true;
      } else {
        waitingCalls.add(call);
        bytes += size;
        startWorker();
        if (isQuarterFull()) {
          stopGathering();
        }
      }
      if (retrying || isHalfFull()) {
        startMover();
      }
    } finally {
      lock.unlock();
    }
    if (isDropped) {
      fullCount.incrementAndGet();
      if (!overflowing) {
        overflowing = true;
        log.warn("the queue of destination {} is full: calls are dropped", name);
      }
    }
  }

  /** Moves the calls that wait in memory to disk, until none waits or the disk accepts no more. */
  private void moveToDisk() {
    List<QueuedCall> calls = List.of();
    int stored = 0;
    do {
      calls = nextCallsToMove(calls, stored);
      stored = store(calls);
    } while (!calls.isEmpty());
  }

  /** Returns the calls to move next; when there are none, the thread ends. */
  private List<QueuedCall> nextCallsToMove(List<QueuedCall> calls, int stored) {
    lock.lock();
    try {
      for (int i = calls.size() - 1; i >= stored; i--) {
        waitingCalls.addFirst(calls.get(i));
      }
      calls.subList(0, stored).forEach(call -> bytes -= call.bytes());
      List<QueuedCall> next = stored < calls.size() ? List.of() : removeBatch(BATCH_CALLS);
      movingToDisk = next.size();
      if (next.isEmpty()) {
        diskMover = null;
      }
      startWorker();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many of the calls, from the first, are on disk now. */
  private int store(List<QueuedCall> calls) {
    try {
      return disk == null || calls.isEmpty() ? 0 : disk.append(QueuedCall.traces(calls), false);
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      log.error("moving calls of destination {} to disk failed", name, bug);
      return 0;
    }
  }

  private void run() {
    try {
      deliverAll();
    } finally {
      onWorkerEnd();
    }
  }

  /** Starts a new worker when an error ended this one and calls wait. */
  private void onWorkerEnd() {
    lock.lock();
    try {
      if (worker == Thread.currentThread()) {
        worker = null;
        parked = false;
        gathering = false;
        startWorker();
      }
    } finally {
      lock.unlock();
    }
  }

  private void deliverAll() {
    while (true) {
      awaitRetryTime();
      NextStep next = takeNextStep();
      switch (next.step()) {
        case DELIVER_FROM_DISK -> deliverFromDisk();
        case DELIVER -> {
          boolean stored = false;
          try {
            stored = deliver(next.batch());
          } finally {
            releaseBatch(next.batch());
          }
          if (stored) {
            pause(
                nextPause(
                    pauseAfterStore)); // after the batch was released: it is counted on disk now
          }
        }
        case GATHER -> gather();
        case PARK -> park();
        case END -> {
          return;
        }
      }
    }
  }

  /** Sleeps while calls gather, until the time is over or enough calls wait. */
  private void gather() {
    try {
      ambient.sleep(gatheringTime);
    } catch (InterruptedException e) {
      // enough waits, or the gateway closes
    }
    lock.lock();
    try {
      gathering = false;
      Thread.interrupted(); // or it would end the next exchange
    } finally {
      lock.unlock();
    }
  }

  /** Waits as long as the destination asked for; does not wait once the gateway closes. */
  private void awaitRetryTime() {
    Long retryNanos = retryNotBefore;
    retryNotBefore = null;
    if (retryNanos != null) {
      long left = retryNanos - ambient.nanoTime();
      if (left > 0) {
        pause(Duration.ofNanos(left));
      }
    }
  }

  private void postponeRetry(Duration requestedPause) {
    if (requestedPause.isPositive()) {
      Duration bounded =
          requestedPause.compareTo(MAX_REQUESTED_PAUSE) > 0 ? MAX_REQUESTED_PAUSE : requestedPause;
      retryNotBefore = ambient.nanoTime() + bounded.toNanos();
    }
  }

  /** The next step of the worker. */
  private enum Step {
    DELIVER_FROM_DISK,
    DELIVER,
    /** Sleep for the gathering time. */
    GATHER,
    /** Wait until there is something to deliver. */
    PARK,
    /** Closed, and nothing waits. */
    END
  }

  /**
   * The next step and its calls.
   *
   * @param batch the calls from memory to deliver; empty for other steps
   */
  private record NextStep(Step step, List<QueuedCall> batch) {}

  private NextStep takeNextStep() {
    lock.lock();
    try {
      List<QueuedCall> batch = List.of();
      Step step = nextStep();
      wasFromDisk = step == Step.DELIVER_FROM_DISK;
      gathering = step == Step.GATHER;
      hasGathered = gathering || step == Step.PARK;
      parked = step == Step.PARK;
      if (step == Step.DELIVER) {
        batch = removeBatch(maxFromMemory);
      } else if (step == Step.END) {
        worker = null;
      }
      inDelivery = batch.size();
      if (waitingCalls.isEmpty()) {
        overflowing = false;
      }
      return new NextStep(step, batch);
    } finally {
      lock.unlock();
    }
  }

  /** Decides the next step of the worker. Called under the lock. */
  private Step nextStep() {
    if (mayReadDisk() && (waitingCalls.isEmpty() || retrying || !wasFromDisk)) {
      return Step.DELIVER_FROM_DISK;
    }
    if (!hasGathered && !closed && gatheringTime.isPositive() && !isBatchFull() && !mayReadDisk()) {
      return Step.GATHER;
    }
    if (!waitingCalls.isEmpty()) {
      return Step.DELIVER;
    }
    return closed ? Step.END : Step.PARK;
  }

  /** Removes the calls of one delivery from the queue. Called under the lock. */
  private List<QueuedCall> removeBatch(int maxCalls) {
    var batch = new ArrayList<QueuedCall>();
    long size = 0;
    while (!waitingCalls.isEmpty() && batch.size() < maxCalls) {
      size += waitingCalls.element().bytes();
      if (size > BATCH_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(waitingCalls.remove());
    }
    return batch;
  }

  private void releaseBatch(List<QueuedCall> batch) {
    long size = 0;
    for (QueuedCall call : batch) {
      size += call.bytes();
    }
    lock.lock();
    try {
      inDelivery = 0;
      bytes -= size;
    } finally {
      lock.unlock();
    }
  }

  /** Delivers a batch; returns whether the rest of it waits on disk now. */
  private boolean deliver(List<QueuedCall> batch) {
    DestinationExporter target = exporter;
    if (target == null || abandoned) {
      failedCount.addAndGet(batch.size() - store(batch));
      return false;
    }
    int settledCount = 0;
    try {
      long exportNanos = ambient.nanoTime();
      for (ExportRequest request : target.export(QueuedCall.traces(batch), ambient.now())) {
        List<QueuedCall> left = batch.subList(settledCount, batch.size());
        if (ambient.nanoTime() - exportNanos > MAX_RETRY_TIME.toNanos()) {
          requeue(left); // to be exported anew: the signature of this request is too old
          return false;
        }
        switch (deliver(request, target, left)) {
          case SETTLED -> settledCount += calls(request, left);
          case REEXPORT -> {
            requeue(left);
            return false;
          }
          case STORED -> {
            return true;
          }
        }
      }
      failedCount.addAndGet(batch.size() - settledCount); // the exporter left them out
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      failedCount.addAndGet(batch.size() - settledCount);
      log.error("delivering to destination {} failed", name, bug);
    }
    return false;
  }

  /** Returns how many calls a request has, limited to those that are left. */
  private static int calls(ExportRequest request, List<?> left) {
    return Math.clamp(request.calls(), 0, left.size());
  }

  /** The outcome of a request for its calls. */
  private enum Outcome {
    /** The calls are counted as delivered, refused or failed. */
    SETTLED,
    /** The calls wait on disk, with the calls after them. */
    STORED,
    /** The calls have to be exported again, with the calls after them. */
    REEXPORT
  }

  /** Tries the oldest calls on disk once, and pauses when that fails. */
  private void deliverFromDisk() {
    DiskQueue diskQueue = Objects.requireNonNull(disk);
    DestinationExporter target = exporter;
    DiskQueue.Batch batch = diskQueue.read(maxFromDisk, BATCH_BYTES);
    if (batch.readFailed()) {
      pause(nextPause(Duration.ZERO));
    }
    List<CallTrace> calls = batch.calls();
    if (target == null || calls.isEmpty()) {
      return;
    }
    int settledCount = 0;
    Duration requestedPause = null;
    boolean tooLarge = false;
    try {
      for (ExportRequest request : target.export(calls, ambient.now())) {
        List<CallTrace> left = calls.subList(settledCount, calls.size());
        AttemptResult result = trySend(request, target, calls(request, left));
        tooLarge = result.tooLarge();
        requestedPause = result.requestedPause();
        if (tooLarge || requestedPause != null) {
          break;
        }
        settledCount += calls(request, left);
      }
      if (tooLarge) {
        maxFromDisk = Math.max(1, (calls.size() - settledCount) / 2);
      } else if (requestedPause == null) {
        failedCount.addAndGet(calls.size() - settledCount); // the exporter left them out
        settledCount = calls.size();
      }
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      failedCount.addAndGet(calls.size() - settledCount);
      settledCount = calls.size(); // or the batch would be retried forever
      log.error("delivering to destination {} failed", name, bug);
    }
    diskQueue.acknowledge(batch, settledCount);
    if (requestedPause != null) {
      skipStuckBatch(diskQueue, batch, settledCount);
      moveWaitingToDisk();
      pause(nextPause(requestedPause));
    }
  }

  /**
   * Handles a batch that has failed for long: retries it call by call, and moves a failing call to
   * the end of the queue.
   */
  private void skipStuckBatch(DiskQueue diskQueue, DiskQueue.Batch batch, int settledCount) {
    DiskQueue.Batch previous = failedBatch;
    if (settledCount > 0
        || previous == null
        || previous.segment() != batch.segment()
        || previous.from() != batch.from()) {
      failedBatch = batch;
      failedSinceNanos = ambient.nanoTime();
    } else if (ambient.nanoTime() - failedSinceNanos > MAX_RETRY_TIME.toNanos()) {
      failedBatch = null;
      if (batch.calls().size() == 1 && diskQueue.calls() > 1) {
        diskQueue.acknowledge(batch, diskQueue.append(batch.calls(), true));
      }
      maxFromDisk = 1;
    }
  }

  private void moveWaitingToDisk() {
    lock.lock();
    try {
      startMover();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Retries until the destination accepts or finally rejects the request, or time is over; tries
   * only once when the rest can wait on disk.
   *
   * @param left the calls of this request and of the requests after it
   */
  private Outcome deliver(
      ExportRequest request, DestinationExporter target, List<QueuedCall> left) {
    long deadline = ambient.nanoTime() + MAX_RETRY_TIME.toNanos();
    Duration pause = INITIAL_PAUSE;
    int calls = calls(request, left);
    while (true) {
      AttemptResult result = trySend(request, target, calls);
      if (result.tooLarge()) {
        setMaxFromMemory(Math.max(1, left.size() / 2));
        return Outcome.REEXPORT;
      }
      Duration requestedPause = result.requestedPause();
      if (requestedPause == null) {
        return Outcome.SETTLED;
      }
      int stored = store(left);
      if (stored > 0) {
        requeue(left.subList(stored, left.size()));
        moveWaitingToDisk();
        pauseAfterStore = requestedPause;
        return Outcome.STORED;
      }
      Duration delay = max(withJitter(pause), requestedPause);
      boolean isTooLate = ambient.nanoTime() - deadline + delay.toNanos() > 0;
      if (isTooLate || !pause(delay)) {
        failedCount.addAndGet(calls);
        postponeRetry(requestedPause); // this applies to the next request, too
        return Outcome.SETTLED;
      }
      if (exporter != target) {
        return Outcome.REEXPORT; // the config changed: another address or key
      }
      pause = doublePause(pause);
    }
  }

  /** Puts calls back at the head of the queue; counts them as failed once the queue is closed. */
  private void requeue(List<QueuedCall> calls) {
    lock.lock();
    try {
      if (closed) {
        failedCount.addAndGet(calls.size());
        return;
      }
      for (QueuedCall call : calls.reversed()) {
        waitingCalls.addFirst(call);
        bytes += call.bytes();
      }
    } finally {
      lock.unlock();
    }
  }

  private void setMaxFromMemory(int calls) {
    lock.lock();
    try {
      maxFromMemory = calls;
    } finally {
      lock.unlock();
    }
  }

  /** How the destination treated the last request. */
  private enum Condition {
    ACCEPTING,
    /** It did not answer, or asks to be called again later: the calls are retried. */
    UNAVAILABLE,
    /** It gave a final answer: the calls are lost. */
    REFUSING
  }

  /**
   * The result of sending a request once: neither member is set when the request was accepted or
   * finally rejected.
   *
   * @param tooLarge whether the request has to be split
   * @param requestedPause the pause the destination asks for before a retry; null for no retry
   */
  private record AttemptResult(boolean tooLarge, @Nullable Duration requestedPause) {
    static final AttemptResult SETTLED = new AttemptResult(false, null);
    static final AttemptResult SPLIT = new AttemptResult(true, null);
  }

  private AttemptResult trySend(ExportRequest request, DestinationExporter target, int calls) {
    AttemptResult result = sendOnce(request, target, calls);
    retrying = result.requestedPause() != null;
    return result;
  }

  private AttemptResult sendOnce(ExportRequest request, DestinationExporter target, int calls) {
    switch (send(request)) {
      case SendResult.Answered answer -> {
        if (answer.isSuccess()) {
          onAccepted(calls, Math.clamp(target.rejectedCount(answer.body()), 0, calls));
          return AttemptResult.SETTLED;
        }
        if (answer.status() == TOO_LARGE && calls > 1) {
          return AttemptResult.SPLIT;
        }
        String reason = "answered " + answer.status();
        if (!answer.isRetryable()) {
          onFailure(Condition.REFUSING, reason);
          refusedCount.addAndGet(calls);
          return AttemptResult.SETTLED;
        }
        onFailure(Condition.UNAVAILABLE, reason);
        return new AttemptResult(
            false, Objects.requireNonNullElse(answer.retryAfter(), Duration.ZERO));
      }
      case SendResult.Unanswered unanswered -> {
        onFailure(Condition.UNAVAILABLE, unanswered.reason());
        return new AttemptResult(false, Duration.ZERO);
      }
    }
  }

  /** Returns the next pause while calls wait on disk: longer each time until one is accepted. */
  private Duration nextPause(Duration requestedPause) {
    Duration pause = withJitter(nextPause);
    nextPause = doublePause(nextPause);
    return max(
        pause,
        requestedPause.compareTo(MAX_REQUESTED_PAUSE) > 0 ? MAX_REQUESTED_PAUSE : requestedPause);
  }

  private static Duration doublePause(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
  }

  private static Duration max(Duration left, Duration right) {
    return left.compareTo(right) > 0 ? left : right;
  }

  /**
   * Sends with a new cancellation: a cancellation shared by many exchanges would retain them all.
   */
  private SendResult send(ExportRequest request) {
    var cancellation = new Cancellation();
    sending = cancellation;
    if (abandoned) {
      cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    }
    return sender.send(request, id, cancellation);
  }

  /** Returns half to all of a pause, so that many gateways do not retry at the same moment. */
  private Duration withJitter(Duration pause) {
    long half = pause.toNanos() / 2;
    return Duration.ofNanos(half + Long.remainderUnsigned(ambient.seed(), half + 1));
  }

  private void onAccepted(int calls, long rejected) {
    deliveredCount.addAndGet(calls - rejected);
    refusedCount.addAndGet(rejected);
    nextPause = INITIAL_PAUSE;
    maxFromDisk = Math.min(BATCH_CALLS, 2 * maxFromDisk);
    if (maxFromMemory < BATCH_CALLS) {
      setMaxFromMemory(maxFromMemory + 1); // slowly, because each excess costs a request
    }
    if (condition != Condition.ACCEPTING) {
      condition = Condition.ACCEPTING;
      log.info("destination {} accepts calls again", name);
    }
  }

  /** Counts a failed request; logs it when the destination treated the last one otherwise. */
  private void onFailure(Condition newCondition, String reason) {
    failureCount.incrementAndGet();
    if (condition != newCondition) {
      condition = newCondition;
      log.warn(
          newCondition == Condition.REFUSING
              ? "destination {} refuses calls; they are lost: {}"
              : "destination {} does not accept calls; they are queued and sent again later: {}",
          name,
          reason);
    }
  }

  /** Sleeps; returns false when the queue was closed before or meanwhile. */
  private boolean pause(Duration time) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      pausing = true;
    } finally {
      lock.unlock();
    }
    try {
      ambient.sleep(time);
    } catch (InterruptedException closing) {
      // checked below
    }
    lock.lock();
    try {
      pausing = false;
      Thread.interrupted(); // or the interrupt would end the next exchange
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts no more calls. Calls in memory are sent once without pauses; calls on disk stay.
   * Returns at once.
   */
  void close() {
    lock.lock();
    try {
      closed = true;
      wakeWorker();
    } finally {
      lock.unlock();
    }
  }

  /** Makes the worker notice at once that the queue was closed. Called under the lock. */
  private void wakeWorker() {
    if (worker != null && pausing) {
      worker.interrupt(); // never during an exchange
    }
    if (worker != null) {
      unpark(worker);
    }
    stopGathering();
  }

  /**
   * Ends the exchange under way. Waiting calls go to disk, or are dropped where there is no queue
   * on disk. Returns at once.
   */
  void abandon() {
    if (disk == null) {
      discard();
      return;
    }
    lock.lock();
    try {
      closed = true;
      abandoned = true;
      startWorker();
    } finally {
      lock.unlock();
    }
    cancel();
  }

  /** Drops the calls in memory and ends the exchange under way. Returns at once. */
  void discard() {
    lock.lock();
    try {
      closed = true;
      abandoned = true;
      failedCount.addAndGet(waitingCalls.size());
      for (QueuedCall call : waitingCalls) {
        bytes -= call.bytes();
      }
      waitingCalls.clear();
    } finally {
      lock.unlock();
    }
    cancel();
  }

  /** Cancels the last exchange. Call after {@link #abandoned} is set: later exchanges check it. */
  private void cancel() {
    lock.lock();
    try {
      wakeWorker();
    } finally {
      lock.unlock();
    }
    Cancellation last = sending;
    if (last != null) {
      last.cancel(Cancellation.Cause.SHUTDOWN);
    }
  }

  private @Nullable Thread runningThread() {
    lock.lock();
    try {
      return worker == null ? diskMover : worker;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a thread of this queue has not ended. */
  boolean isRunning() {
    return runningThread() != null;
  }

  /**
   * Waits until nothing is delivered and nothing is moved any more.
   *
   * @param timeout the longest wait for the current thread; null to wait until all threads have
   *     ended
   */
  void awaitEnd(@Nullable Duration timeout) {
    Thread running = runningThread();
    if (running == null) {
      return;
    }
    if (timeout == null) {
      Thread last = null;
      while (running != null && running != last) { // one thread may start the other
        ThreadJoiner.joinUninterruptibly(running);
        last = running;
        running = runningThread();
      }
      return;
    }
    try {
      running.join(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  DestinationCounts counts(String type, String workspace) {
    long queued;
    long size;
    lock.lock();
    try {
      queued = (long) waitingCalls.size() + inDelivery + movingToDisk;
      size = bytes;
    } finally {
      lock.unlock();
    }
    return new DestinationCounts(
        id,
        type,
        workspace,
        queued,
        size,
        disk == null ? 0 : disk.calls(),
        disk == null ? 0 : disk.bytes(),
        disk == null ? 0 : disk.foundAtStart(),
        deliveredCount.get(),
        fullCount.get(),
        refusedCount.get(),
        failedCount.get() + (disk == null ? 0 : disk.expired()),
        disk == null ? 0 : disk.damaged(),
        failureCount.get(),
        condition != Condition.ACCEPTING);
  }
}
