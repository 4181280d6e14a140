package io.strowger.core.guardrail;

/** Tests for digits and other characters in a text, shared by the detectors of numbers. */
final class Digits {
  private Digits() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns whether there is a digit at this offset. */
  static boolean at(String text, int place) {
    return place >= 0 && place < text.length() && isDigit(text.charAt(place));
  }

  /** Returns whether one of these characters is at this offset. */
  static boolean isAt(String text, int place, String characters) {
    return place >= 0 && place < text.length() && characters.indexOf(text.charAt(place)) >= 0;
  }
}
