package io.strowger.plugins.pdf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The font that comes with the library, for every font a document does not bring. The text of a
 * document does not depend on it; the library's own choice reads all fonts of the system.
 *
 * <p>The library has one mapper for the whole process. This one comes before it with the first
 * document that is read, acts only on the threads that are reading, and hands everybody else on to
 * the one it found.
 */
final class BundledFont implements FontMapper {
  private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

  private final FontMapper others;
  private final ConcurrentMap<Thread, Font> reading = new ConcurrentHashMap<>();

  private BundledFont(FontMapper others) {
    this.others = others;
  }

  /** The font, loaded when the first document needs it. Safe on any thread. */
  static final class Font {
    private final AtomicReference<@Nullable TrueTypeFont> loaded = new AtomicReference<>();

    /** By two threads at once, either's will do. */
    private TrueTypeFont get() {
      TrueTypeFont font = loaded.get();
      if (font == null) {
        font = load();
        loaded.set(font);
      }
      return font;
    }
  }

  /**
   * From now until it is closed this thread gets this font. To be closed on this thread. Where
   * another mapper was set meanwhile this comes before that one.
   */
  static Reading begin(Font font) {
    FontMapper current = FontMappers.instance();
    var ours = current instanceof BundledFont there ? there : new BundledFont(current);
    ours.reading.put(Thread.currentThread(), font);
    if (ours != current) {
      FontMappers.set(ours); // of two at once one stays; the other's thread reads with more fonts
    }
    return new Reading(ours);
  }

  /** One reading, on the thread that began it. */
  record Reading(BundledFont mapper) implements AutoCloseable {
    @Override
    public void close() {
      mapper.reading.remove(Thread.currentThread());
    }
  }

  private @Nullable Font font() {
    return reading.get(Thread.currentThread());
  }

  private static TrueTypeFont load() {
    try (InputStream in = PDFont.class.getResourceAsStream(FONT)) {
      if (in == null) {
        throw new IllegalStateException("the PDF library brings no font");
      }
      return new TTFParser().parse(new RandomAccessReadBuffer(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable FontMapping<TrueTypeFont> getTrueTypeFont(
      String baseFont, @Nullable PDFontDescriptor descriptor) {
    Font font = font();
    return font == null
        ? others.getTrueTypeFont(baseFont, descriptor)
        : new FontMapping<>(font.get(), true);
  }

  @Override
  public @Nullable FontMapping<FontBoxFont> getFontBoxFont(
      String baseFont, @Nullable PDFontDescriptor descriptor) {
    Font font = font();
    return font == null
        ? others.getFontBoxFont(baseFont, descriptor)
        : new FontMapping<>(font.get(), true);
  }

  @Override
  public @Nullable CIDFontMapping getCIDFont(
      String baseFont,
      @Nullable PDFontDescriptor descriptor,
      @Nullable PDCIDSystemInfo collection) {
    Font font = font();
    return font == null
        ? others.getCIDFont(baseFont, descriptor, collection)
        : new CIDFontMapping(null, font.get(), true);
  }
}
