package io.strowger.host.server;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A header field or trailer field (RFC 9110, 5).
 *
 * @param name a token, in its original case
 * @param value without white space around it
 */
record FieldLine(String name, String value) {
  private static final int TOO_LARGE = 431;
  private static final boolean[] TOKEN_CHARS = tokenChars("!#$%&'*+-.^_`|~");

  /**
   * Reads the next field.
   *
   * @param limit the most characters that the field's line may have
   * @return null when the line is empty, which ends the fields
   * @throws io.helidon.http.RequestException as by {@link ConnectionInput#readLine(int, int)} and
   *     {@link #parse}
   */
  static @Nullable FieldLine next(ConnectionInput input, int limit) {
    return input.readLine(limit, TOO_LARGE, FieldLine::parse);
  }

  /**
   * Parses a line.
   *
   * @return null when it is empty
   * @throws io.helidon.http.RequestException when the line continues the previous one, has white
   *     space before its colon, or contains characters that are not allowed in a field
   */
  private static @Nullable FieldLine parse(byte[] line, int begin, int end) {
    if (begin == end) {
      return null;
    }
    int colon = begin;
    while (colon < end && isTokenChar((char) (line[colon] & 0xff))) {
      colon++;
    }
    if (colon == begin || colon == end || line[colon] != ':') {
      throw HttpError.malformed("the name of a field is not a token");
    }
    int from = colon + 1;
    int to = end;
    while (from < to && isBlank((char) line[from])) {
      from++;
    }
    while (to > from && isBlank((char) line[to - 1])) {
      to--;
    }
    String value = new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    if (!isText(value)) {
      throw HttpError.malformed("a field holds a control character");
    }
    return new FieldLine(
        new String(line, begin, colon - begin, StandardCharsets.ISO_8859_1), value);
  }

  /** Returns whether the value, a comma-separated list, contains a token, ignoring case. */
  boolean hasToken(String token) {
    for (String listed : value.split(",", -1)) {
      if (listed.strip().equalsIgnoreCase(token)) {
        return true;
      }
    }
    return false;
  }

  private static boolean[] tokenChars(String marks) {
    boolean[] allowed = new boolean[128];
    for (char c = 0; c < allowed.length; c++) {
      allowed[c] =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || marks.indexOf(c) >= 0;
    }
    return allowed;
  }

  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isTokenChar(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isTokenChar(char c) {
    return c < TOKEN_CHARS.length && TOKEN_CHARS[c];
  }

  /** Returns whether a text has no control characters except tabs. */
  static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' && c != '\t' || c == 0x7f) {
        return false;
      }
    }
    return true;
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
