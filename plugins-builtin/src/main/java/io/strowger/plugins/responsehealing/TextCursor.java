package io.strowger.plugins.responsehealing;

/** A position in a text that a model wrote, with look-ahead. */
final class TextCursor {
  static final int END = -1;
  static final String FENCE = "```";

  private final String text;
  private final int end;
  private int position;

  /**
   * @param end the exclusive end of the part to read; the text may be longer
   */
  TextCursor(String text, int position, int end) {
    this.text = text;
    this.position = position;
    this.end = end;
  }

  int position() {
    return position;
  }

  void moveTo(int newPosition) {
    position = newPosition;
  }

  /** Returns the next character; {@link #END} at the end. */
  int peek() {
    return charAt(position);
  }

  int charAt(int index) {
    return index < end ? text.charAt(index) : END;
  }

  int take() {
    int c = peek();
    position++;
    return c;
  }

  boolean isAtEndOrFence() {
    return position >= end || isFence(position);
  }

  boolean isFence(int index) {
    return startsWith(FENCE, index);
  }

  private boolean startsWith(String prefix, int index) {
    return index + prefix.length() <= end && text.startsWith(prefix, index);
  }

  boolean hasFourHexDigits(int index) {
    return index + 4 <= end && JsonSyntax.hasFourHexDigits(text, index);
  }

  /** Returns the text between two positions. */
  String substring(int from, int to) {
    return text.substring(from, to);
  }

  /** Returns the first non-blank position at or after a position; the end when there is none. */
  int nonBlankFrom(int from) {
    return nonBlankFrom(from, end);
  }

  /** Returns the first non-blank position at or after a position, at most {@code maxLength} on. */
  int nonBlankWithin(int from, int maxLength) {
    return nonBlankFrom(from, Math.min(end, from + maxLength));
  }

  private int nonBlankFrom(int from, int limit) {
    int index = from;
    while (index < limit && isBlank(text.charAt(index))) {
      index++;
    }
    return index;
  }

  static boolean isBlank(int c) {
    return c >= 0 && (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff');
  }

  /** Skips blanks, comments and ellipses. */
  void skipIgnorable() {
    int previous;
    do {
      previous = position;
      position = nonBlankFrom(position);
      if (peek() == '#' || startsWith("//", position)) {
        position = indexOfOrEnd("\n");
      } else if (startsWith("/*", position)) {
        position = Math.min(end, indexOfOrEnd("*/") + 2);
      } else if (startsWith("...", position)) {
        position += 3;
      } else if (peek() == '\u2026') {
        position++;
      }
    } while (position > previous);
  }

  private int indexOfOrEnd(String terminator) {
    int index = text.indexOf(terminator, position);
    return index < 0 || index > end ? end : index;
  }
}
