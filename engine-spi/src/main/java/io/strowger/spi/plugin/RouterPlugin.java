package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;

/**
 * Chooses and orders the models or endpoints a request may use, in two pure steps: {@link #facts}
 * reads the request, {@link #select} decides from the facts and the candidates alone, so that a
 * recorded decision is replayed without the prompt.
 *
 * <p>Pure: no I/O, no clock, no randomness but {@link Candidates#random}, no state kept between
 * calls. {@code facts} is called once per request, {@code select} once per decision and again
 * whenever one is explained or replayed; on any thread, possibly concurrently, and inside every
 * request's latency: {@code select} should take microseconds. Returning null, throwing, or
 * selecting an id that does not exist fails the request with 500; the trace names the plugin.
 *
 * <p>A router that finds nothing is asked again, up to ten times, what it would choose if neither
 * money nor time were missing: from that the caller learns whether to wait. Nothing of it is
 * dispatched. Contract: "Plugins" (auto-router, pareto-router).
 */
@FunctionalInterface
public non-sealed interface RouterPlugin extends Plugin {
  /**
   * Reads from the request what the decision needs to know of it: labels and scores, no text of the
   * prompt, at most 1,024 bytes of JSON in UTF-8, which the test kit checks. They are recorded, and
   * given to {@link #select} by {@link Candidates#facts}.
   */
  default Json facts(InferenceRequest request) {
    return Json.Obj.EMPTY;
  }

  /** Chooses among the candidates. Handles an empty candidate set, and facts it did not write. */
  Selection select(Candidates candidates);
}
