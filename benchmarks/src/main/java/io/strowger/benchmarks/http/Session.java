package io.strowger.benchmarks.http;

import java.io.IOException;
import java.time.Duration;

/** Requests of one scenario to one contender. For one thread. */
public interface Session extends AutoCloseable {
  /**
   * Sends requests one after the other.
   *
   * @return the time of each
   */
  Samples sendSequentially(int requests) throws IOException;

  /**
   * Puts the contender under load from several callers at once.
   *
   * @return the number of answered requests
   */
  int load(int callers, Duration time) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
