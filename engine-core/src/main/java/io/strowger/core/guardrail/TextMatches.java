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
  static final int MOST_PIECES = 65_536;

  private final String text;
  private final CooperativeScan scan;
  private final List<Span> found = new ArrayList<>();
  private boolean full;

  TextMatches(String text, CooperativeScan scan) {
    this.text = text;
    this.scan = scan;
  }

  String text() {
    return text;
  }

  CooperativeScan scan() {
    return scan;
  }

  /** Whether there is a character here that should be looked at. */
  boolean goesOnAt(int index) {
    scan.did(1);
    return index < text.length() && !full;
  }

  /** This piece is one. */
  void found(int start, int end) {
    full = found.size() == MOST_PIECES - 1;
    found.add(new Span(start, full ? text.length() : end));
  }

  /** These pieces are, in order of their starts. */
  void foundAll(List<Span> pieces) {
    for (Span piece : pieces) {
      if (full) {
        return;
      }
      found(piece.start(), piece.end());
    }
  }

  /** Everything from here on counts. */
  void restFrom(int start) {
    full = true;
    found.add(new Span(start, text.length()));
  }

  boolean isFull() {
    return full;
  }

  List<Span> found() {
    return Collections.unmodifiableList(found);
  }
}
