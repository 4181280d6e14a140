package io.strowger.core.attempt;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends requests and attempts that take too long. One thread checks all requests in progress every
 * 10 ms, so a deadline is kept to within 10 ms. All deadlines of a request together cost two
 * counter writes per event, and no clock reads or timers.
 *
 * <p>Socket timeouts cannot do this: an upstream that sends comments keeps such a timeout from
 * expiring.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);
  private static final Duration TICK = Duration.ofMillis(10);

  /**
   * How long the reader has to read or wait before a pause is over. By then everything that was
   * under way or in buffers during the pause has arrived, and later output was sent after the
   * pause.
   */
  private static final Duration PAUSE_RECOVERY = Duration.ofSeconds(5);

  /** How long after its total deadline a request is abandoned if its reader has not ended it. */
  private static final Duration UNREAD_TIMEOUT = Duration.ofSeconds(20);

  private final Ambient ambient;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean idle;
  private volatile boolean closed;
  private volatile @Nullable Consumer<Object> onEnd;

  public Watchdog(Ambient ambient) {
    this.ambient = ambient;
    this.thread = ambient.startService("strowger-watchdog", this::run);
  }

  /** Begins to watch a request, until {@link Watch#end}. */
  public void add(Watch watch) {
    watches.add(watch);
    if (idle) {
      LockSupport.unpark(thread);
    }
  }

  void remove(Watch watch) {
    watches.remove(watch);
    Consumer<Object> action = onEnd;
    if (action != null) {
      action.accept(watch.lease);
    }
  }

  /**
   * Sets the action that runs when a watch has ended, with the watch's lease. It runs on the thread
   * that ends the watch, must be quick and must not throw.
   */
  public void onEnd(Consumer<Object> action) {
    onEnd = action;
  }

  /** Returns the watches of the requests in progress. */
  public Set<Watch> watches() {
    return watches;
  }

  /** Returns whether a request in progress still needs this lease. */
  public boolean usesLease(Object lease) {
    for (Watch watch : watches) {
      if (watch.lease == lease) {
        return true;
      }
    }
    return false;
  }

  private void run() {
    while (!closed) {
      idle = true;
      while (watches.isEmpty() && !closed) {
        LockSupport.park(this);
      }
      idle = false;
      try {
        ambient.sleep(TICK);
      } catch (InterruptedException closing) {
        return;
      }
      long now = ambient.nanoTime();
      for (Watch watch : watches) {
        check(watch, now);
      }
    }
  }

  /** Checks one watch. Logs a failure to cancel, so that all other deadlines are still kept. */
  private static void check(Watch watch, long now) {
    try {
      watch.check(now);
    } catch (RuntimeException | Error bug) {
      log.error("ending a request that took too long failed", bug);
    }
  }

  /** Stops watching. Requests in progress continue without deadlines, so end them first. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt(); // the thread runs only short checks
    ThreadJoiner.joinUninterruptibly(thread);
  }

  /** A watched request. Written by the request's thread, read by the watchdog's. */
  public static final class Watch {
    private final Watchdog watchdog;
    private final Cancellation requestCancellation;
    private final long totalDeadline;
    private final Object lease;
    private final Runnable abandon;
    private volatile @Nullable Attempt attempt;
    private volatile boolean answered;
    private boolean abandoned; // for the watchdog's thread only

    /**
     * @param requestCancellation the cancellation to trip when the total deadline passes
     * @param totalDeadline the total deadline, on {@link Ambient#nanoTime()}
     * @param lease the object that must stay usable until the request is over
     * @param abandon ends the request and settles it; may run on any thread
     */
    public Watch(
        Watchdog watchdog,
        Cancellation requestCancellation,
        long totalDeadline,
        Object lease,
        Runnable abandon) {
      this.watchdog = watchdog;
      this.requestCancellation = requestCancellation;
      this.totalDeadline = totalDeadline;
      this.lease = lease;
      this.abandon = abandon;
    }

    /**
     * Returns the rest of the total time in nanoseconds; negative once it is over.
     *
     * @param now on {@link Ambient#nanoTime()}
     */
    public long remainingNanos(long now) {
      return totalDeadline - now;
    }

    /**
     * Returns a watch over a concurrent part of this request, with the same deadline. The caller
     * must add and end it.
     *
     * @param partCancellation the cancellation to trip when the deadline passes
     */
    public Watch sibling(Cancellation partCancellation) {
      return new Watch(watchdog, partCancellation, totalDeadline, lease, abandon);
    }

    /**
     * Returns a watch over calls within this request that have less time. The caller must add and
     * end it. It never abandons the request.
     *
     * @param partCancellation the cancellation to trip when the time is over
     * @param deadline the deadline, on {@link Ambient#nanoTime()}; this watch's own if that is
     *     earlier
     */
    public Watch withDeadline(Cancellation partCancellation, long deadline) {
      return new Watch(
          watchdog,
          partCancellation,
          totalDeadline - deadline < 0 ? totalDeadline : deadline,
          lease,
          () -> {});
    }

    /** Sets the attempt to watch from now on. */
    public void setAttempt(Attempt next) {
      attempt = next;
    }

    /** Marks the answer as ended: it is not cut short any more, however slowly it is delivered. */
    public void markAnswered() {
      answered = true;
    }

    public void abandon() {
      abandon.run();
    }

    public void end() {
      watchdog.remove(this);
    }

    private void check(long now) {
      if (now - totalDeadline >= 0) {
        if (!answered) {
          requestCancellation.cancel(Cancellation.Cause.TOTAL);
        }
        if (now - totalDeadline >= UNREAD_TIMEOUT.toNanos() && !abandoned) {
          abandoned = true; // the reader neither read nor closed it: releases the money
          watchdog.ambient.start("strowger-abandon", abandon);
        }
        return;
      }
      Attempt current = attempt;
      if (current != null && !answered) {
        current.check(now);
      }
    }
  }

  /** A watched attempt: first the wait for its first content, then each wait for an event. */
  public static final class Attempt {
    private final Cancellation cancellation;
    private volatile long firstContentDeadline;
    private final long gapNanos;
    private volatile boolean committed;
    private volatile int steps; // odd while the reader waits for the upstream
    private volatile boolean readerPaused;
    private int seenSteps = -1; // for the watchdog's thread only
    private long seenNanos; // for the watchdog's thread only
    private long checkedNanos; // for the watchdog's thread only
    private long readNanos; // reading and waiting since a pause; for the watchdog's thread only

    /**
     * @param firstContentDeadline the deadline for first content, on {@link Ambient#nanoTime()}
     * @param gapNanos longest wait for one event once content has come
     */
    public Attempt(Cancellation cancellation, long firstContentDeadline, long gapNanos) {
      this.cancellation = cancellation;
      this.firstContentDeadline = firstContentDeadline;
      this.gapNanos = gapNanos;
    }

    /** Moves the deadline: content came, but not enough to commit. */
    void extendFirstContent(long nanos) {
      firstContentDeadline = nanos;
    }

    /** Commits the attempt: content came. From now on only each wait for an event is limited. */
    public void commit() {
      committed = true;
    }

    /**
     * Returns whether the reader paused for as long as an upstream may be silent, and has not read
     * for {@link Watchdog#PAUSE_RECOVERY} since. An upstream that closes the connection then need
     * not have failed: its output was not read.
     */
    boolean isReaderPaused() {
      return readerPaused;
    }

    /** Counts the beginning and the end of each wait for the upstream, on the waiting thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void countStep() {
      steps = steps + 1;
    }

    private void check(long now) {
      if (!committed) {
        if (now - firstContentDeadline >= 0) {
          cancellation.cancel(Cancellation.Cause.FIRST_CONTENT);
        }
        return;
      }
      int current = steps;
      boolean waits = (current & 1) == 1;
      if (current != seenSteps) {
        seenSteps = current;
        seenNanos = now;
        if (readNanos >= PAUSE_RECOVERY.toNanos()) {
          readerPaused = false;
        }
        readNanos += now - checkedNanos;
      } else if (waits) {
        readNanos += now - checkedNanos;
        if (now - seenNanos >= gapNanos) {
          cancellation.cancel(Cancellation.Cause.GAP);
        }
      } else if (now - seenNanos >= gapNanos) {
        readerPaused = true;
        readNanos = 0;
      }
      checkedNanos = now;
    }
  }
}
