package io.strowger.core.guardrail;

/**
 * Scans one text as it arrives, for one detector. Positions count from the text's beginning. Not
 * thread-safe.
 */
interface TextScanner {
  /**
   * The most characters for which a candidate may stay undecided. A longer candidate is reported as
   * too long, because the answer is held back while the candidate is undecided.
   */
  int MAX_UNDECIDED_CHARS = 4096;

  /** The most characters that a scanner reads before the first undecided character. */
  int LOOK_BEHIND_CHARS = 4;

  /**
   * Scans the text that has arrived and reports decided matches, ordered by start.
   *
   * @return the offset at which the first undecided match may begin; all matches that begin before
   *     this offset are reported. When nothing is undecided, or the text has ended, this is the end
   *     of the text
   */
  int scan(TextWindow text, MatchListener matchListener);

  /** Returns an independent copy. */
  TextScanner copy();

  /** Receives the matches. */
  interface MatchListener {
    void onMatch(int start, int end);

    /**
     * Called when a candidate is undecided after {@link #MAX_UNDECIDED_CHARS} characters, or takes
     * too long to decide. The scanner continues after the text it has read.
     */
    void onTooLong(int start);
  }
}

/**
 * The part of an arriving text that a scanner reads.
 *
 * @param baseOffset the offset of the window in the whole text
 * @param text the text from that offset on
 * @param isEnd whether the text ends here
 */
record TextWindow(int baseOffset, String text, boolean isEnd) {
  int end() {
    return baseOffset + text.length();
  }

  char charAt(int offset) {
    return text.charAt(offset - baseOffset);
  }
}

/** Runs a detector of short matches, which scans undecided text again when more text arrives. */
final class BoundedScanner implements TextScanner {
  private final Detector.OfBoundedLength detector;
  private int from;

  BoundedScanner(Detector.OfBoundedLength detector, int from) {
    this.detector = detector;
    this.from = from;
  }

  @Override
  public int scan(TextWindow text, MatchListener listener) {
    int end = text.end();
    if (from >= end) {
      return from;
    }
    var matches = new TextMatches(text.text(), from - text.baseOffset(), text.isEnd());
    int undecided = text.baseOffset() + detector.scan(matches);
    for (TextSpan span : matches.found()) {
      listener.onMatch(text.baseOffset() + span.start(), text.baseOffset() + span.end());
    }
    from = text.isEnd() ? end : undecided;
    if (end - from > MAX_UNDECIDED_CHARS) {
      listener.onTooLong(from);
      from = end;
    }
    return from;
  }

  @Override
  public TextScanner copy() {
    return new BoundedScanner(detector, from);
  }
}
