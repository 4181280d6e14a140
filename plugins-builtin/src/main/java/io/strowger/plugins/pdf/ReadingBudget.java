package io.strowger.plugins.pdf;

import io.strowger.spi.ambient.FairShare;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time and memory left to read one document. All work is charged to it, and it throws when they
 * are used up. The library treats every {@link java.io.IOException} as damage that it may repair,
 * so the exception is unchecked, and it is thrown again at every further charge. Confined to one
 * thread.
 */
final class ReadingBudget {
  /** The work charged for an operator or glyph, as an equivalent of bytes read. */
  static final int STEP = 16;

  /** The most bytes that one stream may expand to. */
  private static final int MAX_OF_STREAM = 16 << 20;

  private static final long MAX_OF_ALL = 96L << 20;

  /** The most objects of a document: arrays, dictionaries, names, strings. */
  private static final int MAX_OBJECTS = 3_000_000;

  private static final int MAX_OBJECTS_OF_PAGE = 1_000_000;

  private static final int BETWEEN_CHECKS = 8 * 1024;

  private final Duration end;
  private final Supplier<Duration> remaining;
  private final BooleanSupplier cancelled;
  private final FairShare share = new FairShare(FairShare.READ_BYTES);
  private long expanded;
  private int objects;
  private int objectsOfPage;
  private int done;
  private @Nullable Spent spent;

  /** Thrown when the budget is spent or the request is cancelled. */
  static final class Spent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final PdfText.Reason reason;
    private final String message;

    Spent(PdfText.Reason reason, String message) {
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
    this.end = left.isNegative() ? Duration.ZERO : left;
  }

  /** Charges work, in bytes read or the equivalent. */
  void did(int amount) {
    share.advance(amount);
    done += amount;
    if (done >= BETWEEN_CHECKS || spent != null) {
      done = 0;
      check();
    }
  }

  /**
   * Charges an object.
   *
   * @param kept whether it is kept as long as the document, instead of as long as the page
   */
  void object(boolean kept) {
    if (kept && ++objects > MAX_OBJECTS) {
      stop(PdfText.Reason.TOO_LARGE, "has more than " + MAX_OBJECTS + " objects");
    }
    if (!kept && ++objectsOfPage > MAX_OBJECTS_OF_PAGE) {
      stop(
          PdfText.Reason.TOO_LARGE,
          "has a page with more than " + MAX_OBJECTS_OF_PAGE + " objects");
    }
  }

  /** Begins a page; the objects of the previous page are no longer counted. */
  void page() {
    objectsOfPage = 0;
    check();
  }

  /** Stops reading at a page with more glyphs than this. */
  void tooManyGlyphs(int most) {
    stop(PdfText.Reason.TOO_LARGE, "has a page with more than " + most + " letters");
  }

  /**
   * Charges the bytes by which a stream expanded.
   *
   * @param before the bytes the stream had expanded to before
   */
  void expanded(long before, int by) {
    expanded += by;
    if (before + by > MAX_OF_STREAM || expanded > MAX_OF_ALL) {
      stop(PdfText.Reason.TOO_LARGE, "expands to more than is read");
    }
    did(by / STEP + 1);
  }

  /** Throws if the time is up, the request is cancelled or the budget was exceeded before. */
  void check() {
    if (spent != null) {
      throw spent;
    }
    if (cancelled.getAsBoolean()) {
      stop(PdfText.Reason.CANCELLED, "was not read to its end: nobody waits for it");
    }
    Duration left = remaining.get();
    if (left.isZero() || left.compareTo(end) < 0) {
      stop(PdfText.Reason.TOO_SLOW, "could not be read in time");
    }
  }

  private void stop(PdfText.Reason reason, String message) {
    spent = new Spent(reason, message);
    throw spent;
  }

  /** Returns the exception with which the budget was exceeded; null while it is not. */
  @Nullable Spent spent() {
    return spent;
  }
}
