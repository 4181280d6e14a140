package io.strowger.providers.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of upstream answers, of each one and of all together, so that upstreams that
 * send without end can use only a bounded part of the heap.
 *
 * <p>The count covers what is held while an answer is read: the buffers it is read into, a document
 * once it is parsed, and the events held back before the first content. Later events of a stream
 * are passed on and not counted. An answer may hold at most as much as it leaves for others, and
 * never more than a fixed bound. So one large answer finds room, many endless answers share the
 * memory, and a small answer always succeeds: its first {@value #UNCOUNTED_BYTES} bytes are not
 * counted.
 *
 * <p>Safe on any thread. Share one instance among all adapters of a process.
 */
public final class AnswerMemory {
  /** The number of bytes each answer may hold without being counted. */
  public static final int UNCOUNTED_BYTES = 64 << 10;

  private static final int STEP_BYTES = 64 << 10;
  private static final int HEAP_SHARE = 8;
  private static final long MIN_TOTAL = 8L << 20;

  /** The bound of one answer, in bytes; large because images are sent in base64. */
  private static final long MAX_ANSWER_BYTES = 64L << 20;

  private final long total;
  private final long largest;
  private final AtomicLong takenBytes = new AtomicLong();

  /**
   * @param total the bytes for all answers together; positive
   * @param largest the bytes for one answer; positive
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
   * Returns a memory of an eighth of the maximum heap, at least 8 MiB, of which one answer may hold
   * half, at most 64 MiB.
   */
  public static AnswerMemory ofHeap() {
    long share = Math.max(MIN_TOTAL, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    return new AnswerMemory(share, MAX_ANSWER_BYTES);
  }

  /** Returns the bytes counted now, over all answers. */
  public long takenBytes() {
    return takenBytes.get();
  }

  /** Begins an answer. The caller closes the share when the answer is over. */
  public Share begin() {
    return new Share();
  }

  /**
   * Counts more bytes for an answer.
   *
   * @throws AnswerTooLargeException when the answer would exceed its bound even if it were the only
   *     one
   * @throws NoMemoryLeftException when other answers hold the memory it needs
   */
  private void take(long heldBytes, long addedBytes)
      throws AnswerTooLargeException, NoMemoryLeftException {
    long maxBytes = Math.min(largest, total / 2);
    if (heldBytes + addedBytes > maxBytes) {
      throw new AnswerTooLargeException(UNCOUNTED_BYTES + maxBytes);
    }
    while (true) {
      long takenBefore = takenBytes.get();
      if (heldBytes + addedBytes > total - takenBefore - addedBytes) {
        throw new NoMemoryLeftException();
      }
      if (takenBytes.compareAndSet(takenBefore, takenBefore + addedBytes)) {
        return;
      }
    }
  }

  /**
   * The memory of one answer. Only the answer's reader takes from it; any thread may close it, any
   * number of times.
   */
  public final class Share implements AutoCloseable {
    private static final long CLOSED = -1;

    private final AtomicLong countedBytes = new AtomicLong();
    private long usedBytes;

    /**
     * Takes memory. To be called before it is allocated.
     *
     * @throws AnswerTooLargeException when it is more than one answer may ever hold
     * @throws NoMemoryLeftException when other answers hold the memory
     */
    public void take(long bytes) throws AnswerTooLargeException, NoMemoryLeftException {
      usedBytes += bytes;
      long heldBytes = countedBytes.get();
      long missingBytes = usedBytes - UNCOUNTED_BYTES - heldBytes;
      if (missingBytes > 0 && heldBytes != CLOSED) {
        count(heldBytes, (missingBytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
      }
    }

    private void count(long heldBytes, long addedBytes)
        throws AnswerTooLargeException, NoMemoryLeftException {
      AnswerMemory.this.take(heldBytes, addedBytes);
      if (!countedBytes.compareAndSet(heldBytes, heldBytes + addedBytes)) {
        takenBytes.addAndGet(-addedBytes); // closed meanwhile
      }
    }

    @Override
    public void close() {
      long heldBytes = countedBytes.getAndSet(CLOSED);
      if (heldBytes > 0) {
        takenBytes.addAndGet(-heldBytes);
      }
    }
  }

  /**
   * Thrown when other answers hold the memory that an answer needs; its upstream is not at fault.
   */
  public static final class NoMemoryLeftException extends IOException {
    private static final long serialVersionUID = 1L;

    NoMemoryLeftException() {
      super("other answers hold the memory for answers of upstreams");
    }
  }

  /** Thrown when an upstream sends more than the bound of one answer. */
  public static final class AnswerTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLargeException(long maxBytes) {
      super("an answer that needs more memory than one answer may use: " + maxBytes + " bytes");
    }
  }
}
