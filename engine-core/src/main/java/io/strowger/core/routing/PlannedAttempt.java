package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One attempt a plan proposes.
 *
 * @param endpoint where to
 * @param model which of the requested models it came from, from 0: after a failure that is the
 *     request's own fault only another one of them can do better, never a router's second choice
 * @param byokKey id of the customer's own key to use; null for the gateway's
 * @param probe the endpoint was thought to be down, and this attempt would find out whether it is
 *     back: one request at a time may make it
 */
public record PlannedAttempt(
    Endpoint endpoint, int model, @Nullable String byokKey, boolean probe) {
  /** With the gateway's own credential, for the first requested model. */
  public static PlannedAttempt of(Endpoint endpoint) {
    return new PlannedAttempt(endpoint, 0, null, false);
  }
}
