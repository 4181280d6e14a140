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
 * Finds the best coding model of a cost tier in two other ways: a pass over packed arrays of all
 * endpoints, and a walk over the objects with every pattern tried on every name. Both put the same
 * model first as the automatic router does, if the tier has a model with a score for the request.
 * Both leave out the rest of a decision.
 */
final class RouterPeers {
  private static final int TIER_COUNT = RouterQueries.TIERS.size();
  private static final Comparator<ModelInfo> BY_COST =
      Comparator.comparingLong(model -> model.endpoints().getFirst().blendedPrice());
  private static final Comparator<ModelInfo> BEST_CODER =
      Comparator.<ModelInfo>comparingDouble(model -> scoreOrDefault(model.codingScore()))
          .thenComparingDouble(model -> scoreOrDefault(model.intelligenceScore()))
          .reversed()
          .thenComparing(BY_COST)
          .thenComparing(ModelInfo::id);

  private final Catalog catalog;
  private final int[] tiers; // by model
  private final Map<List<String>, BitSet> modelSets = new HashMap<>();

  // by endpoint
  private final int[] modelOf;
  private final int[] tierOf;
  private final int[] rankOf; // the best coder first
  private final int[] maxOutputOf;

  RouterPeers(Catalog catalog) {
    this.catalog = catalog;
    List<ModelInfo> scored = catalog.models().stream().filter(RouterPeers::isScored).toList();
    int[] costRanks = ranks(catalog, scored, BY_COST);
    int[] scoreRanks = ranks(catalog, catalog.models(), BEST_CODER);
    int last = scored.size() - 1;
    tiers = new int[costRanks.length];
    for (int i = 0; i < tiers.length; i++) {
      tiers[i] = costRanks[i] < 0 ? -1 : Math.min(TIER_COUNT - 1, TIER_COUNT * costRanks[i] / last);
    }
    List<Endpoint> endpoints = catalog.endpoints();
    modelOf = endpoints.stream().mapToInt(Endpoint::modelOrdinal).toArray();
    tierOf = endpoints.stream().mapToInt(endpoint -> tiers[endpoint.modelOrdinal()]).toArray();
    rankOf = endpoints.stream().mapToInt(endpoint -> scoreRanks[endpoint.modelOrdinal()]).toArray();
    maxOutputOf = endpoints.stream().mapToInt(Endpoint::maxOutputTokens).toArray();
  }

  private static double scoreOrDefault(@Nullable Double score) {
    return score == null ? -1 : score;
  }

  private static boolean isScored(ModelInfo model) {
    return model.codingScore() != null || model.intelligenceScore() != null;
  }

  /**
   * Returns the rank of each model, by its ordinal in the catalog; -1 for models not listed. Equal
   * models share the rank of the first of them.
   */
  private static int[] ranks(Catalog catalog, List<ModelInfo> models, Comparator<ModelInfo> order) {
    List<ModelInfo> sorted = models.stream().sorted(order).toList();
    int[] ranks = new int[catalog.models().size()];
    Arrays.fill(ranks, -1);
    int rank = 0;
    for (int i = 0; i < sorted.size(); i++) {
      if (i > 0 && order.compare(sorted.get(i - 1), sorted.get(i)) < 0) {
        rank = i;
      }
      ranks[sorted.get(i).ordinal()] = rank;
    }
    return ranks;
  }

  /**
   * Makes one pass over all endpoints. The sets of models for both lists of patterns are cached.
   *
   * @return the best model's ordinal in the catalog, or -1
   */
  int packed(RouterQueries.RouterRequest request) {
    BitSet allowed = modelSet(request.allowed());
    BitSet excluded = modelSet(request.excluded());
    int best = -1;
    for (int i = 0; i < modelOf.length; i++) {
      if (tierOf[i] == request.tier()
          && maxOutputOf[i] >= request.query().outputLimit()
          && allowed.get(modelOf[i])
          && !excluded.get(modelOf[i])
          && (best < 0 || rankOf[i] < rankOf[best])) {
        best = i;
      }
    }
    return best < 0 ? -1 : modelOf[best];
  }

  private BitSet modelSet(List<String> patterns) {
    BitSet result = modelSets.get(patterns);
    if (result == null) {
      result = new BitSet();
      for (ModelInfo model : catalog.models()) {
        result.set(model.ordinal(), fitsAny(patterns, model.id()));
      }
      modelSets.put(patterns, result);
    }
    return result;
  }

  /** Returns the matching models, best first, after comparing all names with all patterns. */
  List<ModelInfo> naive(RouterQueries.RouterRequest request) {
    var matches = new ArrayList<ModelInfo>();
    for (ModelInfo model : catalog.models()) {
      if (fitsAny(request.allowed(), model.id())
          && !fitsAny(request.excluded(), model.id())
          && tiers[model.ordinal()] == request.tier()
          && model.endpoints().stream()
              .anyMatch(endpoint -> endpoint.maxOutputTokens() >= request.query().outputLimit())) {
        matches.add(model);
      }
    }
    matches.sort(BEST_CODER);
    return matches;
  }

  private static boolean fitsAny(List<String> patterns, String id) {
    return patterns.stream().anyMatch(pattern -> fits(pattern, 0, id, 0));
  }

  private static boolean fits(String pattern, int patternIndex, String id, int idIndex) {
    if (patternIndex == pattern.length()) {
      return idIndex == id.length();
    }
    if (pattern.charAt(patternIndex) != '*') {
      return idIndex < id.length()
          && pattern.charAt(patternIndex) == id.charAt(idIndex)
          && fits(pattern, patternIndex + 1, id, idIndex + 1);
    }
    for (int end = idIndex; end <= id.length(); end++) {
      if (fits(pattern, patternIndex + 1, id, end)) {
        return true;
      }
    }
    return false;
  }
}
