package io.strowger.plugins.pdf;

import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.io.RandomAccessRead;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the text of untrusted PDF documents. Time, memory, pages and characters are bounded;
 * when a bound is exceeded, an {@link Unreadable} with the reason is thrown, except that surplus
 * pages are left out. Images are not read, scripts, links and embedded files are not followed, and
 * nothing is read from or written to disk. For that reason fonts that a document does not embed are
 * replaced by the font of the library, on the reading threads only. Decision 48.
 *
 * <p>Safe on any thread. Only a few documents are read at a time and others wait, since reading
 * takes processor time and memory.
 */
public final class PdfText {
  private static final Duration WAIT_STEP = Duration.ofMillis(100);

  private final Limits limits;
  private final Semaphore permits;
  private final BundledFontMapper.Font font = new BundledFontMapper.Font();

  /**
   * Limits on reading a document.
   *
   * @param bytes the most bytes of a document; a larger one is refused; positive
   * @param pages the most pages that are read; further pages are left out; positive
   * @param characters once this many are read, further pages are left out; positive
   * @param time the most time to read one document, not counting the wait for other documents;
   *     positive
   */
  public record Limits(int bytes, int pages, int characters, Duration time) {
    /** 32 MiB, 2,000 pages, 2,000,000 characters, 30 seconds. */
    public static final Limits DEFAULT =
        new Limits(32 << 20, 2_000, 2_000_000, Duration.ofSeconds(30));

    public Limits {
      Objects.requireNonNull(time, "time");
      if (bytes < 1 || pages < 1 || characters < 1 || !time.isPositive()) {
        throw new IllegalArgumentException("limits must be positive");
      }
    }
  }

  /**
   * The text that was read.
   *
   * @param pages the text of each page, in order, lines ended by a line feed; empty where a page
   *     has none, such as one that is only an image
   * @param isComplete false when pages were left out because of {@link Limits#pages} or {@link
   *     Limits#characters}
   */
  public record Extracted(List<String> pages, boolean isComplete) {
    public Extracted {
      pages = List.copyOf(pages);
    }

    /** Returns the text of all pages that have any, separated by empty lines. */
    public String text() {
      return String.join("\n\n", pages.stream().filter(page -> !page.isEmpty()).toList());
    }
  }

  /** Thrown when a document cannot be read; the message is the rest of a sentence about it. */
  public static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String message;

    Unreadable(Reason reason, String message, Throwable cause) {
      super(cause);
      this.reason = reason;
      this.message = message;
    }

    /** Returns what is wrong with the document, without any of its content. */
    @Override
    public String getMessage() {
      return message;
    }

    public Reason reason() {
      return reason;
    }
  }

  /** Why a document cannot be read. */
  public enum Reason {
    /** It is not a PDF document, or is truncated or damaged. */
    DAMAGED,
    /** It needs a password. */
    ENCRYPTED,
    /** It exceeds a limit of size, as stored or as decompressed. */
    TOO_LARGE,
    /** It could not be read in the available time. */
    TOO_SLOW,
    /** The request was cancelled. */
    CANCELLED
  }

  /**
   * @param maxConcurrent the most documents that are read at the same time; positive
   */
  public PdfText(Limits limits, int maxConcurrent) {
    this.limits = Objects.requireNonNull(limits, "limits");
    if (maxConcurrent < 1) {
      throw new IllegalArgumentException("maxConcurrent must be positive, was " + maxConcurrent);
    }
    this.permits = new Semaphore(maxConcurrent, true);
  }

  private PdfText(Limits limits, Semaphore permits) {
    this.limits = limits;
    this.permits = permits;
  }

  /**
   * Returns a reader with other limits that counts towards the same bound of concurrent documents.
   */
  public PdfText with(Limits newLimits) {
    return new PdfText(newLimits, permits);
  }

  /** Returns the limits on reading a document. */
  public Limits limits() {
    return limits;
  }

  /**
   * Reads a document and returns its text. Blocks while too many others are being read.
   *
   * @param pdf the document; not kept
   * @param remaining gives the time left for the request, called repeatedly; such as {@code
   *     chain::remaining}
   * @param cancelled whether the request was cancelled, called repeatedly; such as {@code
   *     chain.cancellation()::isCancelled}
   */
  public Extracted read(byte[] pdf, Supplier<Duration> remaining, BooleanSupplier cancelled)
      throws Unreadable {
    return admit(pdf, remaining, cancelled, this::extract);
  }

  /**
   * Returns the number of pages of a document, with the limits and parameters of {@link #read}; at
   * most one more than {@link Limits#pages}.
   */
  public int countPages(byte[] pdf, Supplier<Duration> remaining, BooleanSupplier cancelled)
      throws Unreadable {
    return admit(pdf, remaining, cancelled, this::count);
  }

  private <T> T admit(
      byte[] pdf, Supplier<Duration> remaining, BooleanSupplier cancelled, Task<T> task)
      throws Unreadable {
    if (pdf.length > limits.bytes) {
      throw new Unreadable(
          Reason.TOO_LARGE,
          "has " + pdf.length + " bytes, and at most " + limits.bytes + " are read",
          new IOException("too large"));
    }
    acquirePermit(remaining, cancelled);
    try (var fonts = BundledFontMapper.begin(font)) {
      return readBounded(pdf, new ReadingBudget(limits.time, remaining, cancelled), task);
    } finally {
      permits.release();
    }
  }

  /** Waits for a permit in short steps, since a cancellation does not wake a waiting thread. */
  private void acquirePermit(Supplier<Duration> remaining, BooleanSupplier cancelled)
      throws Unreadable {
    try {
      Duration wait = Duration.ZERO;
      while (!permits.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        if (cancelled.getAsBoolean()) {
          throw new Unreadable(
              Reason.CANCELLED,
              "was not read: the request was cancelled",
              new IOException("cancelled"));
        }
        Duration left = remaining.get();
        if (!left.isPositive()) {
          throw new Unreadable(
              Reason.TOO_SLOW,
              "could not be read in time: other documents are being read",
              new IOException("too many at a time"));
        }
        wait = left.compareTo(WAIT_STEP) < 0 ? left : WAIT_STEP;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreadable(Reason.CANCELLED, "was not read: the request was cancelled", e);
    }
  }

  /** Work with an untrusted document. */
  @FunctionalInterface
  private interface Task<T> {
    T run(PDDocument document, ReadingBudget budget) throws IOException;
  }

  private static <T> T readBounded(byte[] pdf, ReadingBudget budget, Task<T> task)
      throws Unreadable {
    try {
      budget.check();
      T result;
      try (PDDocument document = new BoundedParser(pdf, budget).parse()) {
        result = task.run(document, budget);
      }
      budget.check(); // the library may have swallowed an exception of the budget
      return result;
    } catch (ReadingBudget.ExceededException exceeded) {
      throw new Unreadable(exceeded.reason(), exceeded.getMessage(), exceeded);
    } catch (InvalidPasswordException | BoundedParser.PrivateKeyRequiredException e) {
      throw new Unreadable(Reason.ENCRYPTED, "is encrypted, and no password is known", e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      ReadingBudget.ExceededException exceeded = budget.exceeded();
      if (exceeded != null) {
        throw new Unreadable(exceeded.reason(), exceeded.getMessage(), e);
      }
      throw new Unreadable(Reason.DAMAGED, "is no PDF document that can be read", e);
    }
  }

  private Extracted extract(PDDocument document, ReadingBudget budget) throws IOException {
    var pages = new ArrayList<String>();
    var reader = new PageReader(budget);
    var walk = new PageWalk(document, budget);
    int characters = 0;
    for (PDPage page = walk.next(); page != null; page = walk.next()) {
      if (pages.size() == limits.pages || characters >= limits.characters) {
        return new Extracted(pages, false);
      }
      String text = reader.read(document, page);
      characters += text.length();
      pages.add(text);
    }
    if (pages.isEmpty()) {
      throw new IOException("there is no page");
    }
    return new Extracted(pages, true);
  }

  private int count(PDDocument document, ReadingBudget budget) throws IOException {
    var walk = new PageWalk(document, budget);
    int pages = 0;
    while (pages <= limits.pages && walk.next() != null) {
      pages++;
    }
    if (pages == 0) {
      throw new IOException("there is no page");
    }
    return pages;
  }

  /** A page whose content streams are bounded like every other stream. */
  private static final class BoundedPage extends PDPage {
    BoundedPage(COSDictionary page) {
      super(page);
    }

    @Override
    public RandomAccessRead getContentsForStreamParsing() throws IOException {
      return getContentsForRandomAccess(); // the library's own implementation bypasses our streams
    }
  }

  /** Walks the pages of a document in order; each node of the tree is visited at most once. */
  private static final class PageWalk {
    private final ArrayDeque<COSDictionary> pendingNodes = new ArrayDeque<>();
    private final Set<COSDictionary> visited = new HashSet<>();
    private final ReadingBudget budget;

    PageWalk(PDDocument document, ReadingBudget budget) {
      this.budget = budget;
      COSDictionary catalog = document.getDocumentCatalog().getCOSObject();
      push(catalog.getDictionaryObject(COSName.PAGES));
    }

    private void push(@Nullable COSBase node) {
      if (node instanceof COSDictionary dictionary && visited.add(dictionary)) {
        pendingNodes.push(dictionary);
      }
    }

    /** Returns the next page; null after the last one. */
    @Nullable PDPage next() {
      while (!pendingNodes.isEmpty()) {
        budget.chargeWork(ReadingBudget.STEP);
        COSDictionary node = pendingNodes.pop();
        if (node.getDictionaryObject(COSName.KIDS) instanceof COSArray kids) {
          for (int i = kids.size() - 1; i >= 0; i--) {
            push(kids.getObject(i));
          }
        } else {
          return new BoundedPage(node);
        }
      }
      return null;
    }
  }

  /** Extracts the text of single pages within a budget. */
  private static final class PageReader extends PDFTextStripper {
    /** The most glyphs of one page; each is kept until the page is written. */
    private static final int MAX_GLYPHS = 200_000;

    private final ReadingBudget budget;
    private int glyphs;

    PageReader(ReadingBudget budget) {
      this.budget = budget;
      setStartPage(0); // pages are passed in without numbers
      setLineSeparator("\n");
      setPageEnd("");
      setShouldSeparateByBeads(false);
    }

    String read(PDDocument source, PDPage page) throws IOException {
      budget.beginPage();
      glyphs = 0;
      var text = new StringWriter();
      document = source;
      output = text;
      processPage(page);
      return text.toString().strip();
    }

    @Override
    protected void processOperator(Operator operator, List<COSBase> operands) throws IOException {
      budget.chargeWork(ReadingBudget.STEP + operands.size());
      super.processOperator(operator, operands);
    }

    @Override
    protected void processTextPosition(TextPosition glyph) {
      budget.chargeWork(ReadingBudget.STEP);
      if (++glyphs <= MAX_GLYPHS) {
        super.processTextPosition(glyph);
      } else {
        budget.rejectGlyphs(MAX_GLYPHS);
      }
    }
  }
}
