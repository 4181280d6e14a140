package io.strowger.core.guardrail;

/**
 * Scans one text as it arrives, for one detector. Positions count from the text's beginning. Not
 * thread-safe.
 */
interface TextScanner {
  /**
   * The most characters for which a candidate may stay undecided. A longer candidate counts as a
   * match, since the answer is held back for it.
   */
  int MAX_HELD = 4096;

  /** The most characters that a scanner reads before the first undecided character. */
  int LOOK_BEHIND = 4;

  /**
   * Scans the text that has arrived and reports decided matches, ordered by start.
   *
   * @return the offset at which the first undecided match may begin; all matches that begin before
   *     it are reported. The length of the text when no match is undecided, and when the text has
   *     ended
   */
  int scan(TextWindow text, MatchListener matchListener);

  /** Returns an independent copy. */
  TextScanner copy();

  /** Receives the matches. */
  interface MatchListener {
    void found(int start, int end);

    /**
     * Called when a candidate is undecided after {@link #MAX_HELD} characters, or takes too long to
     * decide. The scanner continues after the text it has read.
     */
    void tooLong(int start);
  }
}

/**
 * The part of an arriving text that a scanner reads.
 *
 * @param base the offset of the window in the whole text
 * @param text the text from that offset on
 * @param ended whether the text ends here
 */
record TextWindow(int base, String text, boolean ended) {
  int end() {
    return base + text.length();
  }

  char charAt(int place) {
    return text.charAt(place - base);
  }
}

/** Scans undecided text again when more text arrives. */
final class BoundedScanner implements TextScanner {
  private final Detector.Bounded detector;
  private int from;

  BoundedScanner(Detector.Bounded detector, int from) {
    this.detector = detector;
    this.from = from;
  }

  @Override
  public int scan(TextWindow text, MatchListener matchListener) {
    int end = text.end();
    if (from >= end) {
      return from;
    }
    var matches = new TextMatches(text.text(), from - text.base(), text.ended());
    int open = text.base() + detector.scan(matches);
    for (TextSpan textSpan : matches.found()) {
      matchListener.found(text.base() + textSpan.start(), text.base() + textSpan.end());
    }
    from = text.ended() ? end : open;
    if (end - from > MAX_HELD) {
      matchListener.tooLong(from);
      from = end;
    }
    return from;
  }

  @Override
  public TextScanner copy() {
    return new BoundedScanner(detector, from);
  }
}
