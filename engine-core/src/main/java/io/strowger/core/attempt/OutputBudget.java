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
 * <p>A request may reserve at most as many bytes as then remain free for other requests. A single
 * long answer therefore finds room, and many endless answers share the budget. Ordinary answers
 * always succeed, because the first {@value #UNCOUNTED} bytes of each request are not counted.
 *
 * <p>Safe on any thread. Each gateway has one.
 */
public final class OutputBudget {
  /** What each request may collect without being counted, in bytes. */
  public static final int UNCOUNTED = 64 << 10;

  private static final int RESERVATION_STEP = 64 << 10;
  private static final int HEAP_FRACTION = 16;
  private static final long MIN_TOTAL = 8L << 20;

  private final long total;
  private final AtomicLong reserved = new AtomicLong();

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
    return new OutputBudget(Math.max(MIN_TOTAL, Runtime.getRuntime().maxMemory() / HEAP_FRACTION));
  }

  /** Returns the bytes that are counted now, over all requests. */
  public long reserved() {
    return reserved.get();
  }

  /** Returns the share of a new request. Close it when its answer is no longer read. */
  public Share newShare() {
    return new Share();
  }

  private boolean tryReserveShared(long shareBytes, long bytes) {
    while (true) {
      long current = reserved.get();
      if (shareBytes + bytes > total - current - bytes) {
        return false;
      }
      if (reserved.compareAndSet(current, current + bytes)) {
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

    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong reservedBytes = new AtomicLong();
    private final AtomicReference<@Nullable OpenAnswer> openAnswers = new AtomicReference<>();

    /** Complete answers that are still in use, the last one first. */
    private record OpenAnswer(EventStream answer, @Nullable OpenAnswer previous) {}

    private Share() {}

    /**
     * Reserves memory for output that is about to be collected.
     *
     * @return false when there is not enough left for this request
     */
    boolean tryReserve(long bytes) {
      long needed = usedBytes.addAndGet(bytes) - UNCOUNTED;
      while (true) {
        long current = reservedBytes.get();
        if (current == CLOSED || needed <= current) {
          return true;
        }
        long increment =
            (needed - current + RESERVATION_STEP - 1) / RESERVATION_STEP * RESERVATION_STEP;
        if (!tryReserveShared(current, increment)) {
          return false;
        }
        if (reservedBytes.compareAndSet(current, current + increment)) {
          return true;
        }
        reserved.addAndGet(
            -increment); // another thread reserved memory or closed this share: try again
      }
    }

    /** Keeps a complete answer open until this share is closed, since its parts are in use. */
    void keepOpen(EventStream answer) {
      openAnswers.updateAndGet(before -> new OpenAnswer(answer, before));
      if (reservedBytes.get() == CLOSED) {
        closeAnswers();
      }
    }

    private void closeAnswers() {
      closeAll(openAnswers.getAndSet(null));
    }

    private static void closeAll(@Nullable OpenAnswer last) {
      if (last != null) {
        try {
          last.answer().close();
        } finally {
          closeAll(last.previous());
        }
      }
    }

    /** Releases everything. Idempotent. */
    @Override
    public void close() {
      long bytes = reservedBytes.getAndSet(CLOSED);
      if (bytes > 0) {
        reserved.addAndGet(-bytes);
      }
      closeAnswers();
    }
  }
}
