package io.strowger.benchmarks.ladder;

import java.io.IOException;

/** One layer of the gateway with everything below it. Safe on any thread. */
@FunctionalInterface
interface Layer {
  /**
   * Serves one request to the end of its answer.
   *
   * @throws IOException when there is no complete answer
   */
  void call() throws IOException;
}
