package io.strowger.plugins.tasks;

import io.strowger.spi.model.InferenceRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines the kind of task of a request, for routers that choose a model by the kind of task.
 *
 * <p>An implementation has no side effects: no I/O, no clock, no randomness, no state between
 * calls; equal requests get equal labels. It is called once per request to such a router, on the
 * request's thread, possibly concurrently. It adds to the request's latency, so it should take tens
 * of microseconds: read a bounded part of the text, in linear time. If it throws, the request only
 * lacks a label: the router uses its general ranking, and the failure is recorded with the
 * decision.
 *
 * <p>The label is recorded with the decision and shown to the caller, so it must not repeat the
 * prompt. Contract: "Plugins" (auto-router); plugins fact sheet, section 2.
 */
@FunctionalInterface
public interface TaskClassifier {
  /** The maximum length of a label, in characters. */
  int MAX_LABEL_CHARS = 48;

  /**
   * Returns the kind of task of a request.
   *
   * @return lower-case words with underscores, perhaps with a family before a colon, such as {@code
   *     code:debugging} or {@code math}; at most {@link #MAX_LABEL_CHARS} characters. Null when the
   *     kind is unknown
   */
  @Nullable String classify(InferenceRequest request);

  /**
   * Returns the labels that {@link #classify} may return, as far as they are known; routers prepare
   * for these in advance. The list must always be the same; {@link #classify} may return other
   * labels too.
   */
  default List<String> labels() {
    return List.of();
  }
}
