package io.strowger.spi.routing;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One attempt a plan proposes.
 *
 * @param endpoint where to
 * @param byokKey id of the customer's own key to use; null for the gateway's
 * @param probe the endpoint is thought to be down, and this attempt would find out whether it is
 *     back
 */
public record Candidate(Endpoint endpoint, @Nullable String byokKey, boolean probe) {
  public static Candidate of(Endpoint endpoint) {
    return new Candidate(endpoint, null, false);
  }
}
