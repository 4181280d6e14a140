package io.strowger.plugins.tasks;

import io.strowger.spi.model.InferenceRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines the kind of task of a request, for routers that choose by it.
 *
 * <p>Pure: no I/O, no clock, no chance, no state kept between calls; equal requests have equal
 * labels. Called once per request that asks for such a router, on the request's thread, possibly
 * concurrently, and inside the request's latency: it should take tens of microseconds, so it looks
 * at a bounded part of the text, in linear time. One that throws costs the request nothing but its
 * label: the router falls back to its usual order and the failure is not reported to the caller.
 *
 * <p>The label is recorded with the decision and shown to the caller, so it must not repeat the
 * prompt. Contract: "Plugins" (auto-router); plugins fact sheet, section 2.
 */
@FunctionalInterface
public interface TaskClassifier {
  /** The most characters of a label. */
  int MAX_CHARS = 48;

  /**
   * Returns the kind of task of a request.
   *
   * @return lower-case words with underscores, perhaps with a family before a colon, such as {@code
   *     code:debugging} or {@code math}; at most {@link #MAX_CHARS} characters. Null when it cannot
   *     tell
   */
  @Nullable String classify(InferenceRequest request);

  /**
   * Returns the labels it may give, as far as it knows them; routers prepare their reasons for
   * these in advance. Always returns the same list; other labels may be given too.
   */
  default List<String> labels() {
    return List.of();
  }
}
