package io.strowger.core.destination;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.destination.DestinationSender.Sent;
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
 * another processor costs a call more than everything else it does here, so under load no call
 * wakes it. When nothing came for a whole gathering time the thread parks again.
 *
 * <p>With a queue on disk, calls that the destination does not accept go there, and so do calls in
 * memory while it fails, when memory is half full, and when the gateway closes. They are moved by a
 * thread of its own, or by the one that delivers. Calls on disk are retried until they are
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

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** How long a request is retried: no longer than its signature may stay valid. */
  static final Duration MAX_RETRY_TIME = Duration.ofMinutes(5);

  /** The longest pause that a destination may ask for. */
  private static final Duration LONGEST_WISH = Duration.ofHours(1);

  /** The status of an answer that rejects a request as too large. */
  private static final int TOO_LARGE = 413;

  private final String id;
  private final String name; // for the log
  private final DestinationSender sender;
  private final Ambient ambient;
  private final Duration gatheringTime; // zero: calls do not gather
  private final ReentrantLock lock = new ReentrantLock();

  private final @Nullable DiskQueue disk; // null: what waits is in memory only

  // under the lock
  private final ArrayDeque<QueuedCall> waiting = new ArrayDeque<>();
  private long bytes; // of calls that wait, are being delivered, or are being moved to disk
  private int underWay;
  private int moving;
  private @Nullable Thread worker; // null before the first call and after the end
  private @Nullable Thread mover; // null while nothing is moved to disk
  private boolean pausing;
  private boolean gathering; // the worker sleeps, or is about to, while calls gather
  private boolean gathered = true; // since the last delivery; the first call is not kept waiting
  private boolean closed;
  private boolean wasFromDisk; // whether the last delivery was; memory and disk take turns

  private volatile boolean parked; // the worker has nothing to do; written under the lock
  private volatile @Nullable DestinationExporter exporter; // null: nothing can be delivered
  private volatile boolean enabled; // whether calls on disk may be delivered
  private volatile boolean abandoned;
  private volatile @Nullable Cancellation sending; // of the current exchange, or the last one
  private volatile boolean failing;
  private volatile boolean retrying; // the last request failed and will be retried
  private volatile boolean overflowing;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong full = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  // of the worker alone
  private Duration nextPause = FIRST_PAUSE; // where calls wait for it on disk
  private Duration wish = Duration.ZERO; // which the destination asked for
  private long stuckSince; // nanoTime when the oldest batch on disk first failed
  private DiskQueue.@Nullable Batch stuck; // the batch that failed; null: none has
  private int mostOfDisk = BATCH_CALLS; // of one delivery
  private int mostOfMemory = BATCH_CALLS; // of one delivery; written under the lock
  private @Nullable Long notBefore; // nanoTime before which the destination asked for no retry

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
  void exportBy(@Nullable DestinationExporter next) {
    exporter = next;
    wake();
  }

  /** Sets whether calls on disk are delivered, or stay there. */
  void enable(boolean value) {
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
    if (waiting.isEmpty() && !mayReadDisk()) {
      return;
    }
    if (worker == null) {
      worker = ambient.start("destination-delivery", this::run);
    } else {
      unpark(worker);
    }
  }

  /** Wakes the worker if it is parked. Called under the lock. */
  private void unpark(Thread parking) {
    if (parked) {
      parked = false;
      LockSupport.unpark(parking);
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
    if (disk != null && mover == null && !waiting.isEmpty() && disk.isWorthTrying()) {
      mover = ambient.start("destination-spill", this::move);
    }
  }

  private boolean isHalfFull() {
    return 2 * (waiting.size() + underWay + moving) > MAX_CALLS || 2 * bytes > MAX_BYTES;
  }

  /**
   * Returns whether enough calls wait to end gathering. The limit is below {@link #isHalfFull}, so
   * that gathering alone moves nothing to disk.
   */
  private boolean isQuarterFull() {
    return 4 * waiting.size() > MAX_CALLS || 4 * bytes > MAX_BYTES;
  }

  /** Returns whether about one full delivery waits. */
  private boolean isBatchFull() {
    return waiting.size() >= mostOfMemory || bytes >= BATCH_BYTES;
  }

  /** Queues a call, or drops it. Never waits. */
  void offer(QueuedCall call) {
    long size = call.bytes();
    boolean dropped = false;
    lock.lock();
    try {
      int count = waiting.size() + underWay + moving;
      if (closed) {
        failed.incrementAndGet();
      } else if (count >= MAX_CALLS || count > 0 && bytes + size > MAX_BYTES) {
        dropped = true;
      } else {
        waiting.add(call);
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
    if (dropped) {
      full.incrementAndGet();
      if (!overflowing) {
        overflowing = true;
        log.warn("the queue of destination {} is full: calls are dropped", name);
      }
    }
  }

  /** Moves the calls that wait in memory to disk, until none waits or the disk accepts no more. */
  private void move() {
    List<QueuedCall> some = List.of();
    int stored = 0;
    do {
      some = moved(some, stored);
      stored = store(some);
    } while (!some.isEmpty());
  }

  /** Returns the calls to move next; when there are none, the thread ends. */
  private List<QueuedCall> moved(List<QueuedCall> some, int stored) {
    lock.lock();
    try {
      for (int i = some.size() - 1; i >= stored; i--) {
        waiting.addFirst(some.get(i));
      }
      some.subList(0, stored).forEach(one -> bytes -= one.bytes());
      List<QueuedCall> next = stored < some.size() ? List.of() : some(BATCH_CALLS);
      moving = next.size();
      if (next.isEmpty()) {
        mover = null;
      }
      startWorker();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many of the calls, from the first, are on disk now. */
  private int store(List<QueuedCall> those) {
    try {
      return disk == null || those.isEmpty() ? 0 : disk.append(QueuedCall.traces(those), false);
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
      ended();
    }
  }

  /** Starts a new worker when an error ended this one and calls wait. */
  private void ended() {
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
      awaitWish();
      Next next = next();
      switch (next.step()) {
        case DELIVER_FROM_DISK -> deliverFromDisk();
        case DELIVER -> {
          boolean stored = false;
          try {
            stored = deliver(next.batch());
          } finally {
            done(next.batch());
          }
          if (stored) {
            pause(nextPause(wish)); // after the batch was released: it is counted on disk now
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
    } catch (InterruptedException enough) {
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
  private void awaitWish() {
    Long until = notBefore;
    notBefore = null;
    if (until != null) {
      long left = until - ambient.nanoTime();
      if (left > 0) {
        pause(Duration.ofNanos(left));
      }
    }
  }

  private void leaveAlone(Duration wanted) {
    if (wanted.isPositive()) {
      Duration bounded = wanted.compareTo(LONGEST_WISH) > 0 ? LONGEST_WISH : wanted;
      notBefore = ambient.nanoTime() + bounded.toNanos();
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
  private record Next(Step step, List<QueuedCall> batch) {}

  private Next next() {
    lock.lock();
    try {
      List<QueuedCall> batch = List.of();
      Step step = nextStep();
      wasFromDisk = step == Step.DELIVER_FROM_DISK;
      gathering = step == Step.GATHER;
      gathered = gathering || step == Step.PARK;
      parked = step == Step.PARK;
      if (step == Step.DELIVER) {
        batch = some(mostOfMemory);
      } else if (step == Step.END) {
        worker = null;
      }
      underWay = batch.size();
      if (waiting.isEmpty()) {
        overflowing = false;
      }
      return new Next(step, batch);
    } finally {
      lock.unlock();
    }
  }

  /** Decides the next step of the worker. Called under the lock. */
  private Step nextStep() {
    if (mayReadDisk() && (waiting.isEmpty() || retrying || !wasFromDisk)) {
      return Step.DELIVER_FROM_DISK;
    }
    if (!gathered && !closed && gatheringTime.isPositive() && !isBatchFull() && !mayReadDisk()) {
      return Step.GATHER;
    }
    if (!waiting.isEmpty()) {
      return Step.DELIVER;
    }
    return closed ? Step.END : Step.PARK;
  }

  /** Removes the calls of one delivery from the queue. Called under the lock. */
  private List<QueuedCall> some(int most) {
    var batch = new ArrayList<QueuedCall>();
    long size = 0;
    while (!waiting.isEmpty() && batch.size() < most) {
      size += waiting.element().bytes();
      if (size > BATCH_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(waiting.remove());
    }
    return batch;
  }

  private void done(List<QueuedCall> batch) {
    long size = 0;
    for (QueuedCall call : batch) {
      size += call.bytes();
    }
    lock.lock();
    try {
      underWay = 0;
      bytes -= size;
    } finally {
      lock.unlock();
    }
  }

  /** Delivers a batch; returns whether the rest of it waits on disk now. */
  private boolean deliver(List<QueuedCall> batch) {
    DestinationExporter by = exporter;
    if (by == null || abandoned) {
      failed.addAndGet(batch.size() - store(batch));
      return false;
    }
    int settled = 0;
    try {
      long made = ambient.nanoTime();
      for (ExportRequest request : by.export(QueuedCall.traces(batch), ambient.now())) {
        List<QueuedCall> left = batch.subList(settled, batch.size());
        if (ambient.nanoTime() - made > MAX_RETRY_TIME.toNanos()) {
          waitAgain(left); // to be exported anew: the signature of this request is too old
          return false;
        }
        switch (deliver(request, by, left)) {
          case SETTLED -> settled += calls(request, left);
          case AGAIN -> {
            waitAgain(left);
            return false;
          }
          case STORED -> {
            return true;
          }
        }
      }
      failed.addAndGet(batch.size() - settled); // the exporter left them out
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      failed.addAndGet(batch.size() - settled);
      log.error("delivering to destination {} failed", name, bug);
    }
    return false;
  }

  /** Returns how many calls a request has, limited to those that are left. */
  private static int calls(ExportRequest request, List<?> left) {
    return Math.clamp(request.calls(), 0, left.size());
  }

  /** The outcome of a request for its calls. */
  private enum Fate {
    /** They are counted as delivered, refused or failed. */
    SETTLED,
    /** They wait on disk, with the calls after them. */
    STORED,
    /** They have to be exported again, with the calls after them. */
    AGAIN
  }

  /** Tries the oldest calls on disk once, and pauses when that fails. */
  private void deliverFromDisk() {
    DiskQueue from = Objects.requireNonNull(disk);
    DestinationExporter by = exporter;
    DiskQueue.Batch batch = from.read(mostOfDisk, BATCH_BYTES);
    if (batch.failed()) {
      pause(nextPause(Duration.ZERO));
    }
    List<CallTrace> calls = batch.calls();
    if (by == null || calls.isEmpty()) {
      return;
    }
    int settled = 0;
    Duration wanted = null;
    boolean tooLarge = false;
    try {
      for (ExportRequest request : by.export(calls, ambient.now())) {
        List<CallTrace> left = calls.subList(settled, calls.size());
        Attempt attempt = attempt(request, by, calls(request, left));
        tooLarge = attempt.tooLarge();
        wanted = attempt.wanted();
        if (tooLarge || wanted != null) {
          break;
        }
        settled += calls(request, left);
      }
      if (tooLarge) {
        mostOfDisk = Math.max(1, (calls.size() - settled) / 2);
      } else if (wanted == null) {
        failed.addAndGet(calls.size() - settled); // the exporter left them out
        settled = calls.size();
      }
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      failed.addAndGet(calls.size() - settled);
      settled = calls.size(); // or the batch would be retried forever
      log.error("delivering to destination {} failed", name, bug);
    }
    from.acknowledge(batch, settled);
    if (wanted != null) {
      passOver(from, batch, settled);
      moveWhatWaits();
      pause(nextPause(wanted));
    }
  }

  /**
   * Handles a batch that has failed for long: retries it call by call, and moves a failing call to
   * the end of the queue.
   */
  private void passOver(DiskQueue from, DiskQueue.Batch batch, int settled) {
    DiskQueue.Batch last = stuck;
    if (settled > 0
        || last == null
        || last.segment() != batch.segment()
        || last.from() != batch.from()) {
      stuck = batch;
      stuckSince = ambient.nanoTime();
    } else if (ambient.nanoTime() - stuckSince > MAX_RETRY_TIME.toNanos()) {
      stuck = null;
      if (batch.calls().size() == 1 && from.calls() > 1) {
        from.acknowledge(batch, from.append(batch.calls(), true));
      }
      mostOfDisk = 1;
    }
  }

  private void moveWhatWaits() {
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
  private Fate deliver(ExportRequest request, DestinationExporter by, List<QueuedCall> left) {
    long until = ambient.nanoTime() + MAX_RETRY_TIME.toNanos();
    Duration pause = FIRST_PAUSE;
    int calls = calls(request, left);
    while (true) {
      Attempt attempt = attempt(request, by, calls);
      if (attempt.tooLarge()) {
        limitMemory(Math.max(1, left.size() / 2));
        return Fate.AGAIN;
      }
      Duration wanted = attempt.wanted();
      if (wanted == null) {
        return Fate.SETTLED;
      }
      int stored = store(left);
      if (stored > 0) {
        waitAgain(left.subList(stored, left.size()));
        moveWhatWaits();
        wish = wanted;
        return Fate.STORED;
      }
      Duration wait = longer(spread(pause), wanted);
      boolean tooLate = ambient.nanoTime() - until + wait.toNanos() > 0;
      if (tooLate || !pause(wait)) {
        failed.addAndGet(calls);
        leaveAlone(wanted); // this applies to the next request, too
        return Fate.SETTLED;
      }
      if (exporter != by) {
        return Fate.AGAIN; // the config changed: another address or key
      }
      pause = doubled(pause);
    }
  }

  /** Puts calls back at the head of the queue; counts them as failed once it is closed. */
  private void waitAgain(List<QueuedCall> those) {
    lock.lock();
    try {
      if (closed) {
        failed.addAndGet(those.size());
        return;
      }
      for (QueuedCall one : those.reversed()) {
        waiting.addFirst(one);
        bytes += one.bytes();
      }
    } finally {
      lock.unlock();
    }
  }

  private void limitMemory(int calls) {
    lock.lock();
    try {
      mostOfMemory = calls;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The result of sending a request once: neither is set when it was accepted or finally rejected.
   *
   * @param tooLarge whether the request has to be split
   * @param wanted the pause the destination asks for before a retry; null for no retry
   */
  private record Attempt(boolean tooLarge, @Nullable Duration wanted) {
    static final Attempt SETTLED = new Attempt(false, null);
    static final Attempt TOO_MANY = new Attempt(true, null);
  }

  private Attempt attempt(ExportRequest request, DestinationExporter by, int calls) {
    Attempt attempt = attemptOnce(request, by, calls);
    retrying = attempt.wanted() != null;
    return attempt;
  }

  private Attempt attemptOnce(ExportRequest request, DestinationExporter by, int calls) {
    switch (send(request)) {
      case Sent.Answered answer -> {
        if (answer.isSuccess()) {
          taken(calls, Math.clamp(by.rejected(answer.body()), 0, calls));
          return Attempt.SETTLED;
        }
        if (answer.status() == TOO_LARGE && calls > 1) {
          return Attempt.TOO_MANY;
        }
        failing("answered " + answer.status());
        if (!answer.isWorthAnotherTry()) {
          refused.addAndGet(calls);
          return Attempt.SETTLED;
        }
        return new Attempt(false, Objects.requireNonNullElse(answer.retryAfter(), Duration.ZERO));
      }
      case Sent.Unanswered none -> {
        failing(none.why());
        return new Attempt(false, Duration.ZERO);
      }
    }
  }

  /** Returns the next pause while calls wait on disk: longer each time until one is accepted. */
  private Duration nextPause(Duration wanted) {
    Duration pause = spread(nextPause);
    nextPause = doubled(nextPause);
    return longer(pause, wanted.compareTo(LONGEST_WISH) > 0 ? LONGEST_WISH : wanted);
  }

  private static Duration doubled(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Sends with a new cancellation: one shared by many exchanges would retain them all. */
  private Sent send(ExportRequest request) {
    var cancellation = new Cancellation();
    sending = cancellation;
    if (abandoned) {
      cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    }
    return sender.send(request, id, cancellation);
  }

  /** Returns half to all of a pause, so that many gateways do not retry at the same moment. */
  private Duration spread(Duration pause) {
    long half = pause.toNanos() / 2;
    return Duration.ofNanos(half + Long.remainderUnsigned(ambient.seed(), half + 1));
  }

  private void taken(int calls, long rejected) {
    delivered.addAndGet(calls - rejected);
    refused.addAndGet(rejected);
    nextPause = FIRST_PAUSE;
    mostOfDisk = Math.min(BATCH_CALLS, 2 * mostOfDisk);
    if (mostOfMemory < BATCH_CALLS) {
      limitMemory(mostOfMemory + 1); // slowly, because each excess costs a request
    }
    if (failing) {
      failing = false;
      log.info("destination {} accepts calls again", name);
    }
  }

  private void failing(String why) {
    failures.incrementAndGet();
    if (!failing) {
      failing = true;
      log.warn(
          "destination {} does not accept calls; they are queued and sent again later: {}",
          name,
          why);
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
      worker.interrupt(); // never while it writes
    }
    if (worker != null) {
      unpark(worker);
    }
    stopGathering();
  }

  /**
   * Ends the exchange under way. Waiting calls go to disk, or are dropped without one. Returns at
   * once.
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
      failed.addAndGet(waiting.size());
      for (QueuedCall call : waiting) {
        bytes -= call.bytes();
      }
      waiting.clear();
    } finally {
      lock.unlock();
    }
    cancel();
  }

  /** Cancels the last exchange. Call after {@link #abandoned} is set, which later ones check. */
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

  private @Nullable Thread running() {
    lock.lock();
    try {
      return worker == null ? mover : worker;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing is delivered and nothing is moved any more.
   *
   * @param most the longest wait for the current thread; null to wait until all threads have ended
   */
  void awaitEnd(@Nullable Duration most) {
    Thread running = running();
    if (running == null) {
      return;
    }
    if (most == null) {
      Thread last = null;
      while (running != null && running != last) { // one thread may start the other
        ThreadJoiner.joinUninterruptibly(running);
        last = running;
        running = running();
      }
      return;
    }
    try {
      running.join(most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  DestinationCounts counts(String type, String workspace) {
    long queued;
    long size;
    lock.lock();
    try {
      queued = (long) waiting.size() + underWay + moving;
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
        disk == null ? 0 : disk.recovered(),
        delivered.get(),
        full.get(),
        refused.get(),
        failed.get() + (disk == null ? 0 : disk.expired()),
        disk == null ? 0 : disk.damaged(),
        failures.get(),
        failing);
  }
}
