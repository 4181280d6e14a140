package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The matches of a detector in one text, at most {@value #MAX_MATCHES}: a text of megabytes may
 * consist of matches, and these would need several times the memory of the text. The last match
 * that is allowed extends to the end of the text. Confined to one thread.
 */
final class TextMatches {
  static final int MAX_MATCHES = 65_536;

  private final String text;
  private final int from;
  private final boolean isComplete;
  private final CooperativeScan scan;
  private final List<TextSpan> spans = new ArrayList<>();
  private boolean isFull;
  private boolean needsMoreText; // a character was needed that may still arrive

  /** Creates the matches of a whole text. */
  TextMatches(String text, CooperativeScan scan) {
    this(text, 0, true, scan);
  }

  /**
   * Creates the matches of a part of a text.
   *
   * @param from the offset to scan from; matches that begin before it are already known
   * @param isComplete whether the text is complete
   */
  TextMatches(String text, int from, boolean isComplete) {
    this(text, from, isComplete, new CooperativeScan());
  }

  private TextMatches(String text, int from, boolean isComplete, CooperativeScan scan) {
    this.text = text;
    this.from = from;
    this.isComplete = isComplete;
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
  void beginCandidate() {
    needsMoreText = false;
  }

  /**
   * Returns whether the candidate is undecided, because it depends on text that has not arrived.
   */
  boolean needsMoreText() {
    return needsMoreText;
  }

  /**
   * Returns whether there is a character at an offset. If it may still arrive, the candidate needs
   * more text.
   */
  boolean hasChar(int offset) {
    if (offset < text.length()) {
      return offset >= 0;
    }
    needsMoreText |= !isComplete;
    return false;
  }

  /** Returns whether there is a digit at this offset. */
  boolean isDigitAt(int offset) {
    return hasChar(offset) && Digits.isDigit(text.charAt(offset));
  }

  /** Returns whether one of these characters is at this offset. */
  boolean isOneOfAt(int offset, String characters) {
    return hasChar(offset) && characters.indexOf(text.charAt(offset)) >= 0;
  }

  /** Returns the number of digits from an offset on, counted up to a bound. */
  int countDigits(int offset, int limit) {
    int count = 0;
    while (count < limit && isDigitAt(offset + count)) {
      count++;
    }
    return count;
  }

  /**
   * Advances the scan by one character. Returns whether to continue: whether there is a character
   * at the offset, and room for more matches.
   */
  boolean advanceTo(int index) {
    scan.advance(1);
    return index < text.length() && !isFull;
  }

  /** Adds a match. */
  void add(int start, int end) {
    isFull = spans.size() == MAX_MATCHES - 1;
    spans.add(new TextSpan(start, isFull ? text.length() : end));
  }

  /** Adds matches, which are ordered by start. */
  void addAll(List<TextSpan> spans) {
    for (TextSpan span : spans) {
      if (isFull) {
        return;
      }
      add(span.start(), span.end());
    }
  }

  /** Adds everything from an offset on as one match. */
  void addRest(int start) {
    isFull = true;
    spans.add(new TextSpan(start, text.length()));
  }

  boolean isFull() {
    return isFull;
  }

  List<TextSpan> found() {
    return Collections.unmodifiableList(spans);
  }
}
