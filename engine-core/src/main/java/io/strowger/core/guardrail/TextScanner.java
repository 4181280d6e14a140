package io.strowger.core.guardrail;

/**
 * Scans one text as it arrives, for one detector. Positions count from the text's beginning. Not
 * thread-safe.
 */
interface TextScanner {
  /**
   * Most characters for which a candidate may stay undecided: beyond them it counts as found, since
   * the answer is held back for it.
   */
  int MAX_HELD = 4096;

  /** Most characters a scanner reads before the first undecided one. */
  int LOOK_BEHIND = 4;

  /**
   * Scans the text that has arrived and reports what is certain, in order of the starts.
   *
   * @return where the first undecided match may begin: all matches that begin before it are
   *     reported; the length of the text when none is undecided, and at its end
   */
  int scan(TextWindow text, MatchListener matchListener);

  /** Returns an independent copy. */
  TextScanner copy();

  /** Receives the matches. */
  interface MatchListener {
    void found(int start, int end);

    /**
     * Called when a candidate is undecided after {@link #MAX_HELD} characters, or takes too long to
     * decide. The scanner continues after what it has read.
     */
    void tooLong(int start);
  }
}

/**
 * The end of an arriving text.
 *
 * @param base its offset in the whole text
 * @param text the text from there on
 * @param ended whether nothing follows
 */
record TextWindow(int base, String text, boolean ended) {
  int end() {
    return base + text.length();
  }

  char charAt(int place) {
    return text.charAt(place - base);
  }
}

/** Rescans what is undecided when more text arrives. */
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
