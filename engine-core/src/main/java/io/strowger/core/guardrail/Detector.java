package io.strowger.core.guardrail;

import java.util.List;

/** Finds matches in a text, in time linear in the text's length. Immutable and thread-safe. */
interface Detector {
  /** Adds the matches in a whole text, ordered by their start; they may overlap. */
  void findAll(TextMatches matches);

  /**
   * Returns new scanners that find the same matches as {@link #findAll} in a text as it arrives.
   */
  List<TextScanner> scanners();

  /** Returns the matches in a text that belongs to no request, ordered by start. */
  default List<TextSpan> find(String text) {
    return find(text, new CooperativeScan());
  }

  /** Returns the matches in a text, ordered by start; they may overlap. */
  default List<TextSpan> find(String text, CooperativeScan scan) {
    var matches = new TextMatches(text, scan);
    findAll(matches);
    return matches.found();
  }

  /**
   * A detector of short matches. Text that may still become a match is scanned again when more text
   * arrives, so only a position has to be kept.
   */
  @FunctionalInterface
  interface OfBoundedLength extends Detector {
    /**
     * Adds the matches at or after {@link TextMatches#from} that further text cannot change.
     *
     * @return where the first undecided match may begin; everything before it is decided
     */
    int scan(TextMatches matches);

    @Override
    default void findAll(TextMatches matches) {
      scan(matches);
    }

    @Override
    default List<TextScanner> scanners() {
      return List.of(new BoundedScanner(this, 0));
    }
  }
}
