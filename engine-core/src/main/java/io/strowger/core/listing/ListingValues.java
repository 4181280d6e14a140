package io.strowger.core.listing;

import io.strowger.spi.json.Json;

/** Values as listings show them. */
final class ListingValues {
  private ListingValues() {}

  /** A length in tokens; null when it is 0, which means unknown. */
  static Json known(int tokens) {
    return tokens == 0 ? Json.NULL : Json.of(tokens);
  }
}
