package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One attempt a plan proposes.
 *
 * @param endpoint the endpoint to send the request to
 * @param modelIndex the index of the requested model it is a candidate for, from 0. After a failure
 *     that is the request's own fault, only another requested model is tried, never a router's
 *     second choice
 * @param byokKey the id of the BYOK key to use; null for the gateway's credential
 * @param probe whether the endpoint's breaker is open and this attempt finds out if it has
 *     recovered; only one request at a time may make it
 */
public record PlannedAttempt(
    Endpoint endpoint, int modelIndex, @Nullable String byokKey, boolean probe) {
  /** Creates an attempt with the gateway's own credential, for the first requested model. */
  public static PlannedAttempt of(Endpoint endpoint) {
    return new PlannedAttempt(endpoint, 0, null, false);
  }
}
