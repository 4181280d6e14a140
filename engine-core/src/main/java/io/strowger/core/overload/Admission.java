package io.strowger.core.overload;

import io.strowger.spi.error.GatewayError;

/** The answer to a request that wants to be let in. */
public sealed interface Admission permits Permit, Admission.Refusal {
  /**
   * The request is not let in, and nothing is held for it.
   *
   * @param error what its caller reads: 429, 503, or 413 for a body that never fits
   */
  record Refusal(GatewayError error) implements Admission {}
}
