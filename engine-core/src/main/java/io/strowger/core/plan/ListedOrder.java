package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code provider.order} compiled to numbers: each name is a provider or a tag, in the caller's
 * order. Names that match nothing leave their rank unused. Only names of the catalog are kept, each
 * once, so a list longer than the catalog costs no more than the catalog.
 */
final class ListedOrder {
  static final ListedOrder NONE = new ListedOrder(new int[0], null, 0);
  private static final int SHORT_LIST = 16;

  private final int[] codes; // a provider's ordinal, or the complement of a tag's
  private final int @Nullable [] ranks; // the caller's rank of each; null where ranks equal indexes
  private final int tiers; // tiers a provider's name covers; bits of ServiceTierMask

  private ListedOrder(int[] codes, int @Nullable [] ranks, int tiers) {
    this.codes = codes;
    this.ranks = ranks;
    this.tiers = tiers;
  }

  /**
   * Returns the compiled order. A provider's name covers its endpoints of the service tiers the
   * request admits, as in {@link ProviderSet#ofCaller}.
   */
  static ListedOrder compile(List<String> names, RuleContext context) {
    if (names.isEmpty()) {
      return NONE;
    }
    return names.size() <= SHORT_LIST ? compileShort(names, context) : compileLong(names, context);
  }

  /** Compiles a short list: each name is compared with those before it. */
  private static ListedOrder compileShort(List<String> names, RuleContext context) {
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
        Arrays.setAll(ranks, index -> index); // all names so far kept their rank
      }
    }
    int[] knownCodes = size == codes.length ? codes : Arrays.copyOf(codes, size);
    return new ListedOrder(knownCodes, ranks, context.admittedTiers());
  }

  private static boolean contains(int[] codes, int size, int code) {
    for (int i = 0; i < size; i++) {
      if (codes[i] == code) {
        return true;
      }
    }
    return false;
  }

  private static ListedOrder compileLong(List<String> names, RuleContext context) {
    var ranksByCode = new LinkedHashMap<Integer, Integer>();
    for (int i = 0; i < names.size(); i++) {
      int code = context.index().names().codeOf(names.get(i));
      if (code != ListedNames.UNKNOWN) {
        ranksByCode.putIfAbsent(code, i);
      }
    }
    int[] codes = ranksByCode.keySet().stream().mapToInt(Integer::intValue).toArray();
    int[] ranks = ranksByCode.values().stream().mapToInt(Integer::intValue).toArray();
    return new ListedOrder(codes, ranks, context.admittedTiers());
  }

  /** Returns the number of names that an endpoint is compared with. */
  int size() {
    return codes.length;
  }

  boolean isEmpty() {
    return this == NONE;
  }

  /** Returns the rank of the first name that matches the endpoint, from 0; -1 when none does. */
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
