package io.strowger.core.guardrail;

/**
 * Finds telephone numbers: a plus sign and 8 to 15 digits with blanks, dots, dashes or parentheses
 * between them; and numbers of North America whose area code is in parentheses or followed by a
 * separator, such as (212) 555-0123 or 212-555-0123, with or without a leading 1. Does not find ten
 * digits without separators, or national numbers of other countries, which look like any other
 * number.
 */
final class PhoneDetector implements Detector.OfBoundedLength {
  private static final int MIN_DIGITS = 8;
  private static final int MAX_DIGITS = 15;
  private static final String INNER_PUNCTUATION = " .-()";
  private static final String SEPARATORS = " .-";

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int i = matches.from();
    for (; matches.advanceTo(i); i++) {
      char c = text.charAt(i);
      boolean isNorthAmerican = c == '(' || Digits.isDigit(c) && isNumberStart(text, i);
      if (c != '+' && !isNorthAmerican) {
        continue;
      }
      matches.beginCandidate();
      int end = isNorthAmerican ? northAmericanEnd(matches, i) : internationalEnd(matches, i);
      if (matches.needsMoreText()) {
        return i;
      }
      if (end > 0) {
        matches.add(i, end);
        i = end - 1;
      }
    }
    return i;
  }

  /**
   * Returns whether a number may begin at this digit: it continues no row of digits, decimal number
   * or IP address.
   */
  private static boolean isNumberStart(String text, int at) {
    return !Digits.isDigitAt(text, at - 1)
        && !(Digits.isOneOfAt(text, at - 1, ".-") && Digits.isDigitAt(text, at - 2));
  }

  private static int internationalEnd(TextMatches matches, int start) {
    int digits = 0;
    int end = -1;
    int punctuation = 0;
    for (int i = start + 1; digits <= MAX_DIGITS && matches.hasChar(i); i++) {
      char c = matches.text().charAt(i);
      if (Digits.isDigit(c)) {
        digits++;
        punctuation = 0;
        end = i + 1;
      } else if (INNER_PUNCTUATION.indexOf(c) < 0 || digits == 0 || ++punctuation > 2) {
        break;
      }
    }
    return digits >= MIN_DIGITS && digits <= MAX_DIGITS ? end : -1;
  }

  private static int northAmericanEnd(TextMatches matches, int start) {
    int i = start;
    if (matches.text().charAt(i) == '1' && matches.isOneOfAt(i + 1, SEPARATORS)) {
      i += 2;
    }
    boolean hasParentheses = matches.isOneOfAt(i, "(");
    i = threeDigitsEnd(matches, hasParentheses ? i + 1 : i);
    if (i < 0) {
      return -1;
    }
    if (hasParentheses) {
      if (!matches.isOneOfAt(i, ")")) {
        return -1;
      }
      i++;
    }
    boolean hasSeparator = matches.isOneOfAt(i, SEPARATORS);
    if (!hasSeparator && !hasParentheses) {
      return -1;
    }
    i = threeDigitsEnd(matches, hasSeparator ? i + 1 : i);
    if (i < 0 || !matches.isOneOfAt(i, SEPARATORS) || matches.countDigits(i + 1, 5) != 4) {
      return -1;
    }
    int end = i + 5;
    return matches.isOneOfAt(end, ".-") && matches.isDigitAt(end + 1) ? -1 : end;
  }

  /**
   * Returns the end (exclusive) of a group of exactly three digits whose first is 2 to 9, an area
   * code or the three digits after it; -1 when there is none.
   */
  private static int threeDigitsEnd(TextMatches matches, int at) {
    return matches.countDigits(at, 4) == 3 && matches.text().charAt(at) >= '2' ? at + 3 : -1;
  }
}
