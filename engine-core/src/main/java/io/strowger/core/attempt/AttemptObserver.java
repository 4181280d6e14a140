package io.strowger.core.attempt;

import io.strowger.spi.catalog.Endpoint;

/** Observes each attempt of a turn from its beginning, where calls are observed. */
@FunctionalInterface
public interface AttemptObserver {
  /**
   * Called on the request's thread before anything is sent.
   *
   * @param nanos now, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   * @return the observed attempt, which receives the outcome
   */
  ObservedAttempt begin(Endpoint endpoint, long nanos);
}
