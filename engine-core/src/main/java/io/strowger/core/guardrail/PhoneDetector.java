package io.strowger.core.guardrail;

/**
 * Finds telephone numbers: a plus sign and 8 to 15 digits with blanks, dots, dashes or parentheses
 * between them; and numbers of North America with a separator or parentheses around their area
 * code, such as (212) 555-0123 or 212-555-0123, with or without a 1 before. Not found: ten digits
 * in one piece and national numbers of other countries, which look like any other number.
 */
final class PhoneDetector implements Detector {
  private static final int LEAST = 8;
  private static final int MOST = 15;
  private static final String BETWEEN = " .-()";
  private static final String SEPARATOR = " .-";

  @Override
  public void look(TextMatches in) {
    String text = in.text();
    for (int i = 0; in.goesOnAt(i); i++) {
      char c = text.charAt(i);
      int end = -1;
      if (c == '+') {
        end = international(text, i);
      } else if (c == '(' || Digits.isDigit(c) && isFree(text, i)) {
        end = american(text, i);
      }
      if (end > 0) {
        in.found(i, end);
        i = end - 1;
      }
    }
  }

  /** Not a part of a longer row of digits, of a decimal number or of an address. */
  private static boolean isFree(String text, int at) {
    return !Digits.at(text, at - 1)
        && !(Digits.isAt(text, at - 1, ".-") && Digits.at(text, at - 2));
  }

  private static int international(String text, int start) {
    int digits = 0;
    int end = -1;
    int between = 0;
    for (int i = start + 1; i < text.length() && digits <= MOST; i++) {
      char c = text.charAt(i);
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

  private static int american(String text, int start) {
    int i = start;
    if (text.charAt(i) == '1' && Digits.isAt(text, i + 1, SEPARATOR)) {
      i += 2;
    }
    boolean bracketed = Digits.isAt(text, i, "(");
    i = area(text, bracketed ? i + 1 : i);
    if (i < 0) {
      return -1;
    }
    if (bracketed) {
      if (!Digits.isAt(text, i, ")")) {
        return -1;
      }
      i++;
    }
    boolean separated = Digits.isAt(text, i, SEPARATOR);
    if (!separated && !bracketed) {
      return -1;
    }
    i = area(text, separated ? i + 1 : i);
    if (i < 0 || !Digits.isAt(text, i, SEPARATOR) || Digits.run(text, i + 1, 5) != 4) {
      return -1;
    }
    int end = i + 5;
    return Digits.isAt(text, end, ".-") && Digits.at(text, end + 1) ? -1 : end;
  }

  /** Behind three digits of which the first is 2 to 9; -1 when they are not there. */
  private static int area(String text, int at) {
    return Digits.run(text, at, 4) == 3 && text.charAt(at) >= '2' ? at + 3 : -1;
  }
}
