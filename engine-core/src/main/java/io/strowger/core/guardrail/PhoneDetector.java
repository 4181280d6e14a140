package io.strowger.core.guardrail;

/**
 * Finds telephone numbers: a plus sign and 8 to 15 digits with blanks, dots, dashes or parentheses
 * between them; and numbers of North America whose area code is in parentheses or followed by a
 * separator, such as (212) 555-0123 or 212-555-0123, with or without a leading 1. Does not find ten
 * digits without separators, or national numbers of other countries, which look like any other
 * number.
 */
final class PhoneDetector implements Detector.Bounded {
  private static final int LEAST = 8;
  private static final int MOST = 15;
  private static final String BETWEEN = " .-()";
  private static final String SEPARATOR = " .-";

  @Override
  public int scan(TextMatches in) {
    String text = in.text();
    int i = in.from();
    for (; in.hasNextAt(i); i++) {
      char c = text.charAt(i);
      boolean american = c == '(' || Digits.isDigit(c) && isFree(text, i);
      if (c != '+' && !american) {
        continue;
      }
      in.candidate();
      int end = american ? american(in, i) : international(in, i);
      if (in.isOpen()) {
        return i;
      }
      if (end > 0) {
        in.found(i, end);
        i = end - 1;
      }
    }
    return i;
  }

  /**
   * Returns whether a number may begin at this digit: it continues no row of digits, decimal number
   * or IP address.
   */
  private static boolean isFree(String text, int at) {
    return !Digits.at(text, at - 1)
        && !(Digits.isAt(text, at - 1, ".-") && Digits.at(text, at - 2));
  }

  private static int international(TextMatches in, int start) {
    int digits = 0;
    int end = -1;
    int between = 0;
    for (int i = start + 1; digits <= MOST && in.has(i); i++) {
      char c = in.text().charAt(i);
      if (Digits.isDigit(c)) {
        digits++;
        between = 0;
        end = i + 1;
      } else if (BETWEEN.indexOf(c) < 0 || digits == 0 || ++between > 2) {
        break;
      }
    }
    return digits >= LEAST && digits <= MOST ? end : -1;
  }

  private static int american(TextMatches in, int start) {
    int i = start;
    if (in.text().charAt(i) == '1' && in.isAt(i + 1, SEPARATOR)) {
      i += 2;
    }
    boolean bracketed = in.isAt(i, "(");
    i = area(in, bracketed ? i + 1 : i);
    if (i < 0) {
      return -1;
    }
    if (bracketed) {
      if (!in.isAt(i, ")")) {
        return -1;
      }
      i++;
    }
    boolean separated = in.isAt(i, SEPARATOR);
    if (!separated && !bracketed) {
      return -1;
    }
    i = area(in, separated ? i + 1 : i);
    if (i < 0 || !in.isAt(i, SEPARATOR) || in.digits(i + 1, 5) != 4) {
      return -1;
    }
    int end = i + 5;
    return in.isAt(end, ".-") && in.isDigitAt(end + 1) ? -1 : end;
  }

  /**
   * Returns the end (exclusive) of a group of exactly three digits whose first is 2 to 9; -1 when
   * there is none.
   */
  private static int area(TextMatches in, int at) {
    return in.digits(at, 4) == 3 && in.text().charAt(at) >= '2' ? at + 3 : -1;
  }
}
