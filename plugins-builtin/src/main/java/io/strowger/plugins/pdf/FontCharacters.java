package io.strowger.plugins.pdf;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Counts the characters that a TrueType or OpenType font maps, before the library builds a map of
 * them. Ranges may overlap, so a small font can map billions, and the library cannot be
 * interrupted. Decision 48.
 */
final class FontCharacters {
  /** The most characters; several tables of a large font have fewer in total. */
  private static final long MOST = 1 << 20;

  private static final int CMAP = 0x636d6170; // "cmap" in ASCII
  private static final int ENTRY = 16;
  private static final int HEADER = 12;

  private final ByteBuffer font;
  private long characters;

  private FontCharacters(byte[] font) {
    this.font = ByteBuffer.wrap(font);
  }

  /**
   * Checks a stream that may be a font. The version number is not checked, since the library does
   * not check it.
   *
   * @throws IOException when the font maps too many characters
   */
  static void check(byte[] stream) throws IOException {
    new FontCharacters(stream).tables();
  }

  private void tables() throws IOException {
    int count = word(4);
    for (int i = 0; i < count && HEADER + (i + 1) * ENTRY <= font.capacity(); i++) {
      int entry = HEADER + i * ENTRY;
      if (font.getInt(entry) == CMAP) {
        subtables(number(entry + 8));
      }
    }
  }

  private void subtables(long table) throws IOException {
    int count = word(table + 2);
    for (int i = 0; i < count; i++) {
      long subtable = table + number(table + 4 + 8L * i + 4);
      count(subtable, word(subtable));
    }
  }

  private void count(long at, int format) throws IOException {
    switch (format) {
      case 0 -> add(256);
      case 2 -> headers(at + 6);
      case 4 -> segments(at + 14, word(at + 6) / 2);
      case 6 -> add(word(at + 8));
      case 8 -> groups(at + 12 + 8192);
      case 10 -> add(number(at + 16));
      case 12, 13 -> groups(at + 12);
      default -> {
        // the library ignores other formats
      }
    }
  }

  /** Counts the ranges of second bytes of a format 2 subtable. */
  private void headers(long keys) throws IOException {
    int most = 0;
    for (int i = 0; i < 256; i++) {
      most = Math.max(most, word(keys + 2L * i) / 8);
    }
    for (int i = 0; i <= most; i++) {
      add(word(keys + 512 + 8L * i + 2));
    }
  }

  private void segments(long ends, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int end = word(ends + 2L * i);
      int start = word(ends + 2L * count + 2 + 2L * i);
      add(Math.max(0, end - start + 1));
    }
  }

  private void groups(long at) throws IOException {
    long count = number(at);
    for (long i = 0; i < count && at + 4 + 12 * (i + 1) <= font.capacity(); i++) {
      long start = number(at + 4 + 12 * i);
      add(Math.max(1, number(at + 8 + 12 * i) - start + 1));
    }
  }

  private void add(long more) throws IOException {
    characters += more;
    if (characters > MOST) {
      throw new IOException("a font that maps more than " + MOST + " characters");
    }
  }

  /** Returns the two bytes at an offset as a number; 0 beyond the end. */
  private int word(long at) {
    return at + 2 > font.capacity() ? 0 : Short.toUnsignedInt(font.getShort((int) at));
  }

  /** Returns the four bytes at an offset as a number; 0 beyond the end. */
  private long number(long at) {
    return at + 4 > font.capacity() ? 0 : Integer.toUnsignedLong(font.getInt((int) at));
  }
}
