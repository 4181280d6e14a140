package io.strowger.core.json;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the first place where a document is not JSON and says what is wrong there, in words of JSON
 * and not of a parser. Runs only for a document that was refused, and shows one character of it at
 * most, since a forgotten quotation mark can turn a secret into a token.
 */
final class SyntaxFault {
  private static final int NONE = -1;

  private final byte[] bytes;
  private int at;
  private int[] open = new int[16]; // offsets of the containers that are still open
  private int depth;

  /** Thrown inside this class when the place is found. */
  private static final class Found extends Exception {
    private static final long serialVersionUID = 1L;

    Found(String words) {
      super(words, null, false, false);
    }
  }

  private SyntaxFault(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the error for a document that the tokenizer refused.
   *
   * @param bytes valid UTF-8
   * @param refusedAt the offset where the tokenizer gave up; used if this class finds no fault
   */
  static MalformedJsonException of(byte[] bytes, long refusedAt) {
    try {
      new SyntaxFault(bytes).document();
    } catch (Found fault) {
      return new MalformedJsonException(String.valueOf(fault.getMessage()));
    }
    return new MalformedJsonException("is not JSON at " + place(bytes, refusedAt));
  }

  private void document() throws Found {
    var turn = new FairShare(FairShare.READ_BYTES);
    boolean wantsValue = true;
    do {
      int before = at;
      wantsValue = wantsValue ? value() : afterValue();
      turn.advance(at - before);
    } while (wantsValue || depth > 0);
    if (peek() != NONE) {
      throw wrong("expected nothing behind the end of the document, found " + found());
    }
  }

  /** Reads a scalar or opens a container; returns whether another value must follow. */
  private boolean value() throws Found {
    int next = peek();
    switch (next) {
      case '{' -> {
        return enter() != '}' ? name("expected a member name in quotation marks") : leave();
      }
      case '[' -> {
        return enter() != ']' || leave();
      }
      case '"' -> string(false);
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (next != '-' && !isDigit(next)) {
          throw unexpected("a value");
        }
        number();
      }
    }
    return false;
  }

  private int enter() {
    if (depth == open.length) {
      open = Arrays.copyOf(open, depth * 2);
    }
    open[depth++] = at++;
    return peek();
  }

  /** Closes the innermost container; returns that no value must follow. */
  private boolean leave() {
    depth--;
    at++;
    return false;
  }

  /** Reads what may follow a value; returns whether another value must follow. */
  private boolean afterValue() throws Found {
    boolean inObject = bytes[open[depth - 1]] == '{';
    char close = inObject ? '}' : ']';
    int next = peek();
    if (next == close) {
      return leave();
    }
    if (next != ',') {
      throw unexpected("',' or '" + close + "'");
    }
    at++;
    return !inObject || name("expected a member name in quotation marks behind the comma");
  }

  /** Reads the name of a member and the colon; returns that a value must follow. */
  private boolean name(String expected) throws Found {
    if (peek() != '"') {
      throw peek() == NONE ? incomplete() : wrong(expected + ", found " + found());
    }
    string(true);
    if (peek() != ':') {
      throw unexpected("':' behind the member name");
    }
    at++;
    return true;
  }

  /** Reads a string; half of a surrogate pair is refused in a name only, as by the tokenizer. */
  private void string(boolean isName) throws Found {
    boolean half = false;
    for (at++; at < bytes.length && bytes[at] != '"'; at++) {
      if (bytes[at] >= 0 && bytes[at] < ' ') {
        throw wrong(found() + " in a string, which may be missing its quotation mark");
      }
      char escaped = bytes[at] == '\\' ? escape() : 0;
      if (isName && half != Character.isLowSurrogate(escaped)) {
        throw halfOfPair();
      }
      half = Character.isHighSurrogate(escaped);
    }
    if (at == bytes.length) {
      throw incomplete();
    }
    if (isName && half) {
      throw halfOfPair();
    }
    at++;
  }

  private Found halfOfPair() {
    return wrong("a member name must not have half of a surrogate pair");
  }

  /**
   * Reads an escape sequence; returns the character for one with four hexadecimal digits, 0 for any
   * other.
   */
  private char escape() throws Found {
    if (++at == bytes.length) {
      throw incomplete();
    }
    if ("\"\\/bfnrtu".indexOf(bytes[at]) < 0) {
      throw wrong("a backslash must not be followed by " + found());
    }
    int value = 0;
    for (int digits = bytes[at] == 'u' ? 4 : 0; digits > 0; digits--) {
      if (++at == bytes.length) {
        throw incomplete();
      }
      int digit = Character.digit(bytes[at], 16);
      if (digit < 0) {
        throw wrong("expected four hexadecimal digits behind \\u, found " + found());
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private void literal(String word) throws Found {
    for (int i = 0; i < word.length(); i++, at++) {
      if (at == bytes.length) {
        throw incomplete();
      }
      if (bytes[at] != word.charAt(i)) {
        throw wrong("expected " + word + ", found " + found() + " in it");
      }
    }
  }

  private void number() throws Found {
    if (bytes[at] == '-') {
      at++;
    }
    boolean zero = at < bytes.length && bytes[at] == '0';
    int first = at;
    digits();
    if (zero && at > first + 1) {
      at = first;
      throw wrong("a number must not begin with a needless 0");
    }
    if (at < bytes.length && bytes[at] == '.') {
      at++;
      digits();
    }
    if (at < bytes.length && (bytes[at] == 'e' || bytes[at] == 'E')) {
      at++;
      if (at < bytes.length && (bytes[at] == '+' || bytes[at] == '-')) {
        at++;
      }
      digits();
    }
  }

  private void digits() throws Found {
    if (at == bytes.length) {
      throw incomplete();
    }
    if (!isDigit(bytes[at])) {
      throw wrong("expected a digit, found " + found());
    }
    while (at < bytes.length && isDigit(bytes[at])) {
      at++;
    }
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /** Returns the next byte that is not white space, not consumed; {@link #NONE} at the end. */
  private int peek() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
    return at == bytes.length ? NONE : bytes[at];
  }

  private Found unexpected(String expected) {
    return at == bytes.length ? incomplete() : wrong("expected " + expected + ", found " + found());
  }

  private Found wrong(String words) {
    return new Found("is not JSON at " + place(bytes, at) + ": " + words);
  }

  private Found incomplete() {
    String end = "ends at " + place(bytes, bytes.length) + " before it is complete";
    if (depth == 0) {
      return new Found(end);
    }
    int innermost = open[depth - 1];
    String what = bytes[innermost] == '{' ? "object" : "array";
    return new Found(end + ": the " + what + " of " + place(bytes, innermost) + " is not closed");
  }

  /** Returns the character here, in words when it cannot be shown. */
  private String found() {
    return switch (bytes[at]) {
      case '\n', '\r' -> "a line break";
      case '\t' -> "a tab";
      case '"' -> "a quotation mark";
      default -> {
        String rest = new String(bytes, at, Math.min(4, bytes.length - at), StandardCharsets.UTF_8);
        int character = rest.codePointAt(0);
        yield Character.isISOControl(character)
            ? "the control character U+%04X".formatted(character)
            : "'" + Character.toString(character) + "'";
      }
    };
  }

  /**
   * Returns a place the way editors name it: {@code line 2, column 18}. Both count from 1; a column
   * is a character, not a byte.
   *
   * @param document the document, valid UTF-8 up to the place
   * @param offset the offset of a byte, from 0 to the length of the document
   */
  static String place(byte[] document, long offset) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < offset; i++) {
      if (document[i] == '\n') {
        line++;
        column = 1;
      } else if ((document[i] & 0xC0) != 0x80) { // all but the later bytes of a character
        column++;
      }
    }
    return "line " + line + ", column " + column;
  }
}
