package io.strowger.plugins.responsehealing;

import java.util.BitSet;
import java.util.HexFormat;

/** Checks whether a text is JSON by RFC 8259, in linear time and without recursion. */
final class JsonSyntax {
  private static final int END = -1;

  private final String text;
  private final BitSet isObjectAt =
      new BitSet(); // by depth: whether the open container is an object
  private int depth;
  private int position;

  private JsonSyntax(String text) {
    this.text = text;
  }

  static boolean isValid(String text) {
    return new JsonSyntax(text).readDocument();
  }

  static boolean isNumber(String text) {
    var syntax = new JsonSyntax(text);
    return syntax.readNumber() && syntax.position == text.length();
  }

  private boolean readDocument() {
    while (true) {
      skipBlanks();
      if (!readValueStart()) {
        return false;
      }
      boolean hasNext = false;
      while (depth > 0 && !hasNext) {
        skipBlanks();
        if (peek() == ',') {
          position++;
          hasNext = true;
        } else if (!readClose()) {
          return false;
        }
      }
      if (!hasNext) {
        skipBlanks();
        return position == text.length();
      }
      if (isObjectAt.get(depth) && !readName()) {
        return false;
      }
    }
  }

  /**
   * Reads a scalar, or the beginning of a container up to and including its first scalar or empty
   * container.
   */
  private boolean readValueStart() {
    while (peek() == '{' || peek() == '[') {
      boolean isObject = peek() == '{';
      isObjectAt.set(++depth, isObject);
      position++;
      skipBlanks();
      if (peek() == (isObject ? '}' : ']')) {
        return true; // its close is read by the caller
      }
      if (isObject && !readName()) {
        return false;
      }
      skipBlanks();
    }
    return readScalar();
  }

  private boolean readClose() {
    if (peek() != (isObjectAt.get(depth) ? '}' : ']')) {
      return false;
    }
    depth--;
    position++;
    return true;
  }

  private boolean readName() {
    skipBlanks();
    if (peek() != '"' || !readString()) {
      return false;
    }
    skipBlanks();
    return take(':');
  }

  private boolean readScalar() {
    return switch (peek()) {
      case '"' -> readString();
      case 't' -> readWord("true");
      case 'f' -> readWord("false");
      case 'n' -> readWord("null");
      default -> readNumber();
    };
  }

  private boolean readWord(String word) {
    boolean matches = text.startsWith(word, position);
    position += word.length();
    return matches;
  }

  private boolean readString() {
    position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '"') {
        return true;
      }
      if (c < ' ' || c == '\\' && !readEscape()) {
        return false;
      }
    }
    return false;
  }

  private boolean readEscape() {
    int c = peek();
    position++;
    if (c != 'u') {
      return c != END && "\"\\/bfnrt".indexOf(c) >= 0;
    }
    boolean isHex = hasFourHexDigits(text, position);
    position += 4;
    return isHex;
  }

  /** Returns whether four hexadecimal digits are at an index. */
  static boolean hasFourHexDigits(String text, int from) {
    if (from + 4 > text.length()) {
      return false;
    }
    for (int i = from; i < from + 4; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean readNumber() {
    take('-');
    if (!take('0') && !readDigits()) {
      return false;
    }
    if (take('.') && !readDigits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return readDigits();
    }
    return true;
  }

  private boolean readDigits() {
    int from = position;
    while (peek() >= '0' && peek() <= '9') {
      position++;
    }
    return position > from;
  }

  private boolean take(char expected) {
    boolean matches = peek() == expected;
    position += matches ? 1 : 0;
    return matches;
  }

  private void skipBlanks() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      position++;
    }
  }

  private int peek() {
    return position < text.length() ? text.charAt(position) : END;
  }
}
