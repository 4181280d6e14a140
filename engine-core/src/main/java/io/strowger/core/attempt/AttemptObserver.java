package io.strowger.core.attempt;

import io.strowger.spi.catalog.Endpoint;

/** Learns of each attempt of a turn as it begins, where somebody observes calls. */
@FunctionalInterface
public interface AttemptObserver {
  /**
   * Called on the request's thread before anything is sent.
   *
   * @param nanos now, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   * @return what the attempt is reported to
   */
  ObservedAttempt begin(Endpoint endpoint, long nanos);
}
