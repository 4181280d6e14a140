package io.strowger.core.destination;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.destination.CountingSender.Result;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls that wait for one destination, and the two threads that deliver them and store them on
 * disk. A call that cannot be delivered in time is dropped and counted, and so is a call that finds
 * the queue full. The caller of {@link #offer} never waits.
 *
 * <p>The <i>worker</i> delivers calls from memory and from disk in turn. It starts with the first
 * call, parks while nothing waits, and ends when the queue is closed. The <i>mover</i> moves calls
 * from memory to disk. It starts when the destination fails or memory is half full, and ends when
 * no call waits in memory or the disk accepts no more.
 *
 * <p>A call that finds the worker parked is delivered at once. After a delivery the worker sleeps
 * for the gathering time, so that further calls gather and are delivered together. It sleeps less
 * when a quarter of the queue is in use. Calls that come meanwhile wake no thread, because waking
 * one would cost more than all else that {@link #offer} does. When no call came for a whole
 * gathering time, the worker parks again.
 *
 * <p>When a delivery from memory fails, its calls are stored on disk; without a queue on disk, they
 * are tried again for five minutes. After {@link #close}, the worker sends the calls in memory once
 * and stores those that failed. After {@link #abandon}, it stores them without sending.
 *
 * <p>One lock guards the calls in memory and the states of both threads. No thread holds it while
 * it sends, uses the disk or sleeps.
 */
final class DestinationQueue {
  private static final Logger log = LoggerFactory.getLogger(DestinationQueue.class);

  /** How long a request is retried: no longer than its signature may stay valid. */
  static final Duration MAX_RETRY_TIME = Duration.ofMinutes(5);

  private final String id;
  private final String name; // for the log
  private final Ambient ambient;
  private final Duration gatheringTime; // zero: calls do not gather
  private final DeliveryCounts counts;
  private final CountingSender sender;
  private final @Nullable DiskQueue disk; // null: what waits is in memory only
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by the lock
  private final WaitingCalls waitingCalls = new WaitingCalls();
  private @Nullable Thread worker; // null before the first call and after the end
  private @Nullable Thread mover; // null while nothing is moved to disk
  private boolean pausing; // the worker sleeps before a retry, or is about to
  private boolean gathering; // the worker sleeps, or is about to, while calls gather
  // whether the worker gathered or parked since the last delivery; true at first, so that the first
  // call is sent at once
  private boolean hasGathered = true;
  private boolean wasFromDisk; // whether the worker's last step was a delivery from disk
  private boolean closed; // no more calls are accepted

  private volatile boolean parked; // the worker has nothing to do; written under the lock
  private volatile @Nullable DestinationExporter exporter; // null: nothing can be delivered
  private volatile boolean enabled; // whether calls on disk may be delivered

  // used by the worker only
  private final RetryBackoff backoff;
  private final CallExport callExport;
  private final @Nullable DiskDelivery diskDelivery; // null without a queue on disk

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
    this.ambient = ambient;
    this.gatheringTime = gatheringTime;
    this.disk = disk;
    this.counts = new DeliveryCounts(name);
    this.sender = new CountingSender(id, sender, counts);
    this.backoff = new RetryBackoff(ambient);
    this.callExport = new CallExport(name, ambient);
    this.diskDelivery =
        disk == null ? null : new DiskDelivery(name, disk, this.sender, counts, backoff, ambient);
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
    if (!waitingCalls.hasWaiting() && !mayReadDisk()) {
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
    if (disk != null && mover == null && waitingCalls.hasWaiting() && disk.mayAppend()) {
      mover = ambient.start("destination-spill", this::runMover);
    }
  }

  /** Queues a call, or drops it. Never waits. */
  void offer(QueuedCall call) {
    boolean isFull = false;
    lock.lock();
    try {
      if (closed) {
        counts.addGivenUp(1);
      } else if (waitingCalls.add(call)) {
        startOrUnparkWorker();
        // a quarter is less than the half at which calls go to disk: gathering alone moves none
        if (waitingCalls.isQuarterFull()) {
          stopGathering();
        }
      } else {
        isFull = true;
      }
      if (sender.isRetrying() || waitingCalls.isHalfFull()) {
        startMover();
      }
    } finally {
      lock.unlock();
    }
    if (isFull) {
      counts.addOverflow();
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
   * Ends the storage of the last calls and returns the calls to move next. When there are none, the
   * mover ends.
   *
   * @param calls the calls that were to be moved last
   * @param stored how many of them, from the first, are on disk
   */
  private List<QueuedCall> nextCallsToMove(List<QueuedCall> calls, int stored) {
    lock.lock();
    try {
      waitingCalls.endStorage(calls, stored);
      List<QueuedCall> next = stored < calls.size() ? List.of() : waitingCalls.takeForStorage();
      if (next.isEmpty()) {
        mover = null;
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
      pause(backoff.takeRemaining());
      NextStep next = takeNextStep();
      switch (next.step()) {
        case DELIVER_FROM_DISK -> deliverFromDisk();
        case DELIVER_FROM_MEMORY -> deliverFromMemory(next.batch());
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
        batch = waitingCalls.takeForDelivery();
      } else if (step == Step.END) {
        worker = null;
      }
      if (!waitingCalls.hasWaiting()) {
        counts.onQueueEmpty();
      }
      return new NextStep(step, batch);
    } finally {
      lock.unlock();
    }
  }

  /** Decides the next step of the worker. Called under the lock. */
  private Step nextStep() {
    if (mayReadDisk() && (!waitingCalls.hasWaiting() || sender.isRetrying() || !wasFromDisk)) {
      return Step.DELIVER_FROM_DISK;
    }
    if (!hasGathered
        && !closed
        && gatheringTime.isPositive()
        && !waitingCalls.hasFullBatch()
        && !mayReadDisk()) {
      return Step.GATHER;
    }
    if (waitingCalls.hasWaiting()) {
      return Step.DELIVER_FROM_MEMORY;
    }
    return closed ? Step.END : Step.PARK;
  }

  private void deliverFromDisk() {
    DestinationExporter target = exporter;
    if (diskDelivery != null && target != null) {
      diskDelivery.deliver(target);
      if (sender.isRetrying()) {
        requestMove();
      }
    }
  }

  private void deliverFromMemory(List<QueuedCall> batch) {
    try {
      deliver(batch);
    } finally {
      lock.lock();
      try {
        waitingCalls.endDelivery();
      } finally {
        lock.unlock();
      }
    }
  }

  private void deliver(List<QueuedCall> batch) {
    DestinationExporter target = exporter;
    if (target == null || sender.isStopped()) {
      counts.addGivenUp(batch.size() - store(batch));
      return;
    }
    long exportNanos = ambient.nanoTime();
    List<ExportRequest> requests = requests(batch, target);
    if (requests == null) {
      onExportFailure(batch);
      return;
    }
    int settled = 0;
    try {
      for (ExportRequest request : requests) {
        List<QueuedCall> left = batch.subList(settled, batch.size());
        if (ambient.nanoTime() - exportNanos > MAX_RETRY_TIME.toNanos()) {
          putBack(left); // to be exported again: the signature of this request is too old
          return;
        }
        int calls = Math.clamp(request.calls(), 0, left.size());
        switch (deliver(request, target, calls, left)) {
          case SETTLED -> settled += calls;
          case EXPORT_AGAIN -> {
            putBack(left);
            return;
          }
          case GIVEN_UP -> {
            putBack(left.subList(calls, left.size()));
            return;
          }
          case STORED -> {
            return;
          }
        }
      }
      counts.addGivenUp(batch.size() - settled); // the exporter left them out
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      counts.addGivenUp(batch.size() - settled);
      log.error("delivering to destination {} failed", name, bug);
    }
  }

  /** Returns the requests that carry calls; null when the exporter or the memory fails. */
  private @Nullable List<ExportRequest> requests(
      List<QueuedCall> batch, DestinationExporter target) {
    try {
      return callExport.requests(target, QueuedCall.traces(batch));
    } catch (OutOfMemoryError e) {
      log.error("there is no memory to export calls to destination {}", name, e);
      return null;
    }
  }

  /** Exports calls again in smaller parts, so that only those are lost for which that fails. */
  private void onExportFailure(List<QueuedCall> batch) {
    if (batch.size() == 1) {
      counts.addGivenUp(1);
      return;
    }
    lock.lock();
    try {
      waitingCalls.setMaxDelivery(batch.size() / 2);
      waitingCalls.putBack(batch); // also once closed, since nothing was sent yet
    } finally {
      lock.unlock();
    }
  }

  /** What became of a request from memory. */
  private enum Outcome {
    /** Its calls are counted as delivered, refused or failed. */
    SETTLED,
    /** Its calls and those after them wait on disk, or in memory if the disk did not take them. */
    STORED,
    /** Its calls and those after them have to be exported again. */
    EXPORT_AGAIN,
    /** Its calls are counted as failed; those after them wait as long as the destination asks. */
    GIVEN_UP
  }

  /**
   * Delivers a request from memory. If it fails, its calls and those after them are stored on disk,
   * and a pause begins. Without a queue on disk, or when the disk accepts nothing, the request is
   * sent again until the destination accepts or refuses it, or {@link #MAX_RETRY_TIME} is over.
   *
   * @param calls the number of calls in the request
   * @param left the calls of this request and of the requests after it
   */
  private Outcome deliver(
      ExportRequest request, DestinationExporter target, int calls, List<QueuedCall> left) {
    long deadline = ambient.nanoTime() + MAX_RETRY_TIME.toNanos();
    while (true) {
      Result result = sender.send(request, target, calls);
      switch (result.verdict()) {
        case ACCEPTED -> {
          backoff.reset();
          growMaxDelivery();
          return Outcome.SETTLED;
        }
        case REFUSED -> {
          return Outcome.SETTLED;
        }
        case TOO_LARGE -> {
          setMaxDelivery(Math.max(1, left.size() / 2));
          return Outcome.EXPORT_AGAIN;
        }
        case FAILED -> {
          Duration pause = backoff.next(result.requestedPause());
          int stored = store(left);
          if (stored > 0) {
            putBack(left.subList(stored, left.size()));
            requestMove();
            backoff.begin(pause);
            return Outcome.STORED;
          }
          boolean isTooLate = ambient.nanoTime() - deadline + pause.toNanos() > 0;
          if (isTooLate) {
            counts.addGivenUp(calls);
            backoff.begin(result.requestedPause());
            return Outcome.GIVEN_UP;
          }
          if (!pause(pause)) {
            counts.addGivenUp(calls);
            return Outcome.SETTLED; // the queue was closed: the calls after these are sent once
          }
          if (exporter != target) {
            return Outcome.EXPORT_AGAIN; // the config changed: another address or key
          }
        }
      }
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
   * Puts calls of a delivery back at the head of the queue. Once the queue is closed, they go to
   * disk instead, or are counted as failed.
   */
  private void putBack(List<QueuedCall> calls) {
    lock.lock();
    try {
      if (!closed) {
        waitingCalls.putBack(calls);
        return;
      }
    } finally {
      lock.unlock();
    }
    counts.addGivenUp(calls.size() - store(calls));
  }

  private void setMaxDelivery(int calls) {
    lock.lock();
    try {
      waitingCalls.setMaxDelivery(calls);
    } finally {
      lock.unlock();
    }
  }

  /** Allows larger deliveries again: slowly, because each that is too large costs a request. */
  private void growMaxDelivery() {
    lock.lock();
    try {
      waitingCalls.growMaxDelivery();
    } finally {
      lock.unlock();
    }
  }

  /** Sleeps until the time is over or the queue is closed. Returns false when it is closed. */
  private boolean pause(Duration time) {
    lock.lock();
    try {
      if (closed || !time.isPositive()) {
        return !closed;
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
    sender.stop();
    lock.lock();
    try {
      closed = true;
      if (disk == null) {
        counts.addGivenUp(waitingCalls.clear());
      } else {
        startOrUnparkWorker();
      }
      endWorkerWait();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the queue, drops the calls in memory and ends the HTTP request that is being sent.
   * Returns at once.
   */
  void discard() {
    sender.stop();
    lock.lock();
    try {
      closed = true;
      counts.addGivenUp(waitingCalls.clear());
      endWorkerWait();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the worker, or the mover if there is no worker; null if neither runs. */
  private @Nullable Thread runningThread() {
    lock.lock();
    try {
      return worker == null ? mover : worker;
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
      queued = waitingCalls.countInMemory();
      size = waitingCalls.bytesInMemory();
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
        counts.delivered(),
        counts.droppedFull(),
        counts.droppedRefused(),
        counts.droppedGivenUp() + (disk == null ? 0 : disk.expired()),
        disk == null ? 0 : disk.damaged(),
        counts.failedRequests(),
        counts.isFailing());
  }
}
