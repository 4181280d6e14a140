package io.strowger.spi.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing buffer that JSON is written to. For one thread; nothing here checks that the pieces put
 * together are well-formed JSON.
 */
public final class JsonOutput {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private byte[] buffer;
  private int length;

  /**
   * @param capacity bytes to make room for at first; the buffer grows beyond it by itself
   */
  public JsonOutput(int capacity) {
    buffer = new byte[Math.max(capacity, 16)];
  }

  /** An output that holds a copy of these bytes. */
  public static JsonOutput of(byte[] written) {
    var out = new JsonOutput(written.length);
    out.bytes(written);
    return out;
  }

  public int length() {
    return length;
  }

  /** Forgets what was written; the room is kept. */
  public void reset() {
    length = 0;
  }

  /** Forgets what was written from here on. */
  public void truncate(int newLength) {
    if (newLength < 0 || newLength > length) {
      throw new IllegalArgumentException("0 to " + length + ", was " + newLength);
    }
    length = newLength;
  }

  /** True when one of the bytes from here on is a line feed or a carriage return. */
  public boolean hasLineBreakFrom(int start) {
    for (int i = start; i < length; i++) {
      if (buffer[i] == '\n' || buffer[i] == '\r') {
        return true;
      }
    }
    return false;
  }

  /** Hands on what was written, without a copy. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, 0, length);
  }

  public byte[] toByteArray() {
    return length == buffer.length ? buffer.clone() : Arrays.copyOf(buffer, length);
  }

  /** Appends one byte as it is: punctuation, or text known to be ASCII. */
  public void raw(int b) {
    room(1);
    buffer[length++] = (byte) b;
  }

  /** Appends bytes as they are, from start to before end. */
  public void bytes(byte[] source, int start, int end) {
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

  /** Appends a string literal, quoted and escaped; a lone surrogate is written as an escape. */
  public void string(String text) {
    room(text.length() + 2);
    buffer[length++] = '"';
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
        room(text.length() - i + 1);
        buffer[length++] = (byte) c;
      } else if (c >= 0x80) {
        i += wide(text, i, c);
      } else {
        escape(c);
      }
    }
    raw('"');
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
