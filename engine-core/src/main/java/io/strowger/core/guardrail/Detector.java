package io.strowger.core.guardrail;

import java.util.List;

/**
 * Finds pieces of a text. Takes time linear in the length of the text, whatever the text is.
 * Immutable, safe on any thread.
 */
interface Detector {
  /** Notes the pieces of a whole text, in order of their starts; pieces may overlap. */
  void look(TextMatches in);

  /**
   * Returns what follows a text while it grows and finds the same pieces as {@link #look}. New with
   * each call.
   */
  List<TextScanner> scanners();

  /** What there is in a text of no request, in the same order. */
  default List<TextSpan> in(String text) {
    return in(text, new CooperativeScan());
  }

  /** What there is, in order of the starts; pieces may overlap. */
  default List<TextSpan> in(String text, CooperativeScan scan) {
    var search = new TextMatches(text, scan);
    look(search);
    return search.found();
  }

  /**
   * A detector whose pieces are short: what may still become one is looked at again when more of
   * the text is there, so nothing but a place has to be remembered.
   */
  @FunctionalInterface
  interface Bounded extends Detector {
    /**
     * Notes the pieces from {@link TextMatches#from} on that no further text can change.
     *
     * @return where the first piece may begin that further text decides; everything before is
     *     decided
     */
    int scan(TextMatches in);

    @Override
    default void look(TextMatches in) {
      scan(in);
    }

    @Override
    default List<TextScanner> scanners() {
      return List.of(new BoundedScanner(this, 0));
    }
  }
}
