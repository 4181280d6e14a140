package io.strowger.core.destination;

import io.strowger.core.ambient.Ended;
import io.strowger.core.destination.DestinationSender.Sent;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls on their way to one destination, and the one thread that delivers them. It runs as long as
 * something waits. What waits is bounded in number and in bytes; what comes when the queue is full
 * is dropped and counted, and so is what cannot be delivered in time. Whoever offers a call never
 * waits. While one delivery is under way others gather, and go together with the next.
 */
final class DestinationQueue {
  private static final Logger log = LoggerFactory.getLogger(DestinationQueue.class);

  /** Most calls that wait. */
  static final int MOST_CALLS = 2_048;

  /** Most bytes that wait, about; the first call is taken however large it is. */
  static final long MOST_BYTES = 16L << 20;

  /** Most calls, and bytes, of one delivery. */
  private static final int BATCH_CALLS = 100;

  private static final long BATCH_BYTES = 1L << 20;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** How long a request is tried: no longer than its signature may be taken to hold. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String id;
  private final String name; // for the log
  private final DestinationSender sender;
  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock();

  private final ArrayDeque<CallTrace> waiting = new ArrayDeque<>(); // this and the next under it
  private long bytes; // of what waits and what is on its way
  private int underWay;
  private @Nullable Thread worker; // null while nothing waits
  private boolean pausing;
  private boolean closed;

  private volatile @Nullable DestinationExporter exporter; // null: nothing can be delivered
  private volatile boolean abandoned;
  private volatile @Nullable Cancellation sending; // of the exchange under way, or the last
  private volatile boolean failing;
  private volatile boolean overflowing;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong full = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /**
   * @param name names it in the log
   */
  DestinationQueue(String id, String name, DestinationSender sender, Ambient ambient) {
    this.id = id;
    this.name = name;
    this.sender = sender;
    this.ambient = ambient;
  }

  /** Returns whether calls can be delivered. */
  boolean isUsable() {
    return exporter != null;
  }

  /** Delivers by this exporter from now on; null: drops everything. */
  void exportBy(@Nullable DestinationExporter next) {
    exporter = next;
  }

  /** Takes a call, or drops it. Never waits. */
  void offer(CallTrace trace) {
    long size = TracedCall.bytes(trace);
    boolean dropped = false;
    lock.lock();
    try {
      int count = waiting.size() + underWay;
      if (closed) {
        failed.incrementAndGet();
      } else if (count >= MOST_CALLS || count > 0 && bytes + size > MOST_BYTES) {
        dropped = true;
      } else {
        waiting.add(trace);
        bytes += size;
        if (worker == null) {
          worker = ambient.start("destination-delivery", this::run);
        }
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

  private void run() {
    List<CallTrace> batch = next();
    while (!batch.isEmpty()) {
      try {
        deliver(batch);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
        failed.addAndGet(batch.size());
        log.error("delivering to destination {} failed", name, bug);
      } finally {
        done(batch);
      }
      batch = next();
    }
  }

  /** Returns what is delivered next; the thread ends when it is nothing. */
  private List<CallTrace> next() {
    var batch = new ArrayList<CallTrace>();
    lock.lock();
    try {
      long size = 0;
      while (!waiting.isEmpty() && batch.size() < BATCH_CALLS) {
        size += TracedCall.bytes(waiting.element());
        if (size > BATCH_BYTES && !batch.isEmpty()) {
          break;
        }
        batch.add(waiting.remove());
      }
      underWay = batch.size();
      if (batch.isEmpty()) {
        worker = null;
        overflowing = false;
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void done(List<CallTrace> batch) {
    long size = 0;
    for (CallTrace trace : batch) {
      size += TracedCall.bytes(trace);
    }
    lock.lock();
    try {
      underWay = 0;
      bytes -= size;
    } finally {
      lock.unlock();
    }
  }

  private void deliver(List<CallTrace> batch) {
    DestinationExporter by = exporter;
    if (by == null) {
      failed.addAndGet(batch.size());
      return;
    }
    for (ExportRequest request : by.export(batch, ambient.now())) {
      deliver(request, by);
    }
  }

  /** Tries until the destination takes it, refuses it for good, or it is too late. */
  private void deliver(ExportRequest request, DestinationExporter by) {
    long until = ambient.nanoTime() + PATIENCE.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Sent sent = send(request);
      Duration wanted = null;
      if (sent instanceof Sent.Answered answer) {
        if (answer.isSuccess()) {
          taken(request.calls(), Math.min(request.calls(), by.rejected(answer.body())));
          return;
        }
        failing("answered " + answer.status());
        if (!answer.isWorthAnotherTry()) {
          refused.addAndGet(request.calls());
          return;
        }
        wanted = answer.retryAfter();
      } else if (sent instanceof Sent.Unanswered none) {
        failing(none.why());
      }
      Duration wait = spread(pause);
      wait = wanted != null && wanted.compareTo(wait) > 0 ? wanted : wait;
      boolean tooLate = ambient.nanoTime() - until + wait.toNanos() > 0;
      if (tooLate || !pause(wait)) {
        failed.addAndGet(request.calls());
        return;
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
    }
  }

  /** Each exchange has a cancellation of its own: one that served many would remember them all. */
  private Sent send(ExportRequest request) {
    var cancellation = new Cancellation();
    sending = cancellation;
    if (abandoned) {
      cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    }
    return sender.send(request, id, cancellation);
  }

  /** Half of it to all of it, so that many gateways do not ask again at the same moment. */
  private Duration spread(Duration pause) {
    long half = pause.toNanos() / 2;
    return Duration.ofNanos(half + Long.remainderUnsigned(ambient.seed(), half + 1));
  }

  private void taken(int calls, long rejected) {
    delivered.addAndGet(calls - rejected);
    refused.addAndGet(rejected);
    if (failing) {
      failing = false;
      log.info("destination {} takes calls again", name);
    }
  }

  private void failing(String why) {
    failures.incrementAndGet();
    if (!failing) {
      failing = true;
      log.warn("destination {} does not take calls: {}", name, why);
    }
  }

  /** Waits; false when it was closed before or meanwhile. */
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
      // looked at below
    }
    lock.lock();
    try {
      pausing = false;
      Thread.interrupted(); // so that the next exchange is not ended by what ended the pause
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more; what waits is tried once, and no pause is made. Returns at once. */
  void close() {
    lock.lock();
    try {
      closed = true;
      if (worker != null && pausing) {
        worker.interrupt(); // never while it writes
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits and ends what is under way. Returns at once. */
  void abandon() {
    lock.lock();
    try {
      closed = true;
      failed.addAndGet(waiting.size());
      for (CallTrace trace : waiting) {
        bytes -= TracedCall.bytes(trace);
      }
      waiting.clear();
      if (worker != null && pausing) {
        worker.interrupt();
      }
    } finally {
      lock.unlock();
    }
    abandoned = true; // before the look at what is under way, which looks at this after it is set
    Cancellation last = sending;
    if (last != null) {
      last.cancel(Cancellation.Cause.SHUTDOWN);
    }
  }

  private @Nullable Thread worker() {
    lock.lock();
    try {
      return worker;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing is delivered any more.
   *
   * @param most how long at most; null: until the thread has ended
   */
  void awaitEnd(@Nullable Duration most) {
    Thread running = worker();
    if (running == null) {
      return;
    }
    if (most == null) {
      Ended.await(running);
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
      queued = (long) waiting.size() + underWay;
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
        delivered.get(),
        full.get(),
        refused.get(),
        failed.get(),
        failures.get(),
        failing);
  }
}
