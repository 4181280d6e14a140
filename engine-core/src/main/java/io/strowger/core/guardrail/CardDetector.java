package io.strowger.core.guardrail;

/**
 * Finds numbers of payment cards: 13 to 19 digits, where the first is 2 to 6 and the last is the
 * check digit, without separators or with one blank or dash between groups. Does not find numbers
 * with other separators, or inside a longer row of digits.
 */
final class CardDetector implements Detector.Bounded {
  private static final int LEAST = 13;
  private static final int MOST = 19;

  @Override
  public int scan(TextMatches in) {
    String text = in.text();
    int i = in.from();
    for (; in.hasNextAt(i); i++) {
      char c = text.charAt(i);
      if (c >= '2' && c <= '6' && (i == 0 || !Digits.isDigit(text.charAt(i - 1)))) {
        in.candidate();
        int end = end(in, i);
        if (in.isOpen()) {
          return i;
        }
        if (end > 0) {
          in.found(i, end);
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
  private static int end(TextMatches in, int start) {
    int end = -1;
    int count = 0;
    int[] digits = new int[MOST];
    int i = start;
    while (count < MOST && in.has(i)) {
      char c = in.text().charAt(i);
      if (Digits.isDigit(c)) {
        digits[count++] = c - '0';
        i++;
        if (count >= LEAST && checks(digits, count) && !in.isDigitAt(i)) {
          end = i;
        }
      } else if ((c == ' ' || c == '-') && in.isDigitAt(i + 1)) {
        i++;
      } else {
        return end;
      }
    }
    return end;
  }

  /** Returns whether the last digit is the check digit of the Luhn algorithm. */
  private static boolean checks(int[] digits, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      int digit = digits[count - 1 - i] << (i & 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 == 0;
  }
}
