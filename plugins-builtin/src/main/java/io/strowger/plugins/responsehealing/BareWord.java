package io.strowger.plugins.responsehealing;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a name or value without quotes: a number, a literal or words. */
final class BareWord {
  private static final int LONGEST_SCALAR = 64; // bounds isScalar, which is called often
  private static final int MAX_DROPPED = 3; // characters at the end of a cut-off number, as in 1e+
  private static final String ENDS = ",{}[]\"";

  private final TextCursor in;
  private final StringBuilder out;

  BareWord(TextCursor in, StringBuilder out) {
    this.in = in;
    this.out = out;
  }

  /** Reads the value of a member: a number, a literal, or words, which become a string. */
  boolean member() {
    int from = in.at();
    if (scalar()) {
      return true;
    }
    in.back(from);
    while (in.peek() != TextCursor.END && in.peek() != '\n' && !ends(in.peek())) {
      in.take();
    }
    String words = in.between(from, in.at()).strip();
    if (words.isEmpty() || words.startsWith(":") || words.contains(": ")) {
      return false; // a member name must not become part of a text
    }
    QuotedText.write(words, out);
    return true;
  }

  /**
   * Reads an array item: a number, a literal, or a word that begins with a digit, such as a date.
   */
  boolean item() {
    int from = in.at();
    if (scalar()) {
      return true;
    }
    if (!isDigit(in.charAt(from))) {
      return false; // probably brackets in a sentence
    }
    QuotedText.write(in.between(from, in.at()), out);
    return true;
  }

  /**
   * Reads a name without quotes, up to its colon.
   *
   * @return false when the line has no colon
   */
  boolean name() {
    int from = in.at();
    while (in.peek() != TextCursor.END
        && in.peek() != ':'
        && in.peek() != '\n'
        && !ends(in.peek())) {
      in.take();
    }
    String name = in.between(from, in.at()).strip();
    if (name.isEmpty() || in.peek() != ':') {
      return false;
    }
    QuotedText.write(name, out);
    return true;
  }

  private boolean scalar() {
    int from = in.at();
    while (in.peek() != TextCursor.END && !TextCursor.isBlank(in.peek()) && !ends(in.peek())) {
      in.take();
    }
    String scalar = scalar(in.between(from, in.at()), in.peek() == TextCursor.END);
    if (scalar == null) {
      return false;
    }
    out.append(scalar);
    return true;
  }

  private static boolean ends(int c) {
    return ENDS.indexOf(c) >= 0;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Returns whether a number or literal is at a position. */
  static boolean isScalar(TextCursor in, int place) {
    int to = place;
    while (to <= place + LONGEST_SCALAR
        && in.charAt(to) != TextCursor.END
        && !TextCursor.isBlank(in.charAt(to))
        && !ends(in.charAt(to))) {
      to++;
    }
    return scalar(in.between(place, to), false) != null;
  }

  /**
   * @param last whether the text ends here, so that a literal may have been cut off
   */
  private static @Nullable String scalar(String word, boolean last) {
    return switch (word) {
      case "true", "True", "TRUE" -> "true";
      case "false", "False", "FALSE" -> "false";
      case "null", "None", "NULL", "nil", "undefined", "NaN", "nan", "Infinity", "-Infinity" ->
          "null";
      default -> {
        String whole = last ? completeLiteral(word) : null;
        yield whole == null ? number(word) : whole;
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

  private static @Nullable String number(String word) {
    if (JsonSyntax.isNumber(word)) {
      return word;
    }
    String tried = word.startsWith("+") ? word.substring(1) : word;
    tried = tried.startsWith(".") ? "0" + tried : tried;
    tried = tried.startsWith("-.") ? "-0" + tried.substring(1) : tried;
    tried = isDigit(tried.isEmpty() ? 0 : tried.charAt(0)) ? tried.replace("_", "") : tried;
    for (int i = 0; i <= MAX_DROPPED && !tried.isEmpty(); i++) {
      if (JsonSyntax.isNumber(tried)) {
        return tried;
      }
      if (".eE+-".indexOf(tried.charAt(tried.length() - 1)) < 0) {
        return null;
      }
      tried = tried.substring(0, tried.length() - 1);
    }
    return null;
  }
}
