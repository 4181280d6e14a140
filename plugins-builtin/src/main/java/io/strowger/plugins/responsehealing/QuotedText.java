package io.strowger.plugins.responsehealing;

import java.util.HexFormat;

/**
 * Reads a text in quotes of any kind and writes it as a JSON string: corrects escapes, escapes line
 * breaks and inner quotes, and adds a missing end.
 */
final class QuotedText {
  private static final int MAX_NAME = 64;
  private static final int MAX_LOOKAHEAD =
      256; // characters; bounds the look-ahead, which is repeated

  private static final String DOUBLE = "\"\u201c\u201d";
  private static final String SINGLE = "'\u2018\u2019`";

  private final TextCursor in;
  private final StringBuilder out;

  /** The role of a text in the JSON. */
  enum Role {
    /** The name of a member. */
    NAME,
    /** The value of a member. */
    MEMBER_VALUE,
    /** An item of an array. */
    ITEM
  }

  QuotedText(TextCursor in, StringBuilder out) {
    this.in = in;
    this.out = out;
  }

  /** Reads a text; the cursor is at its opening quote. */
  void read(Role role) {
    int open = in.take();
    out.append('"');
    int start = out.length();
    while (in.peek() != TextCursor.END) {
      int c = in.peek();
      if (c == '\\') {
        readEscape();
      } else if (closes(open, c)) {
        if (role == Role.MEMBER_VALUE && dropCommaIfQuoteIsMissing(start)) {
          break;
        }
        in.take();
        if (isClosingQuote(role)) {
          break;
        }
        append(c, out);
      } else if (isLineEnd(c) && role == Role.MEMBER_VALUE && isQuotedNameAt(nextLineStart())) {
        dropComma(start);
        break;
      } else {
        append(in.take(), out);
      }
    }
    out.append('"');
  }

  /** Returns whether a character is a quotation mark of people or models. */
  static boolean opens(int c) {
    return c >= 0 && (DOUBLE.indexOf(c) >= 0 || SINGLE.indexOf(c) >= 0);
  }

  /**
   * Returns whether a mark may end a text: a text that began with a straight mark ends only with
   * the same mark, any other text with any mark of the same kind (double or single).
   */
  private static boolean closes(int open, int c) {
    return c == open
        || c >= 0
            && open != '"'
            && open != '\''
            && (DOUBLE.indexOf(open) >= 0 ? DOUBLE : SINGLE).indexOf(c) >= 0;
  }

  private boolean isLineEnd(int c) {
    return c == '\n' || c == '\r' && in.charAt(in.position() + 1) == '\n';
  }

  private int nextLineStart() {
    return in.nonBlankWithin(in.position(), MAX_LOOKAHEAD);
  }

  /**
   * Returns whether the closing quote is missing: the text read so far ends with a comma, and the
   * name of the next member follows. In that case the comma is dropped.
   */
  private boolean dropCommaIfQuoteIsMissing(int start) {
    int last = out.length() - 1;
    while (last >= start && TextCursor.isBlank(out.charAt(last))) {
      last--;
    }
    if (last < start || out.charAt(last) != ',' || !isQuotedNameAt(in.position())) {
      return false;
    }
    out.setLength(last);
    return true;
  }

  private void dropComma(int start) {
    int last = out.length() - 1;
    if (last >= start && out.charAt(last) == ',') {
      out.setLength(last);
    }
  }

  /** Returns whether a quoted name and a colon are at a position. */
  private boolean isQuotedNameAt(int position) {
    int quote = in.charAt(position);
    if (quote != '"' && quote != '\'' || !isNameChar(in.charAt(position + 1))) {
      return false;
    }
    for (int i = position + 1; i <= position + MAX_NAME; i++) {
      int c = in.charAt(i);
      if (c == quote) {
        return in.charAt(in.nonBlankWithin(i + 1, MAX_LOOKAHEAD)) == ':';
      }
      if (c < ' ' || c == '\\') {
        return false;
      }
    }
    return false;
  }

  /** Returns whether the quote just taken ends the text, judging by what follows. */
  private boolean isClosingQuote(Role role) {
    int next = in.nonBlankFrom(in.position());
    int c = in.charAt(next);
    if (role == Role.NAME || c == TextCursor.END || ",:]}[{".indexOf(c) >= 0 || opens(c)) {
      return true;
    }
    if (next > in.position() && c == '#' || c == '/' && "/*".indexOf(in.charAt(next + 1)) >= 0) {
      return true;
    }
    return hasLineBreak(next)
        || (role == Role.ITEM ? BareWord.isScalar(in, next) : isBareNameAt(next));
  }

  private boolean hasLineBreak(int next) {
    for (int i = in.position(); i < next; i++) {
      if (in.charAt(i) == '\n') {
        return true;
      }
    }
    return false;
  }

  private boolean isBareNameAt(int position) {
    int i = position;
    while (i <= position + MAX_NAME && isNameChar(in.charAt(i))) {
      i++;
    }
    return i > position && in.charAt(in.nonBlankWithin(i, MAX_LOOKAHEAD)) == ':';
  }

  private static boolean isNameChar(int c) {
    return c == '_' || c == '$' || c == '-' || c >= 0 && Character.isLetterOrDigit(c);
  }

  private void readEscape() {
    in.take();
    int c = in.peek();
    if (c == 'u' && in.hasFourHexDigits(in.position() + 1)
        || c != TextCursor.END && "\"\\/bfnrt".indexOf(c) >= 0) {
      out.append('\\').append((char) in.take());
    } else if (c == '\'') {
      out.append((char) in.take());
    } else if (c != TextCursor.END && c != '\n') {
      out.append("\\\\"); // a literal backslash
    }
  }

  /** Writes one character, escaped as JSON requires. */
  static void append(int c, StringBuilder out) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < ' ') {
          out.append("\\u").append(HexFormat.of().toHexDigits(c, 4));
        } else {
          out.append((char) c);
        }
      }
    }
  }

  /** Writes a text that had no quotes. */
  static void write(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      append(text.charAt(i), out);
    }
    out.append('"');
  }
}
