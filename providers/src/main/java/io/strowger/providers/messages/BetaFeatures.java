package io.strowger.providers.messages;

import io.strowger.spi.model.InferenceRequest;

/** Checks the beta features a caller requests. Provider-routing fact sheet, section 14. */
final class BetaFeatures {
  private static final String STRUCTURED_OUTPUTS = "structured-outputs";

  private BetaFeatures() {}

  /** Returns whether {@code strict} may be sent; without its feature, upstreams refuse it. */
  static boolean allowsStrictTools(InferenceRequest request) {
    return request.upstreamFeatures().stream()
        .anyMatch(feature -> feature.startsWith(STRUCTURED_OUTPUTS));
  }
}
