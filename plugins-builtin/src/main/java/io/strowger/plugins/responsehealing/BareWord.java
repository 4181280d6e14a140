package io.strowger.plugins.responsehealing;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a name or value without quotes: a number, a literal or words. */
final class BareWord {
  private static final int MAX_SCALAR = 64; // bounds isScalar, which is called often
  private static final int MAX_DROPPED = 3; // characters at the end of a cut-off number, as in 1e+
  private static final String TERMINATORS = ",{}[]\"";

  private final TextCursor in;
  private final StringBuilder out;

  BareWord(TextCursor in, StringBuilder out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Reads the value of a member: a number, a literal, or words, which become a string.
   *
   * @return false when there is none; the cursor may have moved, but nothing is written
   */
  boolean readMemberValue() {
    int from = in.position();
    if (readScalar()) {
      return true;
    }
    in.moveTo(from);
    while (in.peek() != TextCursor.END && in.peek() != '\n' && !isTerminator(in.peek())) {
      in.take();
    }
    String words = in.substring(from, in.position()).strip();
    if (words.isEmpty() || words.startsWith(":") || words.contains(": ")) {
      return false; // a member name must not become part of a text
    }
    QuotedText.write(words, out);
    return true;
  }

  /**
   * Reads an array item: a number, a literal, or a word that begins with a digit, such as a date.
   *
   * @return false when there is none; the cursor may have moved, but nothing is written
   */
  boolean readItem() {
    int from = in.position();
    if (readScalar()) {
      return true;
    }
    if (!isDigit(in.charAt(from))) {
      return false; // probably brackets in a sentence
    }
    QuotedText.write(in.substring(from, in.position()), out);
    return true;
  }

  /**
   * Reads a name without quotes, up to its colon, which must be on the same line.
   *
   * @return false when there is no name with a colon on this line; the cursor may have moved, but
   *     nothing is written
   */
  boolean readName() {
    int from = in.position();
    while (in.peek() != TextCursor.END
        && in.peek() != ':'
        && in.peek() != '\n'
        && !isTerminator(in.peek())) {
      in.take();
    }
    String name = in.substring(from, in.position()).strip();
    if (name.isEmpty() || in.peek() != ':') {
      return false;
    }
    QuotedText.write(name, out);
    return true;
  }

  /**
   * Reads a word that is a number or a literal; false, with nothing written, when it is neither.
   */
  private boolean readScalar() {
    int from = in.position();
    while (in.peek() != TextCursor.END
        && !TextCursor.isBlank(in.peek())
        && !isTerminator(in.peek())) {
      in.take();
    }
    String scalar = toJsonScalar(in.substring(from, in.position()), in.peek() == TextCursor.END);
    if (scalar == null) {
      return false;
    }
    out.append(scalar);
    return true;
  }

  private static boolean isTerminator(int c) {
    return TERMINATORS.indexOf(c) >= 0;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Returns whether a number or literal is at a position. */
  static boolean isScalar(TextCursor in, int position) {
    int wordEnd = position;
    while (wordEnd <= position + MAX_SCALAR
        && in.charAt(wordEnd) != TextCursor.END
        && !TextCursor.isBlank(in.charAt(wordEnd))
        && !isTerminator(in.charAt(wordEnd))) {
      wordEnd++;
    }
    return toJsonScalar(in.substring(position, wordEnd), false) != null;
  }

  /**
   * Returns the JSON of a number or literal; null when the word is neither.
   *
   * @param isAtEnd whether the text ends here, so that a literal may have been cut off
   */
  private static @Nullable String toJsonScalar(String word, boolean isAtEnd) {
    return switch (word) {
      case "true", "True", "TRUE" -> "true";
      case "false", "False", "FALSE" -> "false";
      case "null", "None", "NULL", "nil", "undefined", "NaN", "nan", "Infinity", "-Infinity" ->
          "null";
      default -> {
        String completed = isAtEnd ? completeLiteral(word) : null;
        yield completed == null ? toNumber(word) : completed;
      }
    };
  }

  private static @Nullable String completeLiteral(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (String literal : new String[] {"true", "false", "null"}) {
      if (!word.isEmpty() && literal.startsWith(lower)) {
        return literal;
      }
    }
    return null;
  }

  private static @Nullable String toNumber(String word) {
    if (JsonSyntax.isNumber(word)) {
      return word;
    }
    String candidate = word.startsWith("+") ? word.substring(1) : word;
    candidate = candidate.startsWith(".") ? "0" + candidate : candidate;
    candidate = candidate.startsWith("-.") ? "-0" + candidate.substring(1) : candidate;
    candidate =
        isDigit(candidate.isEmpty() ? 0 : candidate.charAt(0))
            ? candidate.replace("_", "")
            : candidate;
    for (int i = 0; i <= MAX_DROPPED && !candidate.isEmpty(); i++) {
      if (JsonSyntax.isNumber(candidate)) {
        return candidate;
      }
      if (".eE+-".indexOf(candidate.charAt(candidate.length() - 1)) < 0) {
        return null;
      }
      candidate = candidate.substring(0, candidate.length() - 1);
    }
    return null;
  }
}
