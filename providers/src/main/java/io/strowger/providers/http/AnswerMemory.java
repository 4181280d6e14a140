package io.strowger.providers.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that the answers of upstreams take, each and all together, so that upstreams
 * that send without end cost a bounded part of the heap.
 *
 * <p>Counted is what is kept while an answer is under way: the buffers it is read into, a document
 * once it is parsed, and the events held back before the first content. What a stream says from
 * then on is passed on and not counted. An answer may hold as much as is left for the others, and
 * never more than a fixed bound. So a single large answer finds room, many endless ones share it,
 * and a small answer always succeeds: its first {@value #UNCOUNTED} bytes are not counted.
 *
 * <p>Safe on any thread. Share one instance among all adapters of a process.
 */
public final class AnswerMemory {
  /** What each answer may hold without being counted, in bytes. */
  public static final int UNCOUNTED = 64 << 10;

  private static final int STEP = 64 << 10;
  private static final int HEAP_SHARE = 8;
  private static final long LEAST = 8L << 20;

  /** Answers with images in base64 are large. */
  private static final long LARGEST_ANSWER = 64L << 20;

  private final long total;
  private final long largest;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param total bytes for all answers together; positive
   * @param largest bytes for one answer; positive
   */
  public AnswerMemory(long total, long largest) {
    if (total < 1 || largest < 1) {
      throw new IllegalArgumentException(
          "total and largest must be positive, were " + total + " and " + largest);
    }
    this.total = total;
    this.largest = largest;
  }

  /**
   * Returns an eighth of the largest heap this process may have, at least 8 MiB; one answer may
   * hold half of it, at most 64 MiB.
   */
  public static AnswerMemory ofHeap() {
    long share = Math.max(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    return new AnswerMemory(share, LARGEST_ANSWER);
  }

  /** Bytes that are counted now, over all answers. */
  public long taken() {
    return taken.get();
  }

  /** Begins an answer. To be closed when the answer is over. */
  public Share begin() {
    return new Share();
  }

  /**
   * Lets an answer that holds {@code held} hold so much more.
   *
   * @throws AnswerTooLarge when it would not find so much though no other held anything
   * @throws NoMemoryLeft when others hold what it would need
   */
  private void take(long held, long more) throws AnswerTooLarge, NoMemoryLeft {
    if (held + more > Math.min(largest, total / 2)) {
      throw new AnswerTooLarge(UNCOUNTED + held);
    }
    while (true) {
      long before = taken.get();
      if (held + more > total - before - more) {
        throw new NoMemoryLeft();
      }
      if (taken.compareAndSet(before, before + more)) {
        return;
      }
    }
  }

  /**
   * What one answer holds. Taken from by its reader's thread only; closed by any thread, any number
   * of times.
   */
  public final class Share implements AutoCloseable {
    private static final long CLOSED = -1;

    private final AtomicLong counted = new AtomicLong();
    private long used;

    /**
     * Takes memory before it is allocated.
     *
     * @throws AnswerTooLarge when there is never so much for one answer
     * @throws NoMemoryLeft when other answers hold it
     */
    public void take(long bytes) throws AnswerTooLarge, NoMemoryLeft {
      used += bytes;
      long held = counted.get();
      long missing = used - UNCOUNTED - held;
      if (missing > 0 && held != CLOSED) {
        count(held, (missing + STEP - 1) / STEP * STEP);
      }
    }

    private void count(long held, long more) throws AnswerTooLarge, NoMemoryLeft {
      AnswerMemory.this.take(held, more);
      if (!counted.compareAndSet(held, held + more)) {
        taken.addAndGet(-more); // closed meanwhile
      }
    }

    @Override
    public void close() {
      long held = counted.getAndSet(CLOSED);
      if (held > 0) {
        taken.addAndGet(-held);
      }
    }
  }

  /** Other answers hold the memory that this one needs: no fault of its upstream's. */
  public static final class NoMemoryLeft extends IOException {
    private static final long serialVersionUID = 1L;

    NoMemoryLeft() {
      super("no memory left beside other answers");
    }
  }

  /** An upstream sent more than is kept of one answer. */
  public static final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLarge(long held) {
      super("more than there is memory for: over " + held + " bytes are held already");
    }
  }
}
