package io.strowger.core.listing;

import io.strowger.spi.json.Json;

/** Formats values for listings. */
final class ListingValues {
  private ListingValues() {}

  /** Returns a token count as JSON; JSON null for 0, which means unknown. */
  static Json tokensOrNull(int tokens) {
    return tokens == 0 ? Json.NULL : Json.of(tokens);
  }
}
