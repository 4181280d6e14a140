package io.strowger.core.attempt;

import io.strowger.spi.provider.EventStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of output that is collected while it is streamed, over all requests: by the
 * responses format, which says at its end all that it said, by the tool loop, and by plugins. What
 * is only passed on takes none of it.
 *
 * <p>A request may hold as much as is left for the others. So one long answer finds room, many
 * endless ones share it, and ordinary answers always succeed: the first {@value #UNCOUNTED} bytes
 * of each request are not counted.
 *
 * <p>Safe on any thread. One for each gateway.
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

  /** Returns a sixteenth of the largest heap this process may have, at least 8 MiB. */
  public static OutputBudget ofHeap() {
    return new OutputBudget(Math.max(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /** Bytes that are counted now, over all requests. */
  public long taken() {
    return taken.get();
  }

  /** Begins a request. To be closed when nobody reads its answer any more. */
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
   * What one request holds, maybe of several answers at once: output that is collected, and answers
   * that came whole. Safe on any thread.
   */
  public final class Share implements AutoCloseable {
    private static final long CLOSED = -1;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<@Nullable Kept> whole = new AtomicReference<>();

    /** Answers that came whole, the last one first. */
    private record Kept(EventStream answer, @Nullable Kept before) {}

    private Share() {}

    /**
     * Takes memory for what is collected next.
     *
     * @return false when there is not so much for this request
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
        taken.addAndGet(-more); // somebody else took or closed meanwhile: look again
      }
    }

    /** Closes an answer that came whole together with this, since what it said is in use. */
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

    /** Gives everything back. Repeatable. */
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
