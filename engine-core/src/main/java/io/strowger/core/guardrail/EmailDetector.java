package io.strowger.core.guardrail;

/**
 * Finds mail addresses: a local part of up to 64 letters, digits and {@code ._%+'-}, an at sign,
 * and a domain whose last label has two letters or more. Letters may be of any alphabet. Does not
 * find quoted local parts or addresses in words ("joe at example dot com").
 */
final class EmailDetector implements Detector.OfBoundedLength {
  private static final int MAX_LOCAL_CHARS = 64;
  private static final int MAX_DOMAIN_CHARS = 253;
  private static final String LOCAL_PUNCTUATION = "._%+'-";

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int scannedTo = matches.from();
    for (int at = text.indexOf('@', scannedTo);
        at >= 0 && matches.advanceTo(at);
        at = text.indexOf('@', at + 1)) {
      matches.scan().advance(MAX_LOCAL_CHARS);
      int start = findStart(text, at, scannedTo);
      if (start == at) {
        continue;
      }
      matches.beginCandidate();
      int end = findEnd(matches, at + 1);
      if (matches.needsMoreText()) {
        return start;
      }
      if (end > 0) {
        matches.add(start, end);
        scannedTo = end;
      }
    }
    return findStart(text, text.length(), scannedTo); // where an incomplete address may begin
  }

  private static int findStart(String text, int at, int min) {
    int start = at;
    while (start > min && at - start < MAX_LOCAL_CHARS && isLocalChar(text.charAt(start - 1))) {
      start--;
    }
    while (start < at && LOCAL_PUNCTUATION.indexOf(text.charAt(start)) >= 0) {
      start++; // an address does not begin with a quotation mark, a dash or the like
    }
    return start;
  }

  private static boolean isLocalChar(char c) {
    return isLetterOrDigit(c) || LOCAL_PUNCTUATION.indexOf(c) >= 0;
  }

  /**
   * Returns whether a character is a letter, a digit or a surrogate, which may be half of a
   * supplementary letter.
   */
  private static boolean isLetterOrDigit(char c) {
    return Character.isLetterOrDigit(c) || Character.isSurrogate(c);
  }

  /** Returns the end (exclusive) of the domain that begins at an offset; -1 when there is none. */
  private static int findEnd(TextMatches matches, int from) {
    String text = matches.text();
    int end = -1;
    int labelStart = from;
    int i = from;
    while (i - from <= MAX_DOMAIN_CHARS) {
      char c = matches.hasChar(i) ? text.charAt(i) : ' ';
      if (isLetterOrDigit(c) || c == '-' && i > labelStart) {
        i++;
        continue;
      }
      if (i == labelStart) {
        return end;
      }
      if (labelStart > from && isTopLevelDomain(text, labelStart, i)) {
        end = i;
      }
      if (c != '.') {
        return end;
      }
      labelStart = ++i;
    }
    return end;
  }

  private static boolean isTopLevelDomain(String text, int start, int end) {
    int letters = 0;
    while (start + letters < end && !Character.isDigit(text.charAt(start + letters))) {
      letters++;
    }
    return letters >= 2 && text.charAt(start) != '-';
  }
}
