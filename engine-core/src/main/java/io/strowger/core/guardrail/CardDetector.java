package io.strowger.core.guardrail;

/**
 * Finds numbers of payment cards: 13 to 19 digits, where the first is 2 to 6 and the last is the
 * check digit, without separators or with one blank or dash between groups. Does not find numbers
 * with other separators, or inside a longer row of digits.
 */
final class CardDetector implements Detector.OfBoundedLength {
  private static final int MIN_DIGITS = 13;
  private static final int MAX_DIGITS = 19;

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int i = matches.from();
    for (; matches.advanceTo(i); i++) {
      char c = text.charAt(i);
      if (c >= '2' && c <= '6' && (i == 0 || !Digits.isDigit(text.charAt(i - 1)))) {
        matches.beginCandidate();
        int end = findEnd(matches, i);
        if (matches.needsMoreText()) {
          return i;
        }
        if (end > 0) {
          matches.add(i, end);
          i = end - 1;
        }
      }
    }
    return i;
  }

  /**
   * Returns the end (exclusive) of the longest card number that begins at an offset; -1 when none
   * does.
   */
  private static int findEnd(TextMatches matches, int start) {
    int end = -1;
    int count = 0;
    int[] digits = new int[MAX_DIGITS];
    int i = start;
    while (count < MAX_DIGITS && matches.hasChar(i)) {
      char c = matches.text().charAt(i);
      if (Digits.isDigit(c)) {
        digits[count++] = c - '0';
        i++;
        if (count >= MIN_DIGITS && hasValidCheckDigit(digits, count) && !matches.isDigitAt(i)) {
          end = i;
        }
      } else if ((c == ' ' || c == '-') && matches.isDigitAt(i + 1)) {
        i++;
      } else {
        return end;
      }
    }
    return end;
  }

  /** Returns whether the last digit is the check digit of the Luhn algorithm. */
  private static boolean hasValidCheckDigit(int[] digits, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      int digit = digits[count - 1 - i] << (i & 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 == 0;
  }
}
