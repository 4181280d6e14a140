package io.strowger.benchmarks.http;

import java.io.IOException;

/** Whoever answers requests in a comparison, in a process of its own. */
public interface Party {
  /** For the table. */
  String name();

  /** Returns what its process has used since its start. */
  ProcessUsage usage();

  /** Returns the bytes of the files it keeps; 0 when it keeps none. */
  default long bytesOnDisk() {
    return 0;
  }

  /**
   * Begins to send it the requests of a scenario; the first is checked.
   *
   * @throws IOException when its answer is none
   */
  Session open(Scenario scenario) throws IOException;
}
