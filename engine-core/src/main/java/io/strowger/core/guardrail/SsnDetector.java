package io.strowger.core.guardrail;

/**
 * Finds social security numbers of the United States: three, two and four digits with the same dash
 * or blank between them, in the ranges that are issued: not 000, 666 or 9xx, not 00, not 0000. Does
 * not find nine digits without separators, since too many other numbers look the same.
 */
final class SsnDetector implements Detector.Bounded {
  private static final int LENGTH = 11;

  @Override
  public int scan(TextMatches in) {
    String text = in.text();
    int i = in.from();
    for (; in.hasNextAt(i); i++) {
      if (Digits.isDigit(text.charAt(i)) && !Digits.at(text, i - 1)) {
        in.candidate();
        boolean one = isOne(in, i);
        if (in.isOpen()) {
          return i;
        }
        if (one) {
          in.found(i, i + LENGTH);
          i += LENGTH - 1;
        }
      }
    }
    return i;
  }

  private static boolean isOne(TextMatches in, int at) {
    String text = in.text();
    if (in.digits(at, 3) < 3 || !in.isAt(at + 3, "- ")) {
      return false;
    }
    char separator = text.charAt(at + 3);
    return text.charAt(at) != '9'
        && !text.startsWith("000", at)
        && !text.startsWith("666", at)
        && !(Digits.at(text, at - 2) && text.charAt(at - 1) == separator)
        && in.digits(at + 4, 2) == 2
        && !text.startsWith("00", at + 4)
        && in.has(at + 6)
        && text.charAt(at + 6) == separator
        && in.digits(at + 7, 5) == 4
        && !text.startsWith("0000", at + 7)
        && !(in.isAt(at + LENGTH, "-") && in.isDigitAt(at + LENGTH + 1));
  }
}
