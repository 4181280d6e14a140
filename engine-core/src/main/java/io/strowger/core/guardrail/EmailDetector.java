package io.strowger.core.guardrail;

/**
 * Finds mail addresses: a local part of up to 64 letters, digits and {@code ._%+'-}, an at sign,
 * and a domain whose last label has two letters or more. Letters may be of any alphabet. Does not
 * find quoted local parts or addresses in words ("joe at example dot com").
 */
final class EmailDetector implements Detector.Bounded {
  private static final int MAX_LOCAL = 64;
  private static final int MAX_DOMAIN = 253;
  private static final String LOCAL = "._%+'-";

  @Override
  public int scan(TextMatches in) {
    String text = in.text();
    int done = in.from();
    for (int at = text.indexOf('@', done);
        at >= 0 && in.hasNextAt(at);
        at = text.indexOf('@', at + 1)) {
      in.scan().advance(MAX_LOCAL);
      int start = start(text, at, done);
      if (start == at) {
        continue;
      }
      in.candidate();
      int end = end(in, at + 1);
      if (in.isOpen()) {
        return start;
      }
      if (end > 0) {
        in.found(start, end);
        done = end;
      }
    }
    return start(text, text.length(), done); // where an incomplete address may begin
  }

  private static int start(String text, int at, int least) {
    int start = at;
    while (start > least && at - start < MAX_LOCAL && isLocal(text.charAt(start - 1))) {
      start--;
    }
    while (start < at && LOCAL.indexOf(text.charAt(start)) >= 0) {
      start++; // an address does not begin with a quotation mark, a dash or the like
    }
    return start;
  }

  private static boolean isLocal(char c) {
    return isLetterOrDigit(c) || LOCAL.indexOf(c) >= 0;
  }

  /**
   * Returns whether a character is a letter, a digit or a surrogate, which may be half of a
   * supplementary letter.
   */
  private static boolean isLetterOrDigit(char c) {
    return Character.isLetterOrDigit(c) || Character.isSurrogate(c);
  }

  /** Returns the end (exclusive) of the domain that begins at an offset; -1 when there is none. */
  private static int end(TextMatches in, int from) {
    String text = in.text();
    int end = -1;
    int label = from;
    int i = from;
    while (i - from <= MAX_DOMAIN) {
      char c = in.has(i) ? text.charAt(i) : ' ';
      if (isLetterOrDigit(c) || c == '-' && i > label) {
        i++;
        continue;
      }
      if (i == label) {
        return end;
      }
      if (label > from && isTop(text, label, i)) {
        end = i;
      }
      if (c != '.') {
        return end;
      }
      label = ++i;
    }
    return end;
  }

  private static boolean isTop(String text, int start, int end) {
    int letters = 0;
    while (start + letters < end && !Character.isDigit(text.charAt(start + letters))) {
      letters++;
    }
    return letters >= 2 && text.charAt(start) != '-';
  }
}
