package io.strowger.providers.messages;

import io.strowger.spi.model.InferenceRequest;

/** What the caller's features allow. Provider-routing fact sheet, section 14. */
final class BetaFeatures {
  private static final String STRUCTURED_OUTPUTS = "structured-outputs";

  private BetaFeatures() {}

  /** {@code strict} on a tool is an error upstream unless its feature was asked for. */
  static boolean strictTools(InferenceRequest request) {
    return request.upstreamFeatures().stream()
        .anyMatch(feature -> feature.startsWith(STRUCTURED_OUTPUTS));
  }
}
