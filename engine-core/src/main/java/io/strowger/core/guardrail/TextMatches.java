package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One text while a detector looks through it. It holds so many pieces at most, for a text of
 * megabytes may be little but pieces, which together take several times its memory: then the rest
 * of the text counts as found. For one thread.
 */
final class TextMatches {
  static final int MAX_MATCHES = 65_536;

  private final String text;
  private final int from;
  private final boolean ended;
  private final CooperativeScan scan;
  private final List<TextSpan> found = new ArrayList<>();
  private boolean full;
  private boolean open; // a character was asked for that may still come

  /** A whole text. */
  TextMatches(String text, CooperativeScan scan) {
    this(text, 0, true, scan);
  }

  /**
   * A part of a text.
   *
   * @param from what begins before was looked for already
   * @param ended nothing follows
   */
  TextMatches(String text, int from, boolean ended) {
    this(text, from, ended, new CooperativeScan());
  }

  private TextMatches(String text, int from, boolean ended, CooperativeScan scan) {
    this.text = text;
    this.from = from;
    this.ended = ended;
    this.scan = scan;
  }

  String text() {
    return text;
  }

  CooperativeScan scan() {
    return scan;
  }

  /** Where to begin. */
  int from() {
    return from;
  }

  /** Begins to look at one candidate. */
  void candidate() {
    open = false;
  }

  /** Whether the candidate was judged by the end of a text that goes on: it is undecided. */
  boolean isOpen() {
    return open;
  }

  /** There is a character at this place; if not yet, the candidate is open. */
  boolean has(int place) {
    if (place < text.length()) {
      return place >= 0;
    }
    open |= !ended;
    return false;
  }

  /** There is a digit at this place. */
  boolean isDigitAt(int place) {
    return has(place) && Digits.isDigit(text.charAt(place));
  }

  /** One of these characters is at this place. */
  boolean isAt(int place, String characters) {
    return has(place) && characters.indexOf(text.charAt(place)) >= 0;
  }

  /** How many digits there are from here on, counted up to a bound. */
  int digits(int place, int most) {
    int count = 0;
    while (count < most && isDigitAt(place + count)) {
      count++;
    }
    return count;
  }

  /** Whether there is a character here that should be looked at. */
  boolean goesOnAt(int index) {
    scan.did(1);
    return index < text.length() && !full;
  }

  /** This piece is one. */
  void found(int start, int end) {
    full = found.size() == MAX_MATCHES - 1;
    found.add(new TextSpan(start, full ? text.length() : end));
  }

  /** These pieces are, in order of their starts. */
  void foundAll(List<TextSpan> pieces) {
    for (TextSpan piece : pieces) {
      if (full) {
        return;
      }
      found(piece.start(), piece.end());
    }
  }

  /** Everything from here on counts. */
  void restFrom(int start) {
    full = true;
    found.add(new TextSpan(start, text.length()));
  }

  boolean isFull() {
    return full;
  }

  List<TextSpan> found() {
    return Collections.unmodifiableList(found);
  }
}
