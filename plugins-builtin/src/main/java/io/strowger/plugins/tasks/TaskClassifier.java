package io.strowger.plugins.tasks;

import io.strowger.spi.model.InferenceRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what kind of task a request is, for routers that choose by it.
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
  /** Most characters of a label. */
  int MAX_CHARS = 48;

  /**
   * The kind of task.
   *
   * @return lower-case words with underscores, perhaps with a family before a colon, such as {@code
   *     code:debugging} or {@code math}; at most {@link #MAX_CHARS} characters. Null when it cannot
   *     tell
   */
  @Nullable String classify(InferenceRequest request);

  /**
   * Returns the labels it may give, as far as it knows them: what is said of a choice is then
   * prepared for each. Always the same; it may give others too.
   */
  default List<String> labels() {
    return List.of();
  }
}
