package io.strowger.core.guardrail;

/**
 * Finds social security numbers of the United States: three, two and four digits with the same
 * separator, a dash or a blank, between them. Only issued ranges count: the first group is not 000,
 * 666 or 9xx, the second not 00, and the third not 0000. Does not find nine digits without
 * separators, since too many other numbers look the same.
 */
final class SsnDetector implements Detector.OfBoundedLength {
  private static final int LENGTH = 11;

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int i = matches.from();
    for (; matches.advanceTo(i); i++) {
      if (Digits.isDigit(text.charAt(i)) && !Digits.isDigitAt(text, i - 1)) {
        matches.beginCandidate();
        boolean isSsn = isSsnAt(matches, i);
        if (matches.needsMoreText()) {
          return i;
        }
        if (isSsn) {
          matches.add(i, i + LENGTH);
          i += LENGTH - 1;
        }
      }
    }
    return i;
  }

  private static boolean isSsnAt(TextMatches matches, int start) {
    String text = matches.text();
    if (matches.countDigits(start, 3) < 3 || !matches.isOneOfAt(start + 3, "- ")) {
      return false;
    }
    char separator = text.charAt(start + 3);
    return text.charAt(start) != '9'
        && !text.startsWith("000", start)
        && !text.startsWith("666", start)
        && !(Digits.isDigitAt(text, start - 2) && text.charAt(start - 1) == separator)
        && matches.countDigits(start + 4, 2) == 2
        && !text.startsWith("00", start + 4)
        && matches.hasChar(start + 6)
        && text.charAt(start + 6) == separator
        && matches.countDigits(start + 7, 5) == 4
        && !text.startsWith("0000", start + 7)
        && !(matches.isOneOfAt(start + LENGTH, "-") && matches.isDigitAt(start + LENGTH + 1));
  }
}
