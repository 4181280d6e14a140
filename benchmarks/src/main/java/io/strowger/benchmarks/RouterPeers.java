package io.strowger.benchmarks;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two other ways to find the best coding model of a tier of cost: a pass over packed arrays of all
 * endpoints, and a walk over the objects with every pattern tried on every name. Both put the same
 * model first as the automatic router does if the tier has a model with a score for the request;
 * they do no other part of a decision.
 */
final class RouterPeers {
  private static final int BANDS = RouterQueries.TIERS.size();
  private static final Comparator<ModelInfo> CHEAPEST =
      Comparator.<ModelInfo>comparingLong(model -> model.endpoints().getFirst().blendedPrice())
          .thenComparing(ModelInfo::id);
  private static final Comparator<ModelInfo> BEST_CODER =
      Comparator.<ModelInfo>comparingDouble(model -> known(model.codingScore()))
          .thenComparingDouble(model -> known(model.intelligenceScore()))
          .reversed()
          .thenComparing(CHEAPEST);

  private final Catalog catalog;
  private final int[] bands; // by model
  private final Map<List<String>, BitSet> sets = new HashMap<>();

  // by endpoint
  private final int[] modelOf;
  private final int[] bandOf;
  private final int[] rankOf; // the best coder first
  private final int[] outputOf;

  RouterPeers(Catalog catalog) {
    this.catalog = catalog;
    List<ModelInfo> scored = catalog.models().stream().filter(RouterPeers::isScored).toList();
    int[] byCost = ranks(catalog, scored, CHEAPEST);
    int[] byScore = ranks(catalog, catalog.models(), BEST_CODER);
    int last = scored.size() - 1;
    bands = new int[byCost.length];
    for (int i = 0; i < bands.length; i++) {
      bands[i] = byCost[i] < 0 ? -1 : Math.min(BANDS - 1, BANDS * byCost[i] / last);
    }
    List<Endpoint> endpoints = catalog.endpoints();
    modelOf = endpoints.stream().mapToInt(Endpoint::modelOrdinal).toArray();
    bandOf = endpoints.stream().mapToInt(one -> bands[one.modelOrdinal()]).toArray();
    rankOf = endpoints.stream().mapToInt(one -> byScore[one.modelOrdinal()]).toArray();
    outputOf = endpoints.stream().mapToInt(Endpoint::maxOutputTokens).toArray();
  }

  private static double known(@Nullable Double score) {
    return score == null ? -1 : score;
  }

  private static boolean isScored(ModelInfo model) {
    return model.codingScore() != null || model.intelligenceScore() != null;
  }

  /** Returns the rank of each model, by its ordinal in the catalog; -1 for models not listed. */
  private static int[] ranks(Catalog catalog, List<ModelInfo> of, Comparator<ModelInfo> order) {
    List<ModelInfo> sorted = of.stream().sorted(order).toList();
    int[] ranks = new int[catalog.models().size()];
    Arrays.fill(ranks, -1);
    for (int rank = 0; rank < sorted.size(); rank++) {
      ranks[sorted.get(rank).ordinal()] = rank;
    }
    return ranks;
  }

  /**
   * Makes one pass over all endpoints. The sets of models for both lists of patterns are cached.
   *
   * @return the best model's ordinal in the catalog, or -1
   */
  int packed(RouterQueries.Asked asked) {
    BitSet allowed = set(asked.allowed());
    BitSet excluded = set(asked.excluded());
    int best = -1;
    for (int i = 0; i < modelOf.length; i++) {
      if (bandOf[i] == asked.tier()
          && outputOf[i] >= asked.query().outputLimit()
          && allowed.get(modelOf[i])
          && !excluded.get(modelOf[i])
          && (best < 0 || rankOf[i] < rankOf[best])) {
        best = i;
      }
    }
    return best < 0 ? -1 : modelOf[best];
  }

  private BitSet set(List<String> patterns) {
    BitSet known = sets.get(patterns);
    if (known == null) {
      known = new BitSet();
      for (ModelInfo model : catalog.models()) {
        known.set(model.ordinal(), fitsAny(patterns, model.id()));
      }
      sets.put(patterns, known);
    }
    return known;
  }

  /** Returns the matching models, best first, after comparing all names with all patterns. */
  List<ModelInfo> naive(RouterQueries.Asked asked) {
    var found = new ArrayList<ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (fitsAny(asked.allowed(), model.id())
          && !fitsAny(asked.excluded(), model.id())
          && bands[model.ordinal()] == asked.tier()
          && model.endpoints().stream()
              .anyMatch(one -> one.maxOutputTokens() >= asked.query().outputLimit())) {
        found.add(model);
      }
    }
    found.sort(BEST_CODER);
    return found;
  }

  private static boolean fitsAny(List<String> patterns, String id) {
    return patterns.stream().anyMatch(pattern -> fits(pattern, 0, id, 0));
  }

  private static boolean fits(String pattern, int at, String id, int from) {
    if (at == pattern.length()) {
      return from == id.length();
    }
    if (pattern.charAt(at) != '*') {
      return from < id.length()
          && pattern.charAt(at) == id.charAt(from)
          && fits(pattern, at + 1, id, from + 1);
    }
    for (int end = from; end <= id.length(); end++) {
      if (fits(pattern, at + 1, id, end)) {
        return true;
      }
    }
    return false;
  }
}
