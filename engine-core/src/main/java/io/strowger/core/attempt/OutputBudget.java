package io.strowger.core.attempt;

import io.strowger.spi.provider.EventStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory, over all requests, of output that is collected while it is streamed: by the
 * responses format, which repeats the whole answer at its end, by the tool loop, and by plugins.
 * Output that is only passed on is not counted.
 *
 * <p>A request may hold at most as much as it leaves for all others. A single long answer therefore
 * finds room, many endless ones share it, and ordinary answers always succeed, because the first
 * {@value #UNCOUNTED} bytes of each request are not counted.
 *
 * <p>Safe on any thread. Each gateway has one.
 */
public final class OutputBudget {
  /** What each request may collect without being counted, in bytes. */
  public static final int UNCOUNTED = 64 << 10;

  private static final int STEP = 64 << 10;
  private static final int HEAP_SHARE = 16;
  private static final long LEAST = 8L << 20;

  private final long total;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param total bytes for all requests together; positive
   */
  public OutputBudget(long total) {
    if (total < 1) {
      throw new IllegalArgumentException("total must be positive, was " + total);
    }
    this.total = total;
  }

  /** Returns a budget of a sixteenth of the largest heap of this process, at least 8 MiB. */
  public static OutputBudget ofHeap() {
    return new OutputBudget(Math.max(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /** Returns the bytes that are counted now, over all requests. */
  public long taken() {
    return taken.get();
  }

  /** Returns the share of a new request. Close it when its answer is no longer read. */
  public Share begin() {
    return new Share();
  }

  private boolean tryTake(long held, long more) {
    while (true) {
      long before = taken.get();
      if (held + more > total - before - more) {
        return false;
      }
      if (taken.compareAndSet(before, before + more)) {
        return true;
      }
    }
  }

  /**
   * What one request holds, possibly of several answers at once: collected output, and complete
   * answers that are still in use. Safe on any thread.
   */
  public final class Share implements AutoCloseable {
    private static final long CLOSED = -1;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<@Nullable Kept> whole = new AtomicReference<>();

    /** Complete answers that are still in use, the last one first. */
    private record Kept(EventStream answer, @Nullable Kept before) {}

    private Share() {}

    /**
     * Reserves memory for output that is about to be collected.
     *
     * @return false when there is not enough left for this request
     */
    boolean take(long bytes) {
      long needed = used.addAndGet(bytes) - UNCOUNTED;
      while (true) {
        long held = counted.get();
        if (held == CLOSED || needed <= held) {
          return true;
        }
        long more = (needed - held + STEP - 1) / STEP * STEP;
        if (!tryTake(held, more)) {
          return false;
        }
        if (counted.compareAndSet(held, held + more)) {
          return true;
        }
        taken.addAndGet(-more); // another thread reserved memory or closed this share: try again
      }
    }

    /** Keeps a complete answer open until this share is closed, since its parts are in use. */
    void keep(EventStream answer) {
      whole.updateAndGet(before -> new Kept(answer, before));
      if (counted.get() == CLOSED) {
        closeKept();
      }
    }

    private void closeKept() {
      closeAll(whole.getAndSet(null));
    }

    private static void closeAll(@Nullable Kept last) {
      if (last != null) {
        try {
          last.answer().close();
        } finally {
          closeAll(last.before());
        }
      }
    }

    /** Releases everything. Idempotent. */
    @Override
    public void close() {
      long held = counted.getAndSet(CLOSED);
      if (held > 0) {
        taken.addAndGet(-held);
      }
      closeKept();
    }
  }
}
