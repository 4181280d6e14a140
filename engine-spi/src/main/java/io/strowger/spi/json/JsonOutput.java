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
  private static final int LONG = 4096;

  private static final int MAX_DECIMALS = 18;

  private byte[] buffer;
  private int length; // bytes in the buffer
  private int elsewhere; // bytes that are referred to
  private final @Nullable List<Referred> referred; // null: everything is copied
  private final boolean textsToo; // also refer to strings, whose byte length is not known

  /** A value that is not copied, but written when the output is written. */
  private sealed interface Referred {
    /** Returns how many bytes of the buffer come before it. */
    int at();

    /** Returns how many bytes it adds to the length. */
    int size();

    void writeTo(OutputStream out) throws IOException;

    /** A string whose two quotes are in the buffer. */
    record Text(int at, String text) implements Referred {
      @Override
      public int size() {
        return 0; // not known before it is written
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        var piece = new JsonOutput(LONG + LONG / 8);
        for (int start = 0; start < text.length(); ) {
          piece.reset();
          start = piece.escaped(text, start, Math.min(text.length(), start + LONG));
          piece.writeTo(out);
        }
      }
    }

    /** A part of an array. */
    record Bytes(int at, byte[] source, int start, int size) implements Referred {
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

  private JsonOutput(int capacity, @Nullable List<Referred> referred, boolean textsToo) {
    this.buffer = new byte[Math.max(capacity, 16)];
    this.referred = referred;
    this.textsToo = textsToo;
  }

  /**
   * Returns an output that refers to long values instead of copying them, and reads them when it is
   * written: for output that repeats a long text several times and is written slowly. Bytes given
   * to it must not change until then.
   *
   * @param capacity initial size in bytes, as of the constructor
   */
  public static JsonOutput referring(int capacity) {
    return new JsonOutput(capacity, new ArrayList<>(0), true);
  }

  /**
   * Returns an output that refers to long pieces of bytes instead of copying them: for output that
   * repeats most of a document that was read. Its {@link #length()} is exact. Bytes given to it
   * must not change as long as it is in use.
   *
   * @param capacity initial size in bytes of the buffer for the rest
   */
  public static JsonOutput splicing(int capacity) {
    return new JsonOutput(capacity, new ArrayList<>(0), false);
  }

  /** Returns an output that holds a copy of these bytes. */
  public static JsonOutput of(byte[] written) {
    var out = new JsonOutput(written.length);
    out.bytes(written);
    return out;
  }

  /** Returns how many bytes were written; of a string that is not copied, only its quotes. */
  public int length() {
    return length + elsewhere;
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
    while (referred != null && !referred.isEmpty()) {
      Referred last = referred.getLast();
      int before = last.at() + elsewhere - last.size();
      if (before < newLength) {
        break; // a quote follows each text, so what begins before the end is complete
      }
      referred.removeLast();
      elsewhere -= last.size();
      length = last.at();
    }
    length = newLength - elsewhere;
  }

  /** Returns whether a byte from this position on is a line feed or a carriage return. */
  public boolean hasLineBreakFrom(int start) {
    int before = elsewhere;
    List<Referred> all = referred == null ? List.of() : referred;
    for (int i = all.size(); i > 0; i--) {
      Referred one = all.get(i - 1);
      if (one.at() + before - one.size() < start) {
        break;
      }
      if (one instanceof Referred.Bytes bytes && bytes.hasLineBreak()) {
        return true;
      }
      before -= one.size();
    }
    return hasLineBreak(buffer, start - before, length);
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
    int written = 0;
    if (referred != null) {
      for (Referred one : referred) {
        out.write(buffer, written, one.at() - written);
        written = one.at();
        one.writeTo(out);
      }
    }
    out.write(buffer, written, length - written);
  }

  public byte[] toByteArray() {
    if (referred != null && !referred.isEmpty()) {
      var all = new ByteArrayOutputStream(length());
      try {
        writeTo(all);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return all.toByteArray();
    }
    return length == buffer.length ? buffer.clone() : Arrays.copyOf(buffer, length);
  }

  /** Appends one byte as it is: punctuation, or text known to be ASCII. */
  public void raw(int b) {
    room(1);
    buffer[length++] = (byte) b;
  }

  /** Appends bytes as they are, from start to before end. */
  public void bytes(byte[] source, int start, int end) {
    if (referred != null && end - start > LONG) {
      referred.add(new Referred.Bytes(length, source, start, end - start));
      elsewhere += end - start;
      return;
    }
    room(end - start);
    System.arraycopy(source, start, buffer, length, end - start);
    length += end - start;
  }

  public void bytes(byte[] source) {
    bytes(source, 0, source.length);
  }

  /** Appends ASCII as it is, without quotes. */
  @SuppressWarnings("deprecation") // the fast way to copy ASCII
  public void ascii(String text) {
    room(text.length());
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
      throw new IllegalArgumentException("0 to " + MAX_DECIMALS + " decimals, was " + decimals);
    }
    int size = decimalLength(unscaled, decimals);
    room(size);
    length += size;
    decimal(unscaled, decimals, buffer, length);
  }

  /** Returns how many characters {@link #decimal} writes. */
  static int decimalLength(long unscaled, int decimals) {
    int digits = 1;
    for (long rest = unscaled / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return Math.max(digits, decimals + 1) + (decimals > 0 ? 1 : 0) + (unscaled < 0 ? 1 : 0);
  }

  /** Writes the characters of a decimal number so that the last one is just before {@code end}. */
  static void decimal(long unscaled, int decimals, byte[] into, int end) {
    int at = end;
    long rest = unscaled;
    for (int i = 0; i <= decimals || rest != 0; i++) {
      if (i == decimals && i > 0) {
        into[--at] = '.';
      }
      into[--at] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    }
    if (unscaled < 0) {
      into[--at] = '-';
    }
  }

  /** Appends a string literal, quoted and escaped; a lone surrogate is written as an escape. */
  public void string(String text) {
    if (referred != null && textsToo && text.length() > LONG) {
      raw('"');
      referred.add(new Referred.Text(length, text));
    } else {
      room(text.length() + 2);
      buffer[length++] = '"';
      escaped(text, 0, text.length());
    }
    raw('"');
  }

  /**
   * Appends a part of a text, escaped, and returns the index of the first character that was not
   * written; never splits a surrogate pair.
   */
  private int escaped(String text, int start, int end) {
    int i = start;
    for (; i < end; i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
        room(end - i + 1);
        buffer[length++] = (byte) c;
      } else if (c >= 0x80) {
        i += wide(text, i, c);
      } else {
        escape(c);
      }
    }
    return i;
  }

  private int wide(String text, int at, char c) {
    room(6);
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
    int point = text.codePointAt(at);
    if (point == c) {
      unicode(c);
      return 0;
    }
    buffer[length++] = (byte) (0xF0 | point >> 18);
    buffer[length++] = (byte) (0x80 | point >> 12 & 0x3F);
    buffer[length++] = (byte) (0x80 | point >> 6 & 0x3F);
    buffer[length++] = (byte) (0x80 | point & 0x3F);
    return 1;
  }

  private void escape(char c) {
    room(6);
    switch (c) {
      case '"' -> ascii("\\\"");
      case '\\' -> ascii("\\\\");
      case '\n' -> ascii("\\n");
      case '\r' -> ascii("\\r");
      case '\t' -> ascii("\\t");
      default -> unicode(c);
    }
  }

  private void unicode(char c) {
    ascii("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      raw(HEX[c >> shift & 0xF]);
    }
  }

  private void room(int more) {
    if (more > buffer.length - length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(length, more)));
    }
  }
}
