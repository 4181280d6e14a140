package io.strowger.benchmarks.http;

import java.io.IOException;
import java.time.Duration;

/** Requests of one scenario to one party. For one thread. */
public interface Session extends AutoCloseable {
  /**
   * Sends so many requests, one after the other.
   *
   * @return how long each took
   */
  Samples turn(int requests) throws IOException;

  /**
   * Keeps the party as busy as so many callers at once can.
   *
   * @return requests answered
   */
  int load(int callers, Duration time) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
