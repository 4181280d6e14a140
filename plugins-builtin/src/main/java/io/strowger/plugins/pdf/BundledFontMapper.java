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
 * Maps every font that a document does not embed to the font of the library. The extracted text
 * does not depend on the font, while the library's own mapper would read all fonts of the system.
 *
 * <p>The library has one mapper for the whole process. This one replaces it when the first document
 * is read. On threads that are not reading a document it delegates to the mapper it replaced.
 */
final class BundledFontMapper implements FontMapper {
  private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

  private final FontMapper replacedMapper;
  private final ConcurrentMap<Thread, Font> fontsByThread = new ConcurrentHashMap<>();

  private BundledFontMapper(FontMapper replacedMapper) {
    this.replacedMapper = replacedMapper;
  }

  /** The font, loaded when the first document needs it. Safe on any thread. */
  static final class Font {
    private final AtomicReference<@Nullable TrueTypeFont> loaded = new AtomicReference<>();

    /** Returns the font; when two threads load it at once, either result will do. */
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
   * Sets the font for the current thread until the returned object is closed, which must happen on
   * the same thread. If somebody has set another mapper since an earlier call, this one replaces
   * that mapper, too.
   */
  static Reading begin(Font font) {
    FontMapper current = FontMappers.instance();
    var mapper =
        current instanceof BundledFontMapper installed ? installed : new BundledFontMapper(current);
    mapper.fontsByThread.put(Thread.currentThread(), font);
    if (mapper != current) {
      // if two threads race, one mapper stays; the other thread reads with system fonts
      FontMappers.set(mapper);
    }
    return new Reading(mapper);
  }

  /** Use of the font by one thread, until it is closed. */
  record Reading(BundledFontMapper mapper) implements AutoCloseable {
    @Override
    public void close() {
      mapper.fontsByThread.remove(Thread.currentThread());
    }
  }

  private @Nullable Font font() {
    return fontsByThread.get(Thread.currentThread());
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
        ? replacedMapper.getTrueTypeFont(baseFont, descriptor)
        : new FontMapping<>(font.get(), true);
  }

  @Override
  public @Nullable FontMapping<FontBoxFont> getFontBoxFont(
      String baseFont, @Nullable PDFontDescriptor descriptor) {
    Font font = font();
    return font == null
        ? replacedMapper.getFontBoxFont(baseFont, descriptor)
        : new FontMapping<>(font.get(), true);
  }

  @Override
  public @Nullable CIDFontMapping getCIDFont(
      String baseFont,
      @Nullable PDFontDescriptor descriptor,
      @Nullable PDCIDSystemInfo collection) {
    Font font = font();
    return font == null
        ? replacedMapper.getCIDFont(baseFont, descriptor, collection)
        : new CIDFontMapping(null, font.get(), true);
  }
}
