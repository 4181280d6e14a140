package io.strowger.core.guardrail;

import java.util.List;

/**
 * Finds pieces of a text. Takes time linear in the length of the text, whatever the text is.
 * Immutable, safe on any thread.
 */
@FunctionalInterface
interface Detector {
  /** Notes what there is, in order of the starts; pieces may overlap. */
  void look(TextMatches in);

  /** What there is in a text of no request, in the same order. */
  default List<Span> in(String text) {
    return in(text, new CooperativeScan());
  }

  /** What there is, in order of the starts; pieces may overlap. */
  default List<Span> in(String text, CooperativeScan scan) {
    var search = new TextMatches(text, scan);
    look(search);
    return search.found();
  }
}
