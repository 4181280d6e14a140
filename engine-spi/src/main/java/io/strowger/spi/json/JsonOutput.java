package io.strowger.spi.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A growable byte buffer for writing JSON. Not thread-safe; does not check that the pieces together
 * are well-formed JSON.
 */
public final class JsonOutput {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** Values up to this many bytes or characters are copied, even when long ones are not. */
  private static final int MAX_COPIED = 4096;

  private static final int MAX_DECIMALS = 18;

  private byte[] buffer;
  private int length; // bytes in the buffer
  private int referencedLength; // bytes that are referred to
  private final @Nullable List<Reference> references; // null: everything is copied
  private final boolean refersToStrings; // also refer to strings, whose byte length is not known

  /** A value that is not copied, but written when the output is written. */
  private sealed interface Reference {
    /** Returns how many bytes of the buffer come before it. */
    int offset();

    /** Returns how many bytes it adds to the length. */
    int size();

    void writeTo(OutputStream out) throws IOException;

    /** A string whose two quotes are in the buffer. */
    record Text(int offset, String text) implements Reference {
      @Override
      public int size() {
        return 0; // not known before it is written
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        var piece = new JsonOutput(MAX_COPIED + MAX_COPIED / 8);
        for (int start = 0; start < text.length(); ) {
          piece.reset();
          start = piece.appendEscaped(text, start, Math.min(text.length(), start + MAX_COPIED));
          piece.writeTo(out);
        }
      }
    }

    /** A part of an array. */
    record Bytes(int offset, byte[] source, int start, int size) implements Reference {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(source, start, size);
      }

      boolean hasLineBreak() {
        return JsonOutput.hasLineBreak(source, start, start + size);
      }
    }
  }

  /**
   * @param capacity initial size in bytes; the buffer grows when needed
   */
  public JsonOutput(int capacity) {
    this(capacity, null, false);
  }

  private JsonOutput(int capacity, @Nullable List<Reference> references, boolean refersToStrings) {
    this.buffer = new byte[Math.max(capacity, 16)];
    this.references = references;
    this.refersToStrings = refersToStrings;
  }

  /**
   * Returns an output that refers to long values instead of copying them, and reads them only when
   * the output is written to a stream: for output that repeats a long text several times and is
   * written slowly. Bytes given to the output must not change until then.
   *
   * @param capacity initial size in bytes, as of the constructor
   */
  public static JsonOutput withReferences(int capacity) {
    return new JsonOutput(capacity, new ArrayList<>(0), true);
  }

  /**
   * Returns an output that refers to long pieces of bytes instead of copying them: for output that
   * repeats most of a document that was read. Its {@link #length()} is exact. Bytes given to the
   * output must not change as long as the output is in use.
   *
   * @param capacity initial size in bytes of the buffer for the rest
   */
  public static JsonOutput withByteReferences(int capacity) {
    return new JsonOutput(capacity, new ArrayList<>(0), false);
  }

  /** Returns an output that holds a copy of these bytes. */
  public static JsonOutput of(byte[] bytes) {
    var out = new JsonOutput(bytes.length);
    out.bytes(bytes);
    return out;
  }

  /** Returns how many bytes were written; a string that is not copied counts as its two quotes. */
  public int length() {
    return length + referencedLength;
  }

  /** Discards what was written and keeps the buffer. */
  public void reset() {
    truncate(0);
  }

  /** Discards everything after the first {@code newLength} bytes. */
  public void truncate(int newLength) {
    if (newLength < 0 || newLength > length()) {
      throw new IllegalArgumentException(
          "newLength must be 0 to " + length() + ", was " + newLength);
    }
    while (references != null && !references.isEmpty()) {
      Reference last = references.getLast();
      int start = last.offset() + referencedLength - last.size();
      if (start < newLength) {
        break; // a quote follows each text, so what begins before the end is complete
      }
      references.removeLast();
      referencedLength -= last.size();
      length = last.offset();
    }
    length = newLength - referencedLength;
  }

  /** Returns whether a byte from this position on is a line feed or a carriage return. */
  public boolean hasLineBreakFrom(int start) {
    int referencedBefore = referencedLength;
    List<Reference> list = references == null ? List.of() : references;
    for (int i = list.size(); i > 0; i--) {
      Reference reference = list.get(i - 1);
      if (reference.offset() + referencedBefore - reference.size() < start) {
        break;
      }
      if (reference instanceof Reference.Bytes bytes && bytes.hasLineBreak()) {
        return true;
      }
      referencedBefore -= reference.size();
    }
    return hasLineBreak(buffer, start - referencedBefore, length);
  }

  private static boolean hasLineBreak(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\n' || bytes[i] == '\r') {
        return true;
      }
    }
    return false;
  }

  /** Writes the content to a stream, without making a copy. */
  public void writeTo(OutputStream out) throws IOException {
    int position = 0;
    if (references != null) {
      for (Reference reference : references) {
        out.write(buffer, position, reference.offset() - position);
        position = reference.offset();
        reference.writeTo(out);
      }
    }
    out.write(buffer, position, length - position);
  }

  public byte[] toByteArray() {
    if (references != null && !references.isEmpty()) {
      var copy = new ByteArrayOutputStream(length());
      try {
        writeTo(copy);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return copy.toByteArray();
    }
    return length == buffer.length ? buffer.clone() : Arrays.copyOf(buffer, length);
  }

  /** Appends one byte as it is: punctuation, or text known to be ASCII. */
  public void raw(int b) {
    ensureRoom(1);
    buffer[length++] = (byte) b;
  }

  /** Appends bytes as they are, from start to before end. */
  public void bytes(byte[] source, int start, int end) {
    if (references != null && end - start > MAX_COPIED) {
      references.add(new Reference.Bytes(length, source, start, end - start));
      referencedLength += end - start;
      return;
    }
    ensureRoom(end - start);
    System.arraycopy(source, start, buffer, length, end - start);
    length += end - start;
  }

  public void bytes(byte[] source) {
    bytes(source, 0, source.length);
  }

  /** Appends ASCII as it is, without quotes. */
  @SuppressWarnings("deprecation") // the fast way to copy ASCII
  public void ascii(String text) {
    ensureRoom(text.length());
    text.getBytes(0, text.length(), buffer, length);
    length += text.length();
  }

  /**
   * Appends a decimal number, in plain digits; a whole number when there are no decimals.
   *
   * @param unscaled the digits
   * @param decimals how many of them follow the decimal point, 0 to 18
   */
  public void decimal(long unscaled, int decimals) {
    if (decimals < 0 || decimals > MAX_DECIMALS) {
      throw new IllegalArgumentException(
          "decimals must be 0 to " + MAX_DECIMALS + ", was " + decimals);
    }
    int size = decimalLength(unscaled, decimals);
    ensureRoom(size);
    length += size;
    decimal(unscaled, decimals, buffer, length);
  }

  /** Returns how many characters {@link #decimal} writes. */
  static int decimalLength(long unscaled, int decimals) {
    int digits = 1;
    for (long remaining = unscaled / 10; remaining != 0; remaining /= 10) {
      digits++;
    }
    return Math.max(digits, decimals + 1) + (decimals > 0 ? 1 : 0) + (unscaled < 0 ? 1 : 0);
  }

  /** Writes the characters of a decimal number so that the last one is just before {@code end}. */
  static void decimal(long unscaled, int decimals, byte[] target, int end) {
    int position = end;
    long remaining = unscaled;
    for (int i = 0; i <= decimals || remaining != 0; i++) {
      if (i == decimals && i > 0) {
        target[--position] = '.';
      }
      target[--position] = (byte) ('0' + Math.abs(remaining % 10));
      remaining /= 10;
    }
    if (unscaled < 0) {
      target[--position] = '-';
    }
  }

  /** Appends a string literal, quoted and escaped; a lone surrogate is written as an escape. */
  public void string(String text) {
    if (references != null && refersToStrings && text.length() > MAX_COPIED) {
      raw('"');
      references.add(new Reference.Text(length, text));
    } else {
      ensureRoom(text.length() + 2);
      buffer[length++] = '"';
      appendEscaped(text, 0, text.length());
    }
    raw('"');
  }

  /**
   * Appends a part of a text, escaped, and returns the index of the first character that was not
   * written; never splits a surrogate pair.
   */
  private int appendEscaped(String text, int start, int end) {
    int i = start;
    for (; i < end; i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
        ensureRoom(end - i + 1);
        buffer[length++] = (byte) c;
      } else if (c >= 0x80) {
        i += appendNonAscii(text, i, c);
      } else {
        appendEscape(c);
      }
    }
    return i;
  }

  private int appendNonAscii(String text, int index, char c) {
    ensureRoom(6);
    if (c < 0x800) {
      buffer[length++] = (byte) (0xC0 | c >> 6);
      buffer[length++] = (byte) (0x80 | c & 0x3F);
      return 0;
    }
    if (!Character.isSurrogate(c)) {
      buffer[length++] = (byte) (0xE0 | c >> 12);
      buffer[length++] = (byte) (0x80 | c >> 6 & 0x3F);
      buffer[length++] = (byte) (0x80 | c & 0x3F);
      return 0;
    }
    int codePoint = text.codePointAt(index);
    if (codePoint == c) {
      appendUnicodeEscape(c);
      return 0;
    }
    buffer[length++] = (byte) (0xF0 | codePoint >> 18);
    buffer[length++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
    buffer[length++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
    buffer[length++] = (byte) (0x80 | codePoint & 0x3F);
    return 1;
  }

  private void appendEscape(char c) {
    ensureRoom(6);
    switch (c) {
      case '"' -> ascii("\\\"");
      case '\\' -> ascii("\\\\");
      case '\n' -> ascii("\\n");
      case '\r' -> ascii("\\r");
      case '\t' -> ascii("\\t");
      default -> appendUnicodeEscape(c);
    }
  }

  private void appendUnicodeEscape(char c) {
    ascii("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      raw(HEX[c >> shift & 0xF]);
    }
  }

  private void ensureRoom(int more) {
    if (more > buffer.length - length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(length, more)));
    }
  }
}
