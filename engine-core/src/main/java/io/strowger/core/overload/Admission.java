package io.strowger.core.overload;

import io.strowger.spi.error.GatewayError;

/** The result of admission control for one request: a permit or a refusal. */
public sealed interface Admission permits Permit, Admission.Refusal {
  /**
   * The request is refused, and holds neither a place nor bytes.
   *
   * @param error the error its caller receives: 429, 503, or 413 for a body that never fits
   */
  record Refusal(GatewayError error) implements Admission {}
}
