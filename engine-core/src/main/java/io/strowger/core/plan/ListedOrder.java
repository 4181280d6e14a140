package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * {@code provider.order} compiled to numbers: each name a provider or a tag, in the caller's order.
 * Names that match nothing keep their place and nobody fills it. Only names of the catalog are
 * kept, each once, so a list that is longer than the catalog costs no more than the catalog.
 */
final class ListedOrder {
  static final ListedOrder NONE = new ListedOrder(new int[0], new int[0], 0, true);
  private static final int FEW = 16;

  private final int[] codes; // a provider's ordinal, or the complement of a tag's
  private final int[] ranks; // the place each has in the list
  private final int tiers; // those a provider's name stands for; bits of Tiers
  private final boolean empty;

  private ListedOrder(int[] codes, int[] ranks, int tiers, boolean empty) {
    this.codes = codes;
    this.ranks = ranks;
    this.tiers = tiers;
    this.empty = empty;
  }

  /**
   * The order of a list. A provider's name stands for its endpoints of the service tiers the
   * request admits, as it does in {@link ProviderSet#ofCaller}.
   */
  static ListedOrder compile(List<String> names, Scope scope) {
    if (names.isEmpty()) {
      return NONE;
    }
    return names.size() <= FEW ? few(names, scope) : many(names, scope);
  }

  /** Each name is compared with those before it. */
  private static ListedOrder few(List<String> names, Scope scope) {
    int[] codes = new int[names.size()];
    int[] ranks = new int[codes.length];
    int size = 0;
    for (int i = 0; i < codes.length; i++) {
      int code = scope.index().names().codeOf(names.get(i));
      if (code != ListedNames.NOBODY && !contains(codes, size, code)) {
        codes[size] = code;
        ranks[size++] = i;
      }
    }
    return size == codes.length
        ? new ListedOrder(codes, ranks, scope.admitted(), false)
        : new ListedOrder(
            Arrays.copyOf(codes, size), Arrays.copyOf(ranks, size), scope.admitted(), false);
  }

  private static boolean contains(int[] codes, int size, int code) {
    for (int i = 0; i < size; i++) {
      if (codes[i] == code) {
        return true;
      }
    }
    return false;
  }

  private static ListedOrder many(List<String> names, Scope scope) {
    var places = new LinkedHashMap<Integer, Integer>();
    for (int i = 0; i < names.size(); i++) {
      int code = scope.index().names().codeOf(names.get(i));
      if (code != ListedNames.NOBODY) {
        places.putIfAbsent(code, i);
      }
    }
    int[] codes = places.keySet().stream().mapToInt(Integer::intValue).toArray();
    int[] ranks = places.values().stream().mapToInt(Integer::intValue).toArray();
    return new ListedOrder(codes, ranks, scope.admitted(), false);
  }

  /** How many names an endpoint is compared with. */
  int names() {
    return codes.length;
  }

  boolean isEmpty() {
    return empty;
  }

  /** The place of the first name that matches the endpoint; -1 when none does. */
  int rankOf(Endpoint endpoint) {
    for (int i = 0; i < codes.length; i++) {
      if (matches(codes[i], endpoint)) {
        return ranks[i];
      }
    }
    return -1;
  }

  private boolean matches(int code, Endpoint endpoint) {
    return code < 0
        ? endpoint.tagOrdinal() == ~code
        : endpoint.providerOrdinal() == code
            && (endpoint.serviceTier() == null || (tiers & Tiers.of(endpoint)) != 0);
  }
}
