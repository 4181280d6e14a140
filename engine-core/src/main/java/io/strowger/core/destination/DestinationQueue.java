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
 * The calls that wait for one destination, with the threads that deliver and store them. The queue
 * is bounded in calls and in bytes. A call is dropped and counted when the queue is full, or when
 * it cannot be delivered in time. The caller of {@link #offer} never waits.
 *
 * <p>There are two threads, each started when it is needed. The <i>worker</i> delivers calls, from
 * memory and from disk in turn; it ends when the queue is closed and no call waits in memory. The
 * <i>mover</i> moves calls from memory to disk; it ends when none waits, or when the disk accepts
 * no more. One lock guards the calls in memory and the states of both threads. Neither thread holds
 * the lock while it sends a request, uses the disk or sleeps.
 *
 * <p>The worker parks while no calls come; the first call wakes it and is delivered at once. Then
 * calls gather: after each delivery the worker sleeps for the gathering time, or until a quarter of
 * the queue is in use, and then delivers the calls that came meanwhile. Waking a thread on another
 * processor would cost more than everything else that queuing a call costs, so under load no call
 * wakes the worker. When nothing came for a whole gathering time, the worker parks again.
 *
 * <p>With a queue on disk, the worker stores the calls of a request that failed, and the mover
 * stores waiting calls while the destination fails or memory is half full. After {@link #close},
 * the worker sends the calls in memory once and stores those that cannot be delivered; after {@link
 * #abandon}, it stores them without sending. Calls on disk are retried until they are delivered,
 * refused or expired.
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
  private int inDeliveryCount; // the number of calls from memory that are being delivered
  private int movingToDiskCount; // the number of calls that the mover is storing
  private @Nullable Thread worker; // null before the first call and after the end
  private @Nullable Thread diskMover; // null while nothing is moved to disk
  private boolean pausing; // the worker sleeps before a retry, or is about to
  private boolean gathering; // the worker sleeps, or is about to, while calls gather
  // whether the worker gathered or parked since the last delivery; true at first, so that the first
  // call is sent at once
  private boolean hasGathered = true;
  private boolean closed; // no more calls are accepted
  // whether the last step of the worker was a delivery from disk; memory and disk take turns
  private boolean wasFromDisk;

  private volatile boolean parked; // the worker has nothing to do; written under the lock
  private volatile @Nullable DestinationExporter exporter; // null: nothing can be delivered
  private volatile boolean enabled; // whether calls on disk may be delivered
  private volatile boolean abandoned; // closed, and nothing is sent any more
  private volatile @Nullable Cancellation lastCancellation; // of the current or the last request
  private volatile Condition condition = Condition.ACCEPTING; // of the destination
  private volatile boolean retrying; // the last request failed and will be retried
  private volatile boolean overflowing; // calls were dropped since the queue was last empty
  private final AtomicLong deliveredCount = new AtomicLong();
  private final AtomicLong droppedFullCount = new AtomicLong(); // the queue was full
  private final AtomicLong droppedRefusedCount = new AtomicLong(); // refused for good
  private final AtomicLong droppedFailedCount = new AtomicLong(); // not delivered in time
  private final AtomicLong failedRequestCount = new AtomicLong(); // requests, not calls

  // used by the worker only
  private Duration nextDiskPause = INITIAL_PAUSE; // before the next retry of calls on disk
  private Duration pauseAfterStore = Duration.ZERO; // requested by the destination
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
    onSettingChanged();
  }

  /** Sets whether calls on disk are delivered, or stay there. */
  void setEnabled(boolean value) {
    enabled = value;
    onSettingChanged();
  }

  /** Starts or wakes the worker after a setting changed, when there is something to deliver. */
  private void onSettingChanged() {
    lock.lock();
    try {
      startOrUnparkWorker();
    } finally {
      lock.unlock();
    }
  }

  /** Starts or wakes the worker when there is something to deliver. Called under the lock. */
  private void startOrUnparkWorker() {
    if (waitingCalls.isEmpty() && !mayReadDisk()) {
      return;
    }
    if (worker == null) {
      worker = ambient.start("destination-delivery", this::runWorker);
    } else {
      unparkIfParked(worker);
    }
  }

  /** Wakes the worker if it is parked. Called under the lock. */
  private void unparkIfParked(Thread thread) {
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

  /** Parks the worker until it is woken. */
  private void park() {
    while (parked) {
      LockSupport.park(this);
      Thread.interrupted(); // otherwise it would not park again
    }
  }

  /** Returns whether calls on disk may be delivered now. Called under the lock. */
  private boolean mayReadDisk() {
    return disk != null && disk.calls() > 0 && enabled && exporter != null && !closed;
  }

  /** Starts moving waiting calls to disk if the disk may accept them. Called under the lock. */
  private void startMover() {
    if (disk != null && diskMover == null && !waitingCalls.isEmpty() && disk.mayAppend()) {
      diskMover = ambient.start("destination-spill", this::runMover);
    }
  }

  /** Returns whether half of the calls or bytes is in use. Called under the lock. */
  private boolean isHalfFull() {
    return 2 * (waitingCalls.size() + inDeliveryCount + movingToDiskCount) > MAX_CALLS
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
      int count = waitingCalls.size() + inDeliveryCount + movingToDiskCount;
      if (closed) {
        droppedFailedCount.incrementAndGet();
      } else if (count >= MAX_CALLS || count > 0 && bytes + size > MAX_BYTES) {
        isDropped = true;
      } else {
        waitingCalls.add(call);
        bytes += size;
        startOrUnparkWorker();
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
      droppedFullCount.incrementAndGet();
      if (!overflowing) {
        overflowing = true;
        log.warn("the queue of destination {} is full: calls are dropped", name);
      }
    }
  }

  /**
   * Runs the mover: moves the calls that wait in memory to disk, until none waits or the disk
   * accepts no more.
   */
  private void runMover() {
    List<QueuedCall> calls = List.of();
    int stored = 0;
    do {
      calls = nextCallsToMove(calls, stored);
      stored = store(calls);
    } while (!calls.isEmpty());
  }

  /**
   * Puts back the calls that were not stored, and returns the calls to move next. When there are
   * none, the mover ends.
   *
   * @param calls the calls that were to be moved last
   * @param stored how many of them, from the first, are on disk
   */
  private List<QueuedCall> nextCallsToMove(List<QueuedCall> calls, int stored) {
    lock.lock();
    try {
      for (int i = calls.size() - 1; i >= stored; i--) {
        waitingCalls.addFirst(calls.get(i));
      }
      calls.subList(0, stored).forEach(call -> bytes -= call.bytes());
      List<QueuedCall> next = stored < calls.size() ? List.of() : removeBatch(BATCH_CALLS);
      movingToDiskCount = next.size();
      if (next.isEmpty()) {
        diskMover = null;
      }
      startOrUnparkWorker();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Stores calls on disk, and returns how many of them, from the first, are there now. */
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

  /** Runs the worker. */
  private void runWorker() {
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
        startOrUnparkWorker();
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
        case DELIVER_FROM_MEMORY -> {
          boolean stored = false;
          try {
            stored = deliver(next.batch());
          } finally {
            releaseBatch(next.batch());
          }
          if (stored) {
            // only now: the batch must not count as in memory while the worker sleeps
            pause(takeNextPause(pauseAfterStore));
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
      Thread.interrupted(); // or the interrupt would end the next request
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

  /** Keeps the pause that the destination asked for, until the worker takes its next step. */
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
    /** Deliver calls from memory. */
    DELIVER_FROM_MEMORY,
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

  /** Decides the next step of the worker and takes its calls from the queue. */
  private NextStep takeNextStep() {
    lock.lock();
    try {
      List<QueuedCall> batch = List.of();
      Step step = nextStep();
      wasFromDisk = step == Step.DELIVER_FROM_DISK;
      gathering = step == Step.GATHER;
      hasGathered = gathering || step == Step.PARK;
      parked = step == Step.PARK;
      if (step == Step.DELIVER_FROM_MEMORY) {
        batch = removeBatch(maxFromMemory);
      } else if (step == Step.END) {
        worker = null;
      }
      inDeliveryCount = batch.size();
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
      return Step.DELIVER_FROM_MEMORY;
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

  /** Ends the delivery of a batch: its calls and bytes no longer count as in memory. */
  private void releaseBatch(List<QueuedCall> batch) {
    long size = 0;
    for (QueuedCall call : batch) {
      size += call.bytes();
    }
    lock.lock();
    try {
      inDeliveryCount = 0;
      bytes -= size;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Delivers a batch from memory. Returns whether a request failed and the rest of the batch was
   * stored on disk.
   */
  private boolean deliver(List<QueuedCall> batch) {
    DestinationExporter target = exporter;
    if (target == null || abandoned) {
      droppedFailedCount.addAndGet(batch.size() - store(batch));
      return false;
    }
    int settledCount = 0;
    try {
      long exportNanos = ambient.nanoTime();
      for (ExportRequest request : target.export(QueuedCall.traces(batch), ambient.now())) {
        List<QueuedCall> left = batch.subList(settledCount, batch.size());
        if (ambient.nanoTime() - exportNanos > MAX_RETRY_TIME.toNanos()) {
          requeue(left); // to be exported again: the signature of this request is too old
          return false;
        }
        switch (deliver(request, target, left)) {
          case SETTLED -> settledCount += callCount(request, left);
          case REEXPORT -> {
            requeue(left);
            return false;
          }
          case STORED -> {
            return true;
          }
        }
      }
      droppedFailedCount.addAndGet(batch.size() - settledCount); // the exporter left them out
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      droppedFailedCount.addAndGet(batch.size() - settledCount);
      log.error("delivering to destination {} failed", name, bug);
    }
    return false;
  }

  /** Returns how many calls a request has, at most as many as are left of its batch. */
  private static int callCount(ExportRequest request, List<?> left) {
    return Math.clamp(request.calls(), 0, left.size());
  }

  /** What became of the calls of a request from memory. */
  private enum Outcome {
    /** The calls are counted as delivered, refused or failed. */
    SETTLED,
    /**
     * The calls wait on disk, with the calls after them; those that the disk did not take are in
     * memory again.
     */
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
      pause(takeNextPause(Duration.ZERO));
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
        AttemptResult result = trySend(request, target, callCount(request, left));
        tooLarge = result.tooLarge();
        requestedPause = result.requestedPause();
        if (tooLarge || requestedPause != null) {
          break;
        }
        settledCount += callCount(request, left);
      }
      if (tooLarge) {
        maxFromDisk = Math.max(1, (calls.size() - settledCount) / 2);
      } else if (requestedPause == null) {
        droppedFailedCount.addAndGet(calls.size() - settledCount); // the exporter left them out
        settledCount = calls.size();
      }
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      droppedFailedCount.addAndGet(calls.size() - settledCount);
      settledCount = calls.size(); // or the batch would be retried forever
      log.error("delivering to destination {} failed", name, bug);
    }
    diskQueue.acknowledge(batch, settledCount);
    if (requestedPause != null) {
      onBatchFailure(diskQueue, batch, settledCount);
      requestMove();
      pause(takeNextPause(requestedPause));
    }
  }

  /**
   * Handles a batch from disk that failed. When it has failed for long, it is retried call by call,
   * and a single call that still fails is moved to the end of the queue.
   */
  private void onBatchFailure(DiskQueue diskQueue, DiskQueue.Batch batch, int settledCount) {
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

  /** Starts the mover if calls wait and the disk may accept them. */
  private void requestMove() {
    lock.lock();
    try {
      startMover();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a request of a batch from memory. With a queue on disk, a failure has the rest of the
   * batch stored there. Otherwise, or if the disk accepts nothing, retries until the destination
   * accepts the request or rejects it for good, or time is over.
   *
   * @param left the calls of this request and of the requests after it
   */
  private Outcome deliver(
      ExportRequest request, DestinationExporter target, List<QueuedCall> left) {
    long deadline = ambient.nanoTime() + MAX_RETRY_TIME.toNanos();
    Duration pause = INITIAL_PAUSE;
    int calls = callCount(request, left);
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
        requestMove();
        pauseAfterStore = requestedPause;
        return Outcome.STORED;
      }
      Duration delay = max(withJitter(pause), requestedPause);
      boolean isTooLate = ambient.nanoTime() - deadline + delay.toNanos() > 0;
      if (isTooLate || !pause(delay)) {
        droppedFailedCount.addAndGet(calls);
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
        droppedFailedCount.addAndGet(calls.size());
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
   * The result of sending a request once. Neither member is set when the request was accepted or
   * rejected for good.
   *
   * @param tooLarge whether the request has to be split
   * @param requestedPause null not to retry; otherwise the pause that the destination asks for
   *     before a retry, zero when it asks for none
   */
  private record AttemptResult(boolean tooLarge, @Nullable Duration requestedPause) {
    static final AttemptResult SETTLED = new AttemptResult(false, null);
    static final AttemptResult SPLIT = new AttemptResult(true, null);
  }

  /** Sends a request once, and records whether it will be retried. */
  private AttemptResult trySend(ExportRequest request, DestinationExporter target, int calls) {
    AttemptResult result = sendAndCount(request, target, calls);
    retrying = result.requestedPause() != null;
    return result;
  }

  /** Sends a request once, and counts its calls unless they are sent again. */
  private AttemptResult sendAndCount(ExportRequest request, DestinationExporter target, int calls) {
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
          droppedRefusedCount.addAndGet(calls);
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

  /**
   * Returns the pause before the next retry while calls wait on disk, and doubles the pause after
   * that. Each accepted request makes it short again.
   */
  private Duration takeNextPause(Duration requestedPause) {
    Duration pause = withJitter(nextDiskPause);
    nextDiskPause = doublePause(nextDiskPause);
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
   * Sends a request with a cancellation of its own: a cancellation shared by many requests would
   * retain them all.
   */
  private SendResult send(ExportRequest request) {
    var cancellation = new Cancellation();
    lastCancellation = cancellation;
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
    droppedRefusedCount.addAndGet(rejected);
    nextDiskPause = INITIAL_PAUSE;
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
    failedRequestCount.incrementAndGet();
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

  /** Sleeps until the time is over or the queue is closed. Returns false when it is closed. */
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
      Thread.interrupted(); // or the interrupt would end the next request
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts no more calls. Calls in memory are sent once, without pauses, and go to disk if they
   * cannot be delivered; calls on disk stay. Returns at once.
   */
  void close() {
    lock.lock();
    try {
      closed = true;
      endWorkerWait();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the wait of a parked, pausing or gathering worker, so that it notices at once that the
   * queue was closed. Called under the lock.
   */
  private void endWorkerWait() {
    if (worker != null && pausing) {
      worker.interrupt(); // never while a request is sent
    }
    if (worker != null) {
      unparkIfParked(worker);
    }
    stopGathering();
  }

  /**
   * Closes the queue and ends the HTTP request that is being sent. Waiting calls go to disk, or are
   * dropped where there is no queue on disk. Returns at once.
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
      startOrUnparkWorker();
    } finally {
      lock.unlock();
    }
    stopSending();
  }

  /**
   * Closes the queue, drops the calls in memory and ends the HTTP request that is being sent.
   * Returns at once.
   */
  void discard() {
    lock.lock();
    try {
      closed = true;
      abandoned = true;
      droppedFailedCount.addAndGet(waitingCalls.size());
      for (QueuedCall call : waitingCalls) {
        bytes -= call.bytes();
      }
      waitingCalls.clear();
    } finally {
      lock.unlock();
    }
    stopSending();
  }

  /**
   * Wakes the worker and cancels the current request. Call after {@link #abandoned} is set: later
   * requests check it.
   */
  private void stopSending() {
    lock.lock();
    try {
      endWorkerWait();
    } finally {
      lock.unlock();
    }
    Cancellation last = lastCancellation;
    if (last != null) {
      last.cancel(Cancellation.Cause.SHUTDOWN);
    }
  }

  /** Returns the worker, or the mover if there is no worker; null if neither runs. */
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
   * @param timeout how long to wait for the worker, or for the mover if there is no worker; null to
   *     wait until both have ended
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
      queued = (long) waitingCalls.size() + inDeliveryCount + movingToDiskCount;
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
        droppedFullCount.get(),
        droppedRefusedCount.get(),
        droppedFailedCount.get() + (disk == null ? 0 : disk.expired()),
        disk == null ? 0 : disk.damaged(),
        failedRequestCount.get(),
        condition != Condition.ACCEPTING);
  }
}
