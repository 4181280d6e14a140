package io.strowger.plugins.pdf;

import io.strowger.spi.ambient.FairShare;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What reading one document may still cost. Whoever does a part of the work says so here; when time
 * or memory is spent, that throws. The library takes every {@link java.io.IOException} for damage
 * that it may repair, so this throws something else, and goes on throwing. For one thread.
 */
final class ReadingBudget {
  /** Work of one object, operator or glyph, in bytes looked at. */
  static final int STEP = 16;

  /** Bytes that streams expand to, of one and of all together. */
  private static final int MAX_OF_STREAM = 16 << 20;

  private static final long MAX_OF_ALL = 96L << 20;

  /** Objects with a life of their own: arrays, dictionaries, names, strings. */
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

  /** Thrown when there is nothing left. */
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
   * @param time most to spend, and no more than remains of the request
   */
  ReadingBudget(Duration time, Supplier<Duration> remaining, BooleanSupplier cancelled) {
    this.remaining = remaining;
    this.cancelled = cancelled;
    Duration left = remaining.get().minus(time);
    this.end = left.isNegative() ? Duration.ZERO : left;
  }

  /** Notes that so many bytes, or what is as much work, were looked at. */
  void did(int amount) {
    share.advance(amount);
    done += amount;
    if (done >= BETWEEN_CHECKS || spent != null) {
      done = 0;
      check();
    }
  }

  /**
   * Notes an object.
   *
   * @param kept it is kept as long as the document, not only as long as the page
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

  /** Begins a page: what was made of the one before can be forgotten. */
  void page() {
    objectsOfPage = 0;
    check();
  }

  /** Ends reading at a page that shows more than this. */
  void tooManyGlyphs(int most) {
    stop(PdfText.Reason.TOO_LARGE, "has a page with more than " + most + " letters");
  }

  /**
   * Notes that a stream expanded by so many bytes.
   *
   * @param before what it expanded to until now
   */
  void expanded(long before, int by) {
    expanded += by;
    if (before + by > MAX_OF_STREAM || expanded > MAX_OF_ALL) {
      stop(PdfText.Reason.TOO_LARGE, "expands to more than is read");
    }
    did(by / STEP + 1);
  }

  /** Throws when nothing is left. */
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

  /** Why nothing is left; null while something is. */
  @Nullable Spent spent() {
    return spent;
  }
}
