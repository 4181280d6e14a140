package io.strowger.core.guardrail;

/**
 * Follows one text that grows, for one detector. Places count from the beginning of the text. For
 * one thread.
 */
interface TextScanner {
  /**
   * The longest that something may stay undecided, in characters: a candidate that is still open
   * then counts as found, since somebody's answer waits for it.
   */
  int MOST_HELD = 4096;

  /** How many characters before the first undecided one a scanner looks back at. */
  int LOOK_BEHIND = 4;

  /**
   * Reads on to the end of what is there and tells what is certain, in order of the starts.
   *
   * @return where the first piece may begin that further text decides: all pieces that begin before
   *     have been told; the length of the text when nothing is open, and at its end
   */
  int scan(TextWindow text, Sink sink);

  /** Another one in the same state. */
  TextScanner copy();

  /** Gets what a scanner finds. */
  interface Sink {
    void found(int start, int end);

    /**
     * A candidate has been open for more than {@link #MOST_HELD} characters, or finding out takes
     * too long. The scanner goes on behind what it has read.
     */
    void tooLong(int start);
  }
}

/**
 * The end of a text that grows.
 *
 * @param base where it begins in the whole text
 * @param text from there on
 * @param ended nothing follows
 */
record TextWindow(int base, String text, boolean ended) {
  int end() {
    return base + text.length();
  }

  char charAt(int place) {
    return text.charAt(place - base);
  }
}

/** Looks at what is undecided again whenever more is there. */
final class BoundedScanner implements TextScanner {
  private final Detector.Bounded detector;
  private int from;

  BoundedScanner(Detector.Bounded detector, int from) {
    this.detector = detector;
    this.from = from;
  }

  @Override
  public int scan(TextWindow text, Sink sink) {
    int end = text.end();
    if (from >= end) {
      return from;
    }
    var matches = new TextMatches(text.text(), from - text.base(), text.ended());
    int open = text.base() + detector.scan(matches);
    for (TextSpan textSpan : matches.found()) {
      sink.found(text.base() + textSpan.start(), text.base() + textSpan.end());
    }
    from = text.ended() ? end : open;
    if (end - from > MOST_HELD) {
      sink.tooLong(from);
      from = end;
    }
    return from;
  }

  @Override
  public TextScanner copy() {
    return new BoundedScanner(detector, from);
  }
}
