package io.strowger.plugins.pdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.plugins.pdf.PdfText.Limits;
import io.strowger.plugins.pdf.PdfText.Reason;
import io.strowger.plugins.pdf.PdfText.Unreadable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Text of a PDF document")
class PdfTextTest {
  private static final Limits SMALL = new Limits(32 << 20, 100, 100_000, Duration.ofSeconds(10));

  private static PdfText.Extracted read(byte[] pdf) throws Unreadable {
    return read(pdf, SMALL);
  }

  private static PdfText.Extracted read(byte[] pdf, Limits limits) throws Unreadable {
    long start = System.nanoTime();
    return new PdfText(limits, 1)
        .read(pdf, () -> Duration.ofMinutes(5).minusNanos(System.nanoTime() - start), () -> false);
  }

  private static Unreadable refusal(byte[] pdf) {
    return catchThrowableOfType(Unreadable.class, () -> read(pdf));
  }

  /** The font mapper of a host that renders documents itself; records the fonts it looks up. */
  private static final class RecordingFontMapper implements FontMapper {
    private final FontMapper others = FontMappers.instance();
    private final List<String> lookups = Collections.synchronizedList(new ArrayList<>());

    @Override
    public @Nullable FontMapping<TrueTypeFont> getTrueTypeFont(
        String baseFont, @Nullable PDFontDescriptor descriptor) {
      lookups.add(baseFont);
      return others.getTrueTypeFont(baseFont, descriptor);
    }

    @Override
    public @Nullable FontMapping<FontBoxFont> getFontBoxFont(
        String baseFont, @Nullable PDFontDescriptor descriptor) {
      lookups.add(baseFont);
      return null;
    }

    @Override
    public @Nullable CIDFontMapping getCIDFont(
        String baseFont,
        @Nullable PDFontDescriptor descriptor,
        @Nullable PDCIDSystemInfo collection) {
      lookups.add(baseFont);
      return null;
    }
  }

  @Test
  @DisplayName("is read without changing the fonts of other code in the process")
  void fontsOfOthers() throws Exception {
    FontMapper before = FontMappers.instance();
    byte[] pdf = Pdfs.pages("read with the bundled font");
    var host = new RecordingFontMapper();
    FontMappers.set(host);
    try {
      var pdfText = new PdfText(PdfText.Limits.DEFAULT, 1);
      assertThat(FontMappers.instance()).isSameAs(host);
      var wasReplaced = new AtomicBoolean();
      String text =
          pdfText
              .read(
                  pdf,
                  () -> {
                    if (FontMappers.instance() != host && wasReplaced.compareAndSet(false, true)) {
                      Thread other =
                          new Thread(() -> FontMappers.instance().getFontBoxFont("Theirs", null));
                      other.start();
                      try {
                        other.join();
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    }
                    return Duration.ofMinutes(1);
                  },
                  () -> false)
              .text();
      assertThat(text).isEqualTo("read with the bundled font");
      assertThat(wasReplaced).isTrue();
      assertThat(host.lookups).containsExactly("Theirs");
      FontMappers.instance().getTrueTypeFont("Theirs too", null);
      assertThat(host.lookups).containsExactly("Theirs", "Theirs too");
    } finally {
      FontMappers.set(before);
    }
  }

  @Test
  @DisplayName("is read without a font whose ranges of characters overlap too often")
  void hostileFont() throws Exception {
    for (int format : new int[] {12, 4}) {
      byte[] pdf = Pdfs.withFont(fontWithHostileTable(format), "read anyway");
      assertThat(read(pdf).text()).as("format " + format).isEqualTo("read anyway");
      assertThatThrownBy(() -> FontCharacters.check(fontWithHostileTable(format)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("1048576 characters");
    }
    FontCharacters.check(Pdfs.bundledFont()); // a valid font passes
    FontCharacters.check(new byte[0]);
  }

  @Test
  @DisplayName("is read without a font whose tables overlap, even if they map no characters")
  void overlappingTables() throws Exception {
    byte[] segments = Pdfs.withTable(Pdfs.bundledFont(), "cmap", overlapping(65_535, 4));
    assertThat(read(Pdfs.withFont(segments, "read anyway")).text()).isEqualTo("read anyway");
    for (int format : new int[] {2, 4}) {
      assertRefused(fontOf(1, overlapping(200, format)));
    }
    assertRefused(fontOf(20, overlapping(65_535, 14)));
    FontCharacters.check(fontOf(10, overlapping(1_000, 14)));
  }

  private static void assertRefused(byte[] font) {
    assertThatThrownBy(() -> FontCharacters.check(font))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1048576 characters and empty ranges");
  }

  /** Returns a font whose directory lists the same table of characters several times. */
  private static byte[] fontOf(int tables, byte[] table) {
    int start = 12 + 16 * tables;
    ByteBuffer font = ByteBuffer.allocate(start + table.length);
    font.putInt(0x00010000).putShort((short) tables).position(12);
    for (int i = 0; i < tables; i++) {
      font.putInt(0x636d6170).putInt(0).putInt(start).putInt(table.length);
    }
    return font.put(table).array();
  }

  /** Returns a table of characters that lists one subtable many times; it maps no characters. */
  private static byte[] overlapping(int subtables, int format) {
    int start = 4 + 8 * subtables;
    int size = 16 + 4 * 32_767; // of the largest subtable of format 4
    ByteBuffer table = ByteBuffer.allocate(start + size);
    table.putShort((short) 0).putShort((short) subtables);
    for (int i = 0; i < subtables; i++) {
      table.putShort((short) 3).putShort((short) 1).putInt(start);
    }
    table.putShort((short) format);
    if (format == 4) { // each segment starts after its end
      table.putInt(0).putShort((short) 65_534).position(start + 16 + 2 * 32_767);
      for (int i = 0; i < 32_767; i++) {
        table.putShort((short) 1);
      }
    } else if (format == 2) { // the last of 8192 empty ranges is used
      table.putShort(start + 6, (short) 65_528);
    }
    return table.array();
  }

  /** Returns the library's font with another table of characters: each range has all of them. */
  private static byte[] fontWithHostileTable(int format) {
    int ranges = 20_000;
    ByteBuffer table = ByteBuffer.allocate(12 + 16 + 12 * ranges);
    table.putInt(1).putShort((short) 3).putShort((short) 10).putInt(12);
    if (format == 12) {
      table.putShort((short) 12).putShort((short) 0).putInt(16 + 12 * ranges);
      table.putInt(0).putInt(ranges);
      for (int i = 0; i < ranges; i++) {
        table.putInt(0x10000).putInt(0x10FFFF).putInt(0);
      }
    } else {
      table.putShort((short) 4).putShort((short) 0xffff).putShort((short) 0);
      table.putShort((short) (2 * ranges)).putShort((short) 0).putInt(0);
      for (int i = 0; i < ranges; i++) {
        table.putShort((short) 0xfffe);
      }
    }
    return Pdfs.withTable(Pdfs.bundledFont(), "cmap", table.array());
  }

  @Test
  @DisplayName("is read page by page, with its lines")
  void pages() throws Exception {
    var extracted = read(Pdfs.pages("first line\nsecond line", "", "third page"));
    assertThat(extracted.pages()).containsExactly("first line\nsecond line", "", "third page");
    assertThat(extracted.text()).isEqualTo("first line\nsecond line\n\nthird page");
    assertThat(extracted.isComplete()).isTrue();
  }

  @Test
  @DisplayName("of a document that opens with the empty password is read")
  void openlyEncrypted() throws Exception {
    assertThat(read(Pdfs.encrypted("", "for everybody")).text()).isEqualTo("for everybody");
  }

  @Test
  @DisplayName("of a document that needs a password is not read")
  void encrypted() {
    Unreadable refused = refusal(Pdfs.encrypted("secret", "for few"));
    assertThat(refused.reason()).isEqualTo(Reason.ENCRYPTED);
    assertThat(refused).hasMessage("is encrypted, and no password is known");
  }

  @Test
  @DisplayName("of a document that is encrypted for its reader's key is not read")
  void encryptedForKey() {
    byte[] plain =
        Pdfs.page("", Pdfs.stream("", new byte[0]), Pdfs.ascii("<</Filter/Adobe.PubSec/V 4>>"));
    byte[] pdf =
        Pdfs.ascii(
            new String(plain, java.nio.charset.StandardCharsets.ISO_8859_1)
                .replace("<</Root 1 0 R", "<</Encrypt 5 0 R/Root 1 0 R"));
    assertThat(refusal(pdf).reason()).isEqualTo(Reason.ENCRYPTED);
  }

  @Test
  @DisplayName("ends after the last page that is allowed, and is marked as incomplete")
  void manyPages() throws Exception {
    var texts = IntStream.range(0, 103).mapToObj(i -> "page " + i).toArray(String[]::new);
    var extracted = read(Pdfs.pages(texts));
    assertThat(extracted.pages()).hasSize(100).startsWith("page 0").endsWith("page 99");
    assertThat(extracted.isComplete()).isFalse();
    assertThat(read(Pdfs.pages(Arrays.copyOf(texts, 100))).isComplete()).isTrue();
  }

  @Test
  @DisplayName("ends after the page that reaches the allowed number of characters")
  void manyCharacters() throws Exception {
    var limits = new Limits(1 << 20, 100, 10, Duration.ofSeconds(10));
    var extracted = read(Pdfs.pages("12345", "67890", "more"), limits);
    assertThat(extracted.pages()).containsExactly("12345", "67890");
    assertThat(extracted.isComplete()).isFalse();
  }

  @Test
  @DisplayName("of a document with too many bytes is not read")
  void manyBytes() {
    var limits = new Limits(100, 100, 100, Duration.ofSeconds(10));
    var refused = catchThrowableOfType(Unreadable.class, () -> read(new byte[101], limits));
    assertThat(refused.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(refused).hasMessage("has 101 bytes, and at most 100 are read");
  }

  private record HostileDocument(String name, byte[] pdf, Reason... outcomes) {}

  private static List<HostileDocument> hostileDocuments() {
    var all = new ArrayList<HostileDocument>();
    all.add(new HostileDocument("an empty file", new byte[0], Reason.DAMAGED));
    all.add(new HostileDocument("an HTML file", Pdfs.ascii("<html>hello</html>"), Reason.DAMAGED));
    all.add(new HostileDocument("only a header", Pdfs.ascii("%PDF-1.7\n%%EOF"), Reason.DAMAGED));
    all.add(
        new HostileDocument(
            "a decompression bomb of 1 GB",
            Pdfs.page("", Pdfs.stream("/Filter/FlateDecode", Pdfs.bomb(1 << 30, 1))),
            Reason.TOO_LARGE));
    all.add(
        new HostileDocument(
            "a bomb in a bomb",
            Pdfs.page("", Pdfs.stream("/Filter[/FlateDecode/FlateDecode]", Pdfs.bomb(1 << 29, 2))),
            Reason.TOO_LARGE));
    all.add(
        new HostileDocument(
            "a page that shows one stream 100,000 times",
            Pdfs.file(
                Pdfs.ascii("<</Type/Catalog/Pages 2 0 R>>"),
                Pdfs.ascii("<</Type/Pages/Kids[3 0 R]/Count 1>>"),
                Pdfs.ascii(
                    "<</Type/Page/Parent 2 0 R/Contents[" + "4 0 R ".repeat(100_000) + "]>>"),
                Pdfs.stream("/Filter/FlateDecode", Pdfs.bomb(1 << 20, 1))),
            Reason.TOO_LARGE));
    all.add(
        new HostileDocument(
            "rows of two billion columns",
            Pdfs.page(
                "",
                Pdfs.stream(
                    "/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647>>",
                    Pdfs.bomb(1000, 1)))));
    all.add(
        new HostileDocument(
            "objects in objects", nested("[", 3_000_000), Reason.DAMAGED, Reason.TOO_LARGE));
    all.add(new HostileDocument("pages in pages", pageTree(50_000)));
    all.add(
        new HostileDocument("5,000,000 dictionaries", nested("<<>>", 5_000_000), Reason.TOO_LARGE));
    all.add(
        new HostileDocument(
            "a page of 2,000,000 dictionaries",
            Pdfs.page("", Pdfs.stream("", Pdfs.ascii("[" + "<<>>".repeat(2_000_000) + "]"))),
            Reason.TOO_LARGE));
    all.add(
        new HostileDocument("forms that show forms", forms(), Reason.TOO_SLOW, Reason.TOO_LARGE));
    all.add(new HostileDocument("a font that maps everything", everyCode("00000000", "FFFFFFFF")));
    all.add(
        new HostileDocument("a font that maps many codes many times", everyCode("0000", "FFFF")));
    all.add(
        new HostileDocument(
            "a page of a million letters",
            Pdfs.page(
                "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>",
                Pdfs.stream("", Pdfs.ascii("BT/F 12 Tf(" + "letters ".repeat(125_000) + ")Tj ET"))),
            Reason.TOO_LARGE));
    all.add(
        new HostileDocument(
            "a loop in the page tree",
            Pdfs.file(
                Pdfs.ascii("<</Type/Catalog/Pages 2 0 R>>"),
                Pdfs.ascii("<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>"),
                Pdfs.ascii("<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R]>>")),
            Reason.DAMAGED));
    all.add(new HostileDocument("a table of a billion objects", table(), Reason.DAMAGED));
    return all;
  }

  private static byte[] nested(String opening, int times) {
    return Pdfs.file(
        Pdfs.ascii("<</Type/Catalog/Pages 2 0 R/Names " + "[" + opening.repeat(times) + "]>>"),
        Pdfs.ascii("<</Type/Pages/Kids[3 0 R]/Count 1>>"),
        Pdfs.ascii("<</Type/Page/Parent 2 0 R>>"));
  }

  private static byte[] pageTree(int depth) {
    var objects = new ArrayList<byte[]>();
    objects.add(Pdfs.ascii("<</Type/Catalog/Pages 2 0 R>>"));
    for (int i = 2; i < depth; i++) {
      objects.add(
          Pdfs.ascii(
              "<</Type/Pages/Count 1/Kids[" + (i + 1) + " 0 R]/Parent " + (i - 1) + " 0 R>>"));
    }
    objects.add(Pdfs.ascii("<</Type/Page/Parent " + (depth - 1) + " 0 R>>"));
    return Pdfs.file(objects.toArray(byte[][]::new));
  }

  private static byte[] forms() {
    var forms = new ArrayList<byte[]>();
    for (int i = 5; i < 45; i++) {
      forms.add(
          Pdfs.stream(
              "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X "
                  + (i + 1)
                  + " 0 R>>>>",
              Pdfs.ascii("/X Do /X Do")));
    }
    return Pdfs.page(
        "/XObject<</X 5 0 R>>",
        Pdfs.stream("", Pdfs.ascii("/X Do /X Do")),
        forms.toArray(byte[][]::new));
  }

  private static byte[] everyCode(String from, String to) {
    String ranges = ("<" + from + "><" + to + "><0041>\n").repeat(20_000);
    return Pdfs.page(
        "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>>>",
        Pdfs.stream("", Pdfs.ascii("BT/F 12 Tf(text)Tj ET")),
        Pdfs.stream(
            "",
            Pdfs.ascii(
                "begincmap 1 begincodespacerange<"
                    + from
                    + "><"
                    + to
                    + ">endcodespacerange "
                    + "20000 beginbfrange\n"
                    + ranges
                    + "endbfrange endcmap")));
  }

  private static byte[] table() {
    return Pdfs.ascii(
        "%PDF-1.7\nxref\n0 1000000000\n"
            + "0000000000 65535 f \n".repeat(100_000)
            + "trailer<</Root 1 0 R/Size 1000000000>>\nstartxref\n9\n%%EOF\n");
  }

  @TestFactory
  @DisplayName("of a hostile document is read or refused in bounded time:")
  Stream<DynamicTest> hostile() {
    return hostileDocuments().stream()
        .map(
            document ->
                DynamicTest.dynamicTest(document.name(), () -> assertBoundedTime(document)));
  }

  private static void assertBoundedTime(HostileDocument document) {
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Unreadable refused = refusal(document.pdf());
    long millis = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1_000_000;
    assertThat(millis).isLessThan(15_000);
    if (document.outcomes().length > 0) {
      assertThat(refused).isNotNull();
      assertThat(refused.reason()).isIn((Object[]) document.outcomes());
    }
  }

  @Test
  @DisplayName("of a document that is cut at any place is read or refused")
  void cut() {
    byte[] whole = Pdfs.pages("some text", "more of it");
    for (int length = 0; length < whole.length; length += 7) {
      assertReadOrRefused(Arrays.copyOf(whole, length));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("of a document with random damage is read or refused")
  void damaged(long seed) {
    var random = new Random(seed);
    byte[] whole = seed % 2 == 0 ? Pdfs.pages("some text", "more") : Pdfs.encrypted("", "text");
    for (int i = 0; i < 100; i++) {
      byte[] damaged = whole.clone();
      for (int changes = random.nextInt(20); changes >= 0; changes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      assertReadOrRefused(damaged);
    }
  }

  /** Asserts that a document is read or refused; any other failure is thrown. */
  private static void assertReadOrRefused(byte[] pdf) {
    Unreadable refused = refusal(pdf);
    if (refused != null) {
      assertThat(refused.reason()).isIn(Reason.DAMAGED, Reason.ENCRYPTED, Reason.TOO_LARGE);
    }
  }

  @Test
  @DisplayName("is abandoned when its time is over, even in the middle of a page")
  void slow() {
    var timeChecks = new AtomicInteger();
    byte[] pdf = Pdfs.pages("word ".repeat(2000).strip().replace("word word word", "line\n"));
    var refused =
        catchThrowableOfType(
            Unreadable.class,
            () ->
                new PdfText(new Limits(1 << 20, 100, 1000, Duration.ofSeconds(2)), 1)
                    .read(
                        pdf,
                        () -> Duration.ofSeconds(60 - timeChecks.getAndIncrement()),
                        () -> false));
    assertThat(refused.reason()).isEqualTo(Reason.TOO_SLOW);
    assertThat(timeChecks.get()).isLessThan(10);
  }

  @Test
  @DisplayName("is abandoned when the call is cancelled")
  void cancelled() {
    var refused =
        catchThrowableOfType(
            Unreadable.class,
            () ->
                new PdfText(SMALL, 1)
                    .read(Pdfs.pages("text"), () -> Duration.ofSeconds(5), () -> true));
    assertThat(refused.reason()).isEqualTo(Reason.CANCELLED);
  }

  @Test
  @DisplayName("of a document that has to wait for another one is refused when the time is over")
  void oneAtATime() throws Exception {
    var reader = new PdfText(SMALL, 1);
    var reading = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    byte[] pdf = Pdfs.pages("text");
    Thread first =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    reader.read(pdf, () -> Duration.ofSeconds(50), () -> block(reading, release));
                  } catch (Unreadable e) {
                    throw new AssertionError(e);
                  }
                });
    reading.await();
    var timeChecks = new AtomicInteger();
    Supplier<Duration> remaining =
        () -> Duration.ofMillis(timeChecks.incrementAndGet() == 1 ? 20 : 0);
    var refused =
        catchThrowableOfType(Unreadable.class, () -> reader.read(pdf, remaining, () -> false));
    assertThat(refused.reason()).isEqualTo(Reason.TOO_SLOW);
    release.countDown();
    first.join();
    assertThat(reader.read(pdf, () -> Duration.ofSeconds(50), () -> false).text())
        .isEqualTo("text");
  }

  private static boolean block(CountDownLatch reading, CountDownLatch release) {
    reading.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
