package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.model.InferenceRequest;
import java.time.Instant;

/**
 * A request as it came, with the name and the chance it was given.
 *
 * @param id generation id, {@code gen-...}
 * @param at when it came
 * @param nanos the same on {@link Ambient#nanoTime()}
 * @param seed all chance in its decision
 */
record Received(
    String id, Caller caller, InferenceRequest request, Instant at, long nanos, long seed) {
  static Received now(Ambient ambient, Caller caller, InferenceRequest request) {
    Instant at = ambient.now();
    long nanos = ambient.nanoTime();
    long seed = ambient.seed();
    return new Received(
        GenerationId.of(at, seed, ambient.seed()), caller, request, at, nanos, seed);
  }

  /** The same, asking this instead. */
  Received asking(InferenceRequest changed) {
    return changed == request ? this : new Received(id, caller, changed, at, nanos, seed);
  }

  long createdSeconds() {
    return at.getEpochSecond();
  }
}
