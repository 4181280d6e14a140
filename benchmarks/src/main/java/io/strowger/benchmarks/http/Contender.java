package io.strowger.benchmarks.http;

import java.io.IOException;

/** A server that takes part in a comparison, in a process of its own. */
public interface Contender {
  /** Returns the name for the table. */
  String name();

  /** Returns what its process has used since its start. */
  ProcessUsage usage();

  /** Returns the bytes of the files that it keeps; 0 if it keeps none. */
  default long bytesOnDisk() {
    return 0;
  }

  /**
   * Opens a session for a scenario, after sending and checking one request.
   *
   * @throws IOException when the request fails or its answer is wrong
   */
  Session open(Scenario scenario) throws IOException;
}
