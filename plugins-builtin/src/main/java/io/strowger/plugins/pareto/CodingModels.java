package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The coding models of one catalog, sorted for decisions: each tier by ascending list price, and
 * all of them by descending score. Hidden models are left out.
 *
 * <p>A model's list price is the least it can cost at any endpoint, hour and size of prompt. The
 * price in a decision is never less, so a search can stop once list prices exceed the best found.
 */
final class CodingModels {
  /** A model with a coding score. */
  private record ScoredModel(int ordinal, String id, double score, long listPrice) {}

  /** Models in one order, as parallel arrays. */
  record Ranking(int[] ordinals, long[] listPrices, double[] scores) {
    int size() {
      return ordinals.length;
    }
  }

  private static final Comparator<ScoredModel> CHEAPEST_FIRST =
      Comparator.comparingLong(ScoredModel::listPrice).thenComparing(ScoredModel::id);

  private static final Comparator<ScoredModel> BEST_FIRST =
      Comparator.comparingDouble(ScoredModel::score).reversed().thenComparing(CHEAPEST_FIRST);

  private final List<Ranking> tiers;
  private final Ranking byScore;
  private final boolean hasScores;

  private CodingModels(List<Ranking> tiers, Ranking byScore, boolean hasScores) {
    this.tiers = tiers;
    this.byScore = byScore;
    this.hasScores = hasScores;
  }

  static CodingModels of(Catalog catalog, CodingTiers tierBounds) {
    var models = new ArrayList<ScoredModel>();
    List<List<ScoredModel>> tiers =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (ModelInfo model : catalog.models()) {
      Double score = model.codingScore();
      int tier = score == null || model.isHidden() ? CodingTiers.COUNT : tierBounds.tierOf(score);
      if (tier < CodingTiers.COUNT && !model.endpoints().isEmpty()) {
        var scored =
            new ScoredModel(
                model.ordinal(), model.id(), Objects.requireNonNull(score), listPrice(model));
        models.add(scored);
        tiers.get(tier).add(scored);
      }
    }
    models.sort(BEST_FIRST);
    tiers.forEach(tier -> tier.sort(CHEAPEST_FIRST));
    boolean scored = catalog.models().stream().anyMatch(model -> model.codingScore() != null);
    return new CodingModels(
        tiers.stream().map(CodingModels::toRanking).toList(), toRanking(models), scored);
  }

  private static long listPrice(ModelInfo model) {
    long lowest = Long.MAX_VALUE;
    for (Endpoint endpoint : model.endpoints()) {
      lowest = Math.min(lowest, endpoint.pricing().picos(Price.PROMPT));
      for (Pricing.Override override : endpoint.pricing().overrides()) {
        var replaced = override.prices().get(Price.PROMPT);
        lowest = replaced == null ? lowest : Math.min(lowest, replaced.picos());
      }
    }
    return lowest;
  }

  private static Ranking toRanking(List<ScoredModel> models) {
    return new Ranking(
        models.stream().mapToInt(ScoredModel::ordinal).toArray(),
        models.stream().mapToLong(ScoredModel::listPrice).toArray(),
        models.stream().mapToDouble(ScoredModel::score).toArray());
  }

  /** Returns whether any model has a coding score. */
  boolean hasScores() {
    return hasScores;
  }

  /** Returns the models of a tier, lowest list price first. */
  Ranking tier(int number) {
    return tiers.get(number);
  }

  /** Returns all models, best score first; among equal scores, lowest list price first. */
  Ranking byScore() {
    return byScore;
  }
}
