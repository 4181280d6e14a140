package io.strowger.core.guardrail;

import java.util.List;

/**
 * Finds matches in a text. Takes time linear in the length of the text, whatever the text is.
 * Immutable, safe on any thread.
 */
interface Detector {
  /** Adds the matches in a whole text, in order of their starts; they may overlap. */
  void findAll(TextMatches matches);

  /**
   * Returns new scanners that find the same matches as {@link #findAll} in a text as it arrives.
   */
  List<TextScanner> scanners();

  /** Returns the matches in a text that belongs to no request, ordered by start. */
  default List<TextSpan> find(String text) {
    return find(text, new CooperativeScan());
  }

  /** Returns matches, ordered by start; they may overlap. */
  default List<TextSpan> find(String text, CooperativeScan scan) {
    var search = new TextMatches(text, scan);
    findAll(search);
    return search.found();
  }

  /**
   * A detector of short matches: what may still become one is scanned again when more text arrives,
   * so only a position has to be remembered.
   */
  @FunctionalInterface
  interface Bounded extends Detector {
    /**
     * Adds the matches from {@link TextMatches#from} on that further text cannot change.
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
