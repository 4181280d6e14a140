package io.strowger.plugins.pdf;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Counts the characters that a TrueType or OpenType font maps, before the library builds a map of
 * them. Tables and ranges may overlap, so a small font can map billions, and the library cannot be
 * interrupted. Decision 48.
 *
 * <p>Each entry that is read counts as one character at least, even if it maps none: the count also
 * limits the work of the library and of this class.
 */
final class FontCharacters {
  /** The most characters; even the {@code cmap} subtables of a large font add up to fewer. */
  private static final long MAX_CHARACTERS = 1 << 20;

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
    new FontCharacters(stream).readTables();
  }

  private void readTables() throws IOException {
    int count = uint16(4);
    for (int i = 0; i < count && HEADER + (i + 1) * ENTRY <= font.capacity(); i++) {
      int entry = HEADER + i * ENTRY;
      if (font.getInt(entry) == CMAP) {
        add(1);
        readSubtables(uint32(entry + 8));
      }
    }
  }

  private void readSubtables(long table) throws IOException {
    int count = uint16(table + 2);
    for (int i = 0; i < count; i++) {
      add(1);
      long subtable = table + uint32(table + 4 + 8L * i + 4);
      countSubtable(subtable, uint16(subtable));
    }
  }

  private void countSubtable(long offset, int format) throws IOException {
    switch (format) {
      case 0 -> add(256);
      case 2 -> addHeaders(offset + 6);
      case 4 -> addSegments(offset + 14, uint16(offset + 6) / 2);
      case 6 -> add(uint16(offset + 8));
      case 8 -> addGroups(offset + 12 + 8192);
      case 10 -> add(uint32(offset + 16));
      case 12, 13 -> addGroups(offset + 12);
      default -> {
        // the library ignores other formats
      }
    }
  }

  /** Counts the ranges of second bytes of a format 2 subtable. */
  private void addHeaders(long keys) throws IOException {
    add(256);
    int maxIndex = 0;
    for (int i = 0; i < 256; i++) {
      maxIndex = Math.max(maxIndex, uint16(keys + 2L * i) / 8);
    }
    for (int i = 0; i <= maxIndex; i++) {
      add(Math.max(1, uint16(keys + 512 + 8L * i + 2)));
    }
  }

  private void addSegments(long ends, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int end = uint16(ends + 2L * i);
      int start = uint16(ends + 2L * count + 2 + 2L * i);
      add(Math.max(1, end - start + 1));
    }
  }

  private void addGroups(long offset) throws IOException {
    long count = uint32(offset);
    for (long i = 0; i < count && offset + 4 + 12 * (i + 1) <= font.capacity(); i++) {
      long start = uint32(offset + 4 + 12 * i);
      add(Math.max(1, uint32(offset + 8 + 12 * i) - start + 1));
    }
  }

  private void add(long count) throws IOException {
    characters += count;
    if (characters > MAX_CHARACTERS) {
      throw new IOException(
          "a font that maps more than " + MAX_CHARACTERS + " characters and empty ranges");
    }
  }

  /** Returns the two bytes at an offset as a number; 0 beyond the end. */
  private int uint16(long offset) {
    return offset + 2 > font.capacity() ? 0 : Short.toUnsignedInt(font.getShort((int) offset));
  }

  /** Returns the four bytes at an offset as a number; 0 beyond the end. */
  private long uint32(long offset) {
    return offset + 4 > font.capacity() ? 0 : Integer.toUnsignedLong(font.getInt((int) offset));
  }
}
