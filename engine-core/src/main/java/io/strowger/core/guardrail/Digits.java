package io.strowger.core.guardrail;

/** Tests for digits and other characters in a text, shared by the detectors of numbers. */
final class Digits {
  private Digits() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns whether there is a digit at this offset. */
  static boolean isDigitAt(String text, int offset) {
    return offset >= 0 && offset < text.length() && isDigit(text.charAt(offset));
  }

  /** Returns whether one of these characters is at this offset. */
  static boolean isOneOfAt(String text, int offset, String characters) {
    return offset >= 0 && offset < text.length() && characters.indexOf(text.charAt(offset)) >= 0;
  }
}
