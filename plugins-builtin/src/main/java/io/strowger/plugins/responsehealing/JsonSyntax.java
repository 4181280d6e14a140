package io.strowger.plugins.responsehealing;

import java.util.BitSet;
import java.util.HexFormat;

/** Checks whether a text is JSON by RFC 8259, in linear time and without recursion. */
final class JsonSyntax {
  private static final int NONE = -1;

  private final String text;
  private final BitSet objects = new BitSet(); // by depth: whether the open container is an object
  private int depth;
  private int at;

  private JsonSyntax(String text) {
    this.text = text;
  }

  static boolean isValid(String text) {
    return new JsonSyntax(text).whole();
  }

  static boolean isNumber(String text) {
    var syntax = new JsonSyntax(text);
    return syntax.number() && syntax.at == text.length();
  }

  private boolean whole() {
    while (true) {
      blank();
      if (!begins()) {
        return false;
      }
      boolean more = false;
      while (depth > 0 && !more) {
        blank();
        if (peek() == ',') {
          at++;
          more = true;
        } else if (!closes()) {
          return false;
        }
      }
      if (!more) {
        blank();
        return at == text.length();
      }
      if (objects.get(depth) && !name()) {
        return false;
      }
    }
  }

  /**
   * Reads a scalar, or the beginning of a container up to and including its first scalar or empty
   * container.
   */
  private boolean begins() {
    while (peek() == '{' || peek() == '[') {
      boolean object = peek() == '{';
      objects.set(++depth, object);
      at++;
      blank();
      if (peek() == (object ? '}' : ']')) {
        return true; // its close is read by the caller
      }
      if (object && !name()) {
        return false;
      }
      blank();
    }
    return scalar();
  }

  private boolean closes() {
    if (peek() != (objects.get(depth) ? '}' : ']')) {
      return false;
    }
    depth--;
    at++;
    return true;
  }

  private boolean name() {
    blank();
    if (peek() != '"' || !string()) {
      return false;
    }
    blank();
    return take(':');
  }

  private boolean scalar() {
    return switch (peek()) {
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    };
  }

  private boolean word(String word) {
    boolean is = text.startsWith(word, at);
    at += word.length();
    return is;
  }

  private boolean string() {
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return true;
      }
      if (c < ' ' || c == '\\' && !escape()) {
        return false;
      }
    }
    return false;
  }

  private boolean escape() {
    int c = peek();
    at++;
    if (c != 'u') {
      return c != NONE && "\"\\/bfnrt".indexOf(c) >= 0;
    }
    boolean hex = isHex(text, at);
    at += 4;
    return hex;
  }

  /** Returns whether four hexadecimal digits are at an index. */
  static boolean isHex(String text, int from) {
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

  private boolean number() {
    take('-');
    if (!take('0') && !digits()) {
      return false;
    }
    if (take('.') && !digits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return digits();
    }
    return true;
  }

  private boolean digits() {
    int from = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    return at > from;
  }

  private boolean take(char wanted) {
    boolean is = peek() == wanted;
    at += is ? 1 : 0;
    return is;
  }

  private void blank() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  private int peek() {
    return at < text.length() ? text.charAt(at) : NONE;
  }
}
