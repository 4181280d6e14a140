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
  private int position;
  private int[] openOffsets = new int[16]; // offsets of the containers that are still open
  private int depth;

  /** Thrown inside this class when the place is found. */
  private static final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;

    FaultException(String message) {
      super(message, null, false, false);
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
    } catch (FaultException e) {
      return new MalformedJsonException(String.valueOf(e.getMessage()));
    }
    return new MalformedJsonException("is not JSON at " + place(bytes, refusedAt));
  }

  private void document() throws FaultException {
    var fairShare = new FairShare(FairShare.READ_BYTES);
    boolean wantsValue = true;
    do {
      int start = position;
      wantsValue = wantsValue ? value() : afterValue();
      fairShare.advance(position - start);
    } while (wantsValue || depth > 0);
    if (peek() != NONE) {
      throw fault("expected nothing after the end of the document, found " + describeCharacter());
    }
  }

  /** Reads a scalar or opens a container; returns whether another value must follow. */
  private boolean value() throws FaultException {
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
    if (depth == openOffsets.length) {
      openOffsets = Arrays.copyOf(openOffsets, depth * 2);
    }
    openOffsets[depth++] = position++;
    return peek();
  }

  /** Closes the innermost container; returns false, since no value must follow. */
  private boolean leave() {
    depth--;
    position++;
    return false;
  }

  /** Reads what may follow a value; returns whether another value must follow. */
  private boolean afterValue() throws FaultException {
    boolean inObject = bytes[openOffsets[depth - 1]] == '{';
    char close = inObject ? '}' : ']';
    int next = peek();
    if (next == close) {
      return leave();
    }
    if (next != ',') {
      throw unexpected("',' or '" + close + "'");
    }
    position++;
    return !inObject || name("expected a member name in quotation marks after the comma");
  }

  /** Reads the name of a member and the colon; returns true, since a value must follow. */
  private boolean name(String expected) throws FaultException {
    if (peek() != '"') {
      throw peek() == NONE ? incomplete() : fault(expected + ", found " + describeCharacter());
    }
    string(true);
    if (peek() != ':') {
      throw unexpected("':' after the member name");
    }
    position++;
    return true;
  }

  /** Reads a string; half of a surrogate pair is refused in a name only, as by the tokenizer. */
  private void string(boolean isName) throws FaultException {
    boolean isPairOpen = false;
    for (position++; position < bytes.length && bytes[position] != '"'; position++) {
      if (bytes[position] >= 0 && bytes[position] < ' ') {
        throw fault(describeCharacter() + " in a string, which may be missing its quotation mark");
      }
      char escaped = bytes[position] == '\\' ? escape() : 0;
      if (isName && isPairOpen != Character.isLowSurrogate(escaped)) {
        throw unpairedSurrogate();
      }
      isPairOpen = Character.isHighSurrogate(escaped);
    }
    if (position == bytes.length) {
      throw incomplete();
    }
    if (isName && isPairOpen) {
      throw unpairedSurrogate();
    }
    position++;
  }

  private FaultException unpairedSurrogate() {
    return fault("a member name must not have half of a surrogate pair");
  }

  /**
   * Reads an escape sequence; returns the character for one with four hexadecimal digits, 0 for any
   * other.
   */
  private char escape() throws FaultException {
    if (++position == bytes.length) {
      throw incomplete();
    }
    if ("\"\\/bfnrtu".indexOf(bytes[position]) < 0) {
      throw fault("a backslash must not be followed by " + describeCharacter());
    }
    int value = 0;
    for (int digits = bytes[position] == 'u' ? 4 : 0; digits > 0; digits--) {
      if (++position == bytes.length) {
        throw incomplete();
      }
      int digit = Character.digit(bytes[position], 16);
      if (digit < 0) {
        throw fault("expected four hexadecimal digits after \\u, found " + describeCharacter());
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private void literal(String word) throws FaultException {
    for (int i = 0; i < word.length(); i++, position++) {
      if (position == bytes.length) {
        throw incomplete();
      }
      if (bytes[position] != word.charAt(i)) {
        throw fault("expected " + word + ", found " + describeCharacter() + " in it");
      }
    }
  }

  private void number() throws FaultException {
    if (bytes[position] == '-') {
      position++;
    }
    boolean startsWithZero = position < bytes.length && bytes[position] == '0';
    int first = position;
    digits();
    if (startsWithZero && position > first + 1) {
      position = first;
      throw fault("a number must not begin with a needless 0");
    }
    if (position < bytes.length && bytes[position] == '.') {
      position++;
      digits();
    }
    if (position < bytes.length && (bytes[position] == 'e' || bytes[position] == 'E')) {
      position++;
      if (position < bytes.length && (bytes[position] == '+' || bytes[position] == '-')) {
        position++;
      }
      digits();
    }
  }

  private void digits() throws FaultException {
    if (position == bytes.length) {
      throw incomplete();
    }
    if (!isDigit(bytes[position])) {
      throw fault("expected a digit, found " + describeCharacter());
    }
    while (position < bytes.length && isDigit(bytes[position])) {
      position++;
    }
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /** Returns the next byte that is not white space, not consumed; {@link #NONE} at the end. */
  private int peek() {
    while (position < bytes.length
        && (bytes[position] == ' '
            || bytes[position] == '\n'
            || bytes[position] == '\r'
            || bytes[position] == '\t')) {
      position++;
    }
    return position == bytes.length ? NONE : bytes[position];
  }

  private FaultException unexpected(String expected) {
    return position == bytes.length
        ? incomplete()
        : fault("expected " + expected + ", found " + describeCharacter());
  }

  private FaultException fault(String message) {
    return new FaultException("is not JSON at " + place(bytes, position) + ": " + message);
  }

  private FaultException incomplete() {
    String end = "ends at " + place(bytes, bytes.length) + " before it is complete";
    if (depth == 0) {
      return new FaultException(end);
    }
    int innermost = openOffsets[depth - 1];
    String container = bytes[innermost] == '{' ? "object" : "array";
    return new FaultException(
        end + ": the " + container + " of " + place(bytes, innermost) + " is not closed");
  }

  /** Returns the character here, in words when it cannot be shown. */
  private String describeCharacter() {
    return switch (bytes[position]) {
      case '\n', '\r' -> "a line break";
      case '\t' -> "a tab";
      case '"' -> "a quotation mark";
      default -> {
        String ahead =
            new String(
                bytes, position, Math.min(4, bytes.length - position), StandardCharsets.UTF_8);
        int character = ahead.codePointAt(0);
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
