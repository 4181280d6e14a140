package io.strowger.plugins.responsehealing;

/** A position in a text that a model wrote, with look-ahead. */
final class TextCursor {
  static final int END = -1;
  static final String FENCE = "```";

  private final String text;
  private final int end;
  private int at;

  /**
   * @param end the exclusive end of the part to read; the text may be longer
   */
  TextCursor(String text, int at, int end) {
    this.text = text;
    this.at = at;
    this.end = end;
  }

  int at() {
    return at;
  }

  void back(int to) {
    at = to;
  }

  /** Returns the next character; {@link #END} at the end. */
  int peek() {
    return charAt(at);
  }

  int charAt(int place) {
    return place < end ? text.charAt(place) : END;
  }

  int take() {
    int c = peek();
    at++;
    return c;
  }

  boolean isOver() {
    return at >= end || isFence(at);
  }

  boolean isFence(int place) {
    return startsWith(FENCE, place);
  }

  private boolean startsWith(String what, int place) {
    return place + what.length() <= end && text.startsWith(what, place);
  }

  boolean isHex(int place) {
    return place + 4 <= end && JsonSyntax.isHex(text, place);
  }

  /** Returns the text between two positions. */
  String between(int from, int to) {
    return text.substring(from, to);
  }

  /** Returns the first non-blank position at or after a position. */
  int afterBlank(int from) {
    return afterBlank(from, end);
  }

  /** Returns the first non-blank position, looking a limited number of characters ahead. */
  int afterBlankWithin(int from, int most) {
    return afterBlank(from, Math.min(end, from + most));
  }

  private int afterBlank(int from, int limit) {
    int place = from;
    while (place < limit && isBlank(text.charAt(place))) {
      place++;
    }
    return place;
  }

  static boolean isBlank(int c) {
    return c >= 0 && (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff');
  }

  /** Skips blanks, comments and ellipses. */
  void skip() {
    int before;
    do {
      before = at;
      at = afterBlank(at);
      if (peek() == '#' || startsWith("//", at)) {
        at = until("\n");
      } else if (startsWith("/*", at)) {
        at = Math.min(end, until("*/") + 2);
      } else if (startsWith("...", at)) {
        at += 3;
      } else if (peek() == '\u2026') {
        at++;
      }
    } while (at > before);
  }

  private int until(String what) {
    int found = text.indexOf(what, at);
    return found < 0 || found > end ? end : found;
  }
}
