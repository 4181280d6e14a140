package io.strowger.plugins.pdf;

import io.strowger.spi.ambient.FairShare;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time and memory left to read one document. All work is charged to this budget, which throws
 * when time or memory is used up. The library treats every {@link java.io.IOException} as damage
 * that it may repair, so the exception is unchecked, and it is thrown again at every further
 * charge. Confined to one thread.
 */
final class ReadingBudget {
  /** The work charged for an operator or glyph, as an equivalent of bytes read. */
  static final int STEP = 16;

  /** The most bytes that one stream may expand to. */
  private static final int MAX_STREAM_BYTES = 16 << 20;

  private static final long MAX_TOTAL_BYTES = 96L << 20;

  /** The most objects of a document: arrays, dictionaries, names, strings. */
  private static final int MAX_OBJECTS = 3_000_000;

  private static final int MAX_PAGE_OBJECTS = 1_000_000;

  private static final int WORK_BETWEEN_CHECKS = 8 * 1024;

  private final Duration minRemaining;
  private final Supplier<Duration> remaining;
  private final BooleanSupplier cancelled;
  private final FairShare fairShare = new FairShare(FairShare.READ_BYTES);
  private long expandedBytes;
  private int objects;
  private int pageObjects;
  private int uncheckedWork;
  private @Nullable ExceededException exceeded;

  /** Thrown when the budget is spent or the request is cancelled. */
  static final class ExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final PdfText.Reason reason;
    private final String message;

    ExceededException(PdfText.Reason reason, String message) {
      this.reason = reason;
      this.message = message;
    }

    @Override
    public String getMessage() {
      return message;
    }

    PdfText.Reason reason() {
      return reason;
    }
  }

  /**
   * @param time the most time to spend; the remaining time of the request applies if it is less
   */
  ReadingBudget(Duration time, Supplier<Duration> remaining, BooleanSupplier cancelled) {
    this.remaining = remaining;
    this.cancelled = cancelled;
    Duration left = remaining.get().minus(time);
    this.minRemaining = left.isNegative() ? Duration.ZERO : left;
  }

  /** Charges work, in bytes read or the equivalent. */
  void chargeWork(int amount) {
    fairShare.advance(amount);
    uncheckedWork += amount;
    if (uncheckedWork >= WORK_BETWEEN_CHECKS || exceeded != null) {
      uncheckedWork = 0;
      check();
    }
  }

  /**
   * Charges an object.
   *
   * @param isKept whether the object is kept as long as the document, instead of as long as the
   *     page
   */
  void chargeObject(boolean isKept) {
    if (isKept && ++objects > MAX_OBJECTS) {
      stop(PdfText.Reason.TOO_LARGE, "has more than " + MAX_OBJECTS + " objects");
    }
    if (!isKept && ++pageObjects > MAX_PAGE_OBJECTS) {
      stop(PdfText.Reason.TOO_LARGE, "has a page with more than " + MAX_PAGE_OBJECTS + " objects");
    }
  }

  /** Begins a page; the objects of the previous page are no longer counted. */
  void beginPage() {
    pageObjects = 0;
    check();
  }

  /** Stops reading at a page with more glyphs than this. */
  void rejectGlyphs(int maxGlyphs) {
    stop(PdfText.Reason.TOO_LARGE, "has a page with more than " + maxGlyphs + " letters");
  }

  /**
   * Charges the bytes by which a stream expanded.
   *
   * @param bytesBefore the bytes the stream had expanded to before
   */
  void chargeExpansion(long bytesBefore, int bytes) {
    expandedBytes += bytes;
    if (bytesBefore + bytes > MAX_STREAM_BYTES || expandedBytes > MAX_TOTAL_BYTES) {
      stop(PdfText.Reason.TOO_LARGE, "expands to more bytes than are read");
    }
    chargeWork(bytes / STEP + 1);
  }

  /** Throws if the time is up, the request is cancelled or the budget was exceeded before. */
  void check() {
    if (exceeded != null) {
      throw exceeded;
    }
    if (cancelled.getAsBoolean()) {
      stop(PdfText.Reason.CANCELLED, "was not read to its end: the request was cancelled");
    }
    Duration left = remaining.get();
    if (left.isZero() || left.compareTo(minRemaining) < 0) {
      stop(PdfText.Reason.TOO_SLOW, "could not be read in time");
    }
  }

  private void stop(PdfText.Reason reason, String message) {
    exceeded = new ExceededException(reason, message);
    throw exceeded;
  }

  /** Returns the exception with which the budget was exceeded; null while it is not. */
  @Nullable ExceededException exceeded() {
    return exceeded;
  }
}
