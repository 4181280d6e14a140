package io.strowger.core.guardrail;

/**
 * Finds social security numbers of the United States: three, two and four digits with the same dash
 * or blank between them, in the ranges that are given out: not 000, 666 or 9xx, not 00, not 0000.
 * Not found: nine digits in one piece, since too many other things are that.
 */
final class SsnDetector implements Detector {
  private static final int LENGTH = 11;

  @Override
  public void look(TextMatches in) {
    String text = in.text();
    for (int i = 0; in.goesOnAt(i + LENGTH - 1); i++) {
      if (Digits.at(text, i) && !Digits.at(text, i - 1) && isOne(text, i)) {
        in.found(i, i + LENGTH);
        i += LENGTH - 1;
      }
    }
  }

  private static boolean isOne(String text, int at) {
    char separator = text.charAt(at + 3);
    return (separator == '-' || separator == ' ')
        && text.charAt(at + 6) == separator
        && Digits.run(text, at, 3) == 3
        && Digits.run(text, at + 4, 2) == 2
        && Digits.run(text, at + 7, 5) == 4
        && !(Digits.at(text, at - 2) && text.charAt(at - 1) == separator)
        && !(Digits.isAt(text, at + LENGTH, "-") && Digits.at(text, at + LENGTH + 1))
        && text.charAt(at) != '9'
        && !text.startsWith("000", at)
        && !text.startsWith("666", at)
        && !text.startsWith("00", at + 4)
        && !text.startsWith("0000", at + 7);
  }
}
