package io.strowger.host.server;

/**
 * A field of a head or of trailers (RFC 9110, 5).
 *
 * @param name a token, in the case it came in
 * @param value without white space around it
 */
record FieldLine(String name, String value) {
  private static final boolean[] TOKEN = token("!#$%&'*+-.^_`|~");

  /**
   * Reads a line.
   *
   * @throws io.helidon.http.RequestException when it continues the line before it, has white space
   *     before its colon, or characters that belong in no field
   */
  static FieldLine parse(String line) {
    int colon = line.indexOf(':');
    if (colon < 1 || !isToken(line, colon)) {
      throw Refusals.malformed("the name of a field is not a token");
    }
    int from = colon + 1;
    int to = line.length();
    while (from < to && isBlank(line.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(line.charAt(to - 1))) {
      to--;
    }
    String value = line.substring(from, to);
    if (!isText(value)) {
      throw Refusals.malformed("a field holds a control character");
    }
    return new FieldLine(line.substring(0, colon), value);
  }

  /** Returns true when one of the tokens of the value, separated by commas, is this one. */
  boolean hasToken(String token) {
    for (String one : value.split(",", -1)) {
      if (one.strip().equalsIgnoreCase(token)) {
        return true;
      }
    }
    return false;
  }

  private static boolean[] token(String marks) {
    boolean[] token = new boolean[128];
    for (char c = 0; c < token.length; c++) {
      token[c] =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || marks.indexOf(c) >= 0;
    }
    return token;
  }

  static boolean isToken(String text) {
    return !text.isEmpty() && isToken(text, text.length());
  }

  /** Returns true when so many characters at the beginning could be in a token. */
  private static boolean isToken(String text, int length) {
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= TOKEN.length || !TOKEN[c]) {
        return false;
      }
    }
    return true;
  }

  /** Returns true when a text has no control character but the tabulator. */
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
