package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code provider.order} compiled to numbers: each name a provider or a tag, in the caller's order.
 * Names that match nothing keep their place and nobody fills it. Only names of the catalog are
 * kept, each once, so a list that is longer than the catalog costs no more than the catalog.
 */
final class ListedOrder {
  static final ListedOrder NONE = new ListedOrder(new int[0], null, 0);
  private static final int FEW = 16;

  private final int[] codes; // a provider's ordinal, or the complement of a tag's
  private final int @Nullable [] ranks; // the place each had; null where it is the one it has here
  private final int tiers; // those a provider's name stands for; bits of ServiceTierMask

  private ListedOrder(int[] codes, int @Nullable [] ranks, int tiers) {
    this.codes = codes;
    this.ranks = ranks;
    this.tiers = tiers;
  }

  /**
   * The order of a list. A provider's name stands for its endpoints of the service tiers the
   * request admits, as it does in {@link ProviderSet#ofCaller}.
   */
  static ListedOrder compile(List<String> names, RuleContext context) {
    if (names.isEmpty()) {
      return NONE;
    }
    return names.size() <= FEW ? few(names, context) : many(names, context);
  }

  /** Each name is compared with those before it. */
  private static ListedOrder few(List<String> names, RuleContext context) {
    int[] codes = new int[names.size()];
    int[] ranks = null;
    int size = 0;
    for (int i = 0; i < codes.length; i++) {
      int code = context.index().names().codeOf(names.get(i));
      if (code != ListedNames.UNKNOWN && !contains(codes, size, code)) {
        codes[size] = code;
        if (ranks != null) {
          ranks[size] = i;
        }
        size++;
      } else if (ranks == null) {
        ranks = new int[codes.length];
        Arrays.setAll(ranks, place -> place); // so far each is where it was
      }
    }
    int[] known = size == codes.length ? codes : Arrays.copyOf(codes, size);
    return new ListedOrder(known, ranks, context.admittedTiers());
  }

  private static boolean contains(int[] codes, int size, int code) {
    for (int i = 0; i < size; i++) {
      if (codes[i] == code) {
        return true;
      }
    }
    return false;
  }

  private static ListedOrder many(List<String> names, RuleContext context) {
    var places = new LinkedHashMap<Integer, Integer>();
    for (int i = 0; i < names.size(); i++) {
      int code = context.index().names().codeOf(names.get(i));
      if (code != ListedNames.UNKNOWN) {
        places.putIfAbsent(code, i);
      }
    }
    int[] codes = places.keySet().stream().mapToInt(Integer::intValue).toArray();
    int[] ranks = places.values().stream().mapToInt(Integer::intValue).toArray();
    return new ListedOrder(codes, ranks, context.admittedTiers());
  }

  /** How many names an endpoint is compared with. */
  int names() {
    return codes.length;
  }

  boolean isEmpty() {
    return this == NONE;
  }

  /** The place of the first name that matches the endpoint; -1 when none does. */
  int rankOf(Endpoint endpoint) {
    for (int i = 0; i < codes.length; i++) {
      if (matches(codes[i], endpoint)) {
        return ranks == null ? i : ranks[i];
      }
    }
    return -1;
  }

  private boolean matches(int code, Endpoint endpoint) {
    return code < 0
        ? endpoint.tagOrdinal() == ~code
        : endpoint.providerOrdinal() == code
            && (endpoint.serviceTier() == null || (tiers & ServiceTierMask.of(endpoint)) != 0);
  }
}
