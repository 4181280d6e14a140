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
 * Ends what takes too long. One thread looks at every request under way each 10 ms, so a deadline
 * is kept to within that, and a request pays two plain counter writes per event for all of its
 * deadlines, no clock and no timer.
 *
 * <p>Socket timeouts cannot do this: an upstream that sends comments keeps them quiet for ever.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);
  private static final Duration TICK = Duration.ofMillis(10);

  /**
   * What comes when its reader has read or waited for so long since a pause was sent after it: what
   * was under way or in buffers has come by then.
   */
  private static final Duration STILL_SENDS = Duration.ofSeconds(5);

  /** How long after its total deadline a request may still be ended by whoever reads it. */
  private static final Duration UNREAD = Duration.ofSeconds(20);

  private final Ambient ambient;
  private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean idle;
  private volatile boolean closed;
  private volatile @Nullable Consumer<Object> whenEnded;

  public Watchdog(Ambient ambient) {
    this.ambient = ambient;
    this.thread = ambient.startService("strowger-watchdog", this::run);
  }

  /** Begins to watch; the watch is ended by {@link Watch#end}. */
  public void add(Watch watch) {
    watched.add(watch);
    if (idle) {
      LockSupport.unpark(thread);
    }
  }

  void remove(Watch watch) {
    watched.remove(watch);
    Consumer<Object> action = whenEnded;
    if (action != null) {
      action.accept(watch.lease);
    }
  }

  /**
   * Has something run when a watch has ended, with what it leased. It runs on the thread that ends
   * it, must be quick and must not throw.
   */
  public void onEnd(Consumer<Object> action) {
    whenEnded = action;
  }

  /** The requests under way. */
  public Set<Watch> watched() {
    return watched;
  }

  /** A request under way still needs this. */
  public boolean uses(Object lease) {
    for (Watch watch : watched) {
      if (watch.lease == lease) {
        return true;
      }
    }
    return false;
  }

  private void run() {
    while (!closed) {
      idle = true;
      while (watched.isEmpty() && !closed) {
        LockSupport.park(this);
      }
      idle = false;
      try {
        ambient.sleep(TICK);
      } catch (InterruptedException closing) {
        return;
      }
      long now = ambient.nanoTime();
      for (Watch watch : watched) {
        check(watch, now);
      }
    }
  }

  /** One adapter whose cancelling fails must not cost every other request its deadlines. */
  private static void check(Watch watch, long now) {
    try {
      watch.check(now);
    } catch (RuntimeException | Error bug) {
      log.error("ending a request that took too long failed", bug);
    }
  }

  /** Stops watching. What is under way goes on unwatched: end it first. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt(); // it runs nothing but short sweeps
    ThreadJoiner.joinUninterruptibly(thread);
  }

  /**
   * One request under the watchdog's eye. Written by the request's thread, read by the watchdog's.
   */
  public static final class Watch {
    private final Watchdog dog;
    private final Cancellation request;
    private final long totalDue;
    private final Object lease;
    private final Runnable abandon;
    private volatile @Nullable Attempt attempt;
    private volatile boolean answered;
    private boolean abandoned; // the watchdog's own

    /**
     * @param request ended when the whole takes too long
     * @param totalDue when, on {@link Ambient#nanoTime()}
     * @param lease what must stay usable until the request is over
     * @param abandon ends the request and accounts for it, from any thread: for closing the gateway
     */
    public Watch(
        Watchdog dog, Cancellation request, long totalDue, Object lease, Runnable abandon) {
      this.dog = dog;
      this.request = request;
      this.totalDue = totalDue;
      this.lease = lease;
      this.abandon = abandon;
    }

    /**
     * What is left of the total; negative once it is over.
     *
     * @param now on {@link Ambient#nanoTime()}
     */
    public long leftNanos(long now) {
      return totalDue - now;
    }

    /**
     * A watch over something that runs beside this request and is due when it is; add and end it.
     *
     * @param part ended when the whole takes too long
     */
    public Watch sibling(Cancellation part) {
      return new Watch(dog, part, totalDue, lease, abandon);
    }

    /**
     * A watch over calls beside this request that have less time than it; add and end it. The
     * request's own watch is the one that gives the whole up.
     *
     * @param part ended when the time is over
     * @param due when, on {@link Ambient#nanoTime()}; when this one is due if that is earlier
     */
    public Watch within(Cancellation part, long due) {
      return new Watch(dog, part, totalDue - due < 0 ? totalDue : due, lease, () -> {});
    }

    /** The attempt under way from now on. */
    public void attempt(Attempt next) {
      attempt = next;
    }

    /** The answer has ended: nothing is cut short any more, however slowly it is delivered. */
    public void answered() {
      answered = true;
    }

    public void abandon() {
      abandon.run();
    }

    public void end() {
      dog.remove(this);
    }

    private void check(long now) {
      if (now - totalDue >= 0) {
        if (!answered) {
          request.cancel(Cancellation.Cause.TOTAL);
        }
        if (now - totalDue >= UNREAD.toNanos() && !abandoned) {
          abandoned = true; // nobody reads it and nobody closes it: its money is free again
          dog.ambient.start("strowger-abandon", abandon);
        }
        return;
      }
      Attempt current = attempt;
      if (current != null && !answered) {
        current.check(now);
      }
    }
  }

  /** One attempt: first its first content is waited for, then each next event. */
  public static final class Attempt {
    private final Cancellation cancellation;
    private volatile long firstContentDue;
    private final long gapNanos;
    private volatile boolean committed;
    private volatile int steps; // odd while somebody waits for the upstream
    private volatile boolean readerPaused;
    private int seenSteps = -1; // the watchdog's own
    private long seenAt; // the watchdog's own
    private long lookedAt; // the watchdog's own
    private long readNanos; // since a pause the reader read or waited so long; the watchdog's own

    /**
     * @param firstContentDue on {@link Ambient#nanoTime()}
     * @param gapNanos longest wait for one event once content has come
     */
    public Attempt(Cancellation cancellation, long firstContentDue, long gapNanos) {
      this.cancellation = cancellation;
      this.firstContentDue = firstContentDue;
      this.gapNanos = gapNanos;
    }

    /** Content came, but not enough to commit: that is due by then. */
    void contentDue(long nanos) {
      firstContentDue = nanos;
    }

    /** Content came: from now on the gap counts, and only while somebody waits. */
    public void commit() {
      committed = true;
    }

    /**
     * Whether the reader of the answer did not read for as long as an upstream may be silent, and
     * the upstream has not shown since that it still sends. One that gives up after that need not
     * have failed: nobody took what it sent.
     */
    boolean readerPaused() {
      return readerPaused;
    }

    /** Before and after each wait for the upstream, by the thread that waits. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void step() {
      steps = steps + 1;
    }

    private void check(long now) {
      if (!committed) {
        if (now - firstContentDue >= 0) {
          cancellation.cancel(Cancellation.Cause.FIRST_CONTENT);
        }
        return;
      }
      int current = steps;
      boolean waits = (current & 1) == 1;
      if (current != seenSteps) {
        seenSteps = current;
        seenAt = now;
        if (readNanos >= STILL_SENDS.toNanos()) {
          readerPaused = false;
        }
        readNanos += now - lookedAt;
      } else if (waits) {
        readNanos += now - lookedAt;
        if (now - seenAt >= gapNanos) {
          cancellation.cancel(Cancellation.Cause.GAP);
        }
      } else if (now - seenAt >= gapNanos) {
        readerPaused = true;
        readNanos = 0;
      }
      lookedAt = now;
    }
  }
}
