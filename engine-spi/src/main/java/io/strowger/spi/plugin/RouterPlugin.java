package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;

/**
 * Chooses and orders the models or endpoints a request may use, in two pure steps: {@link #facts}
 * reads the request, {@link #select} decides from the facts and the candidates alone, so that a
 * recorded decision can be replayed without the prompt.
 *
 * <p>Pure: no I/O, no clock, no randomness but {@link Candidates#random}, no state kept between
 * calls. {@code facts} is called once per request, {@code select} once per decision and again
 * whenever one is explained or replayed. Both run on any thread, possibly concurrently, and add to
 * the request's latency: {@code select} should take microseconds. Returning null, throwing, or
 * selecting an id that does not exist fails the request with 500; the trace names the plugin.
 *
 * <p>When a router selects nothing, the engine calls it again, up to ten times, as if neither money
 * nor time were short, to tell the caller whether waiting helps. None of these selections is
 * dispatched. Contract: "Plugins" (auto-router, pareto-router).
 */
@FunctionalInterface
public non-sealed interface RouterPlugin extends Plugin {
  /**
   * Returns the facts of the request that the decision depends on: labels and scores, no text of
   * the prompt, at most 1,024 bytes of JSON in UTF-8. The test kit checks this. The facts are
   * recorded, and {@link #select} reads them from {@link Candidates#facts}.
   */
  default Json facts(InferenceRequest request) {
    return Json.Obj.EMPTY;
  }

  /**
   * Chooses among the candidates. Must handle an empty candidate set, and facts that this router
   * did not make itself.
   */
  Selection select(Candidates candidates);
}
