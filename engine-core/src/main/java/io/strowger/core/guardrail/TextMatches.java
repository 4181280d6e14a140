package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The matches of a detector in one text, at most {@value #MAX_MATCHES}, since a text of megabytes
 * may consist of matches, which would need several times its memory. The last of them extends to
 * the end of the text. Confined to one thread.
 */
final class TextMatches {
  static final int MAX_MATCHES = 65_536;

  private final String text;
  private final int from;
  private final boolean ended;
  private final CooperativeScan scan;
  private final List<TextSpan> found = new ArrayList<>();
  private boolean full;
  private boolean open; // a character was needed that may still arrive

  /** Creates the matches of a whole text. */
  TextMatches(String text, CooperativeScan scan) {
    this(text, 0, true, scan);
  }

  /**
   * Creates the matches of a part of a text.
   *
   * @param from the offset to scan from; matches that begin before it are already known
   * @param ended whether the text is complete
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

  /** Returns the offset to scan from. */
  int from() {
    return from;
  }

  /** Begins to check a candidate. */
  void candidate() {
    open = false;
  }

  /**
   * Returns whether the candidate is undecided, because it depends on text that has not arrived.
   */
  boolean isOpen() {
    return open;
  }

  /**
   * Returns whether there is a character at an offset. If it may still arrive, marks the candidate
   * as open.
   */
  boolean has(int place) {
    if (place < text.length()) {
      return place >= 0;
    }
    open |= !ended;
    return false;
  }

  /** Returns whether there is a digit at this offset. */
  boolean isDigitAt(int place) {
    return has(place) && Digits.isDigit(text.charAt(place));
  }

  /** Returns whether one of these characters is at this offset. */
  boolean isAt(int place, String characters) {
    return has(place) && characters.indexOf(text.charAt(place)) >= 0;
  }

  /** Returns the number of digits from an offset on, counted up to a bound. */
  int digits(int place, int most) {
    int count = 0;
    while (count < most && isDigitAt(place + count)) {
      count++;
    }
    return count;
  }

  /**
   * Returns whether the scan continues: there is a character at the offset, and room for more
   * matches.
   */
  boolean hasNextAt(int index) {
    scan.advance(1);
    return index < text.length() && !full;
  }

  /** Adds a match. */
  void found(int start, int end) {
    full = found.size() == MAX_MATCHES - 1;
    found.add(new TextSpan(start, full ? text.length() : end));
  }

  /** Adds matches, which are ordered by start. */
  void foundAll(List<TextSpan> pieces) {
    for (TextSpan piece : pieces) {
      if (full) {
        return;
      }
      found(piece.start(), piece.end());
    }
  }

  /** Adds everything from an offset on as one match. */
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
