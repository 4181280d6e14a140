package io.strowger.plugins.responsehealing;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads what stands where a value is due and has no quotes. */
final class BareWord {
  private static final int LONGEST_SCALAR = 64; // that is looked for again and again
  private static final int MOST_DROPPED = 3; // of a number that breaks off, as in 1e+
  private static final String ENDS = ",{}[]\"";

  private final TextCursor in;
  private final StringBuilder out;

  BareWord(TextCursor in, StringBuilder out) {
    this.in = in;
    this.out = out;
  }

  /** The value of a member: a number, a literal, or words as they are. */
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
      return false; // or a name of its own would become part of a text
    }
    QuotedText.write(words, out);
    return true;
  }

  /** An item: a number or a literal, or what begins like a number, such as a day. */
  boolean item() {
    int from = in.at();
    if (scalar()) {
      return true;
    }
    if (!isDigit(in.charAt(from))) {
      return false; // more likely brackets in a sentence
    }
    QuotedText.write(in.between(from, in.at()), out);
    return true;
  }

  /** A name without quotes, up to its colon; false when there is no colon on the line. */
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

  /** Whether a number or literal stands at a place. */
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
   * @param last nothing follows, so that a literal may have been cut off
   */
  private static @Nullable String scalar(String word, boolean last) {
    return switch (word) {
      case "true", "True", "TRUE" -> "true";
      case "false", "False", "FALSE" -> "false";
      case "null", "None", "NULL", "nil", "undefined", "NaN", "nan", "Infinity", "-Infinity" ->
          "null";
      default -> {
        String whole = last ? begun(word) : null;
        yield whole == null ? number(word) : whole;
      }
    };
  }

  private static @Nullable String begun(String word) {
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
    for (int i = 0; i <= MOST_DROPPED && !tried.isEmpty(); i++) {
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
