package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.util.List;

/**
 * {@code provider.order} compiled to numbers: each name a provider or a tag, in the caller's order.
 * Names that match nothing keep their place and nobody fills it.
 */
final class ListedOrder {
  static final ListedOrder NONE = new ListedOrder(new int[0], 0);
  private static final int NOBODY = Integer.MAX_VALUE;

  private final int[] codes; // a provider's ordinal, or the complement of a tag's
  private final int tiers; // those a provider's name stands for; bits of Tiers

  private ListedOrder(int[] codes, int tiers) {
    this.codes = codes;
    this.tiers = tiers;
  }

  /**
   * The order of a list. A provider's name stands for its endpoints of the service tiers the
   * request admits, as it does in {@link ProviderSet#ofCaller}.
   */
  static ListedOrder compile(List<String> names, Scope scope) {
    if (names.isEmpty()) {
      return NONE;
    }
    int[] codes = new int[names.size()];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = code(names.get(i), scope.catalog());
    }
    return new ListedOrder(codes, scope.admitted());
  }

  private static int code(String name, Catalog catalog) {
    boolean tag = ProviderSet.isTag(name);
    int ordinal = tag ? catalog.tagOrdinal(name) : catalog.providerOrdinal(name);
    if (ordinal < 0) {
      return NOBODY;
    }
    return tag ? ~ordinal : ordinal;
  }

  boolean isEmpty() {
    return codes.length == 0;
  }

  /** The place of the first name that matches the endpoint; -1 when none does. */
  int rankOf(Endpoint endpoint) {
    for (int rank = 0; rank < codes.length; rank++) {
      if (matches(rank, endpoint)) {
        return rank;
      }
    }
    return -1;
  }

  private boolean matches(int rank, Endpoint endpoint) {
    int code = codes[rank];
    return code < 0
        ? endpoint.tagOrdinal() == ~code
        : endpoint.providerOrdinal() == code
            && (endpoint.serviceTier() == null || (tiers & Tiers.of(endpoint)) != 0);
  }
}
