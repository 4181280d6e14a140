package io.strowger.core.guardrail;

import java.util.List;

/**
 * Finds pieces of a text. Takes time linear in the length of the text, whatever the text is.
 * Immutable, safe on any thread.
 */
@FunctionalInterface
interface Detector {
  /** What there is, in order of the starts; pieces may overlap. */
  List<Span> in(String text);
}
