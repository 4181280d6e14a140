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
  private record Scored(int place, String id, double score, long listPrice) {}

  /** Models in one order, as parallel arrays. */
  record Row(int[] places, long[] listPrices, double[] scores) {
    int size() {
      return places.length;
    }
  }

  private static final Comparator<Scored> CHEAPEST_FIRST =
      Comparator.comparingLong(Scored::listPrice).thenComparing(Scored::id);

  private static final Comparator<Scored> BEST_FIRST =
      Comparator.comparingDouble(Scored::score).reversed().thenComparing(CHEAPEST_FIRST);

  private final List<Row> tiers;
  private final Row byScore;
  private final boolean scored;

  private CodingModels(List<Row> tiers, Row byScore, boolean scored) {
    this.tiers = tiers;
    this.byScore = byScore;
    this.scored = scored;
  }

  static CodingModels of(Catalog catalog, CodingTiers bands) {
    var all = new ArrayList<Scored>();
    List<List<Scored>> tiers = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (ModelInfo model : catalog.models()) {
      Double score = model.codingScore();
      int tier = score == null || model.hidden() ? CodingTiers.COUNT : bands.of(score);
      if (tier < CodingTiers.COUNT && !model.endpoints().isEmpty()) {
        var scored =
            new Scored(
                model.ordinal(), model.id(), Objects.requireNonNull(score), listPrice(model));
        all.add(scored);
        tiers.get(tier).add(scored);
      }
    }
    all.sort(BEST_FIRST);
    tiers.forEach(tier -> tier.sort(CHEAPEST_FIRST));
    boolean scored = catalog.models().stream().anyMatch(model -> model.codingScore() != null);
    return new CodingModels(tiers.stream().map(CodingModels::row).toList(), row(all), scored);
  }

  private static long listPrice(ModelInfo model) {
    long least = Long.MAX_VALUE;
    for (Endpoint endpoint : model.endpoints()) {
      least = Math.min(least, endpoint.pricing().picos(Price.PROMPT));
      for (Pricing.Override override : endpoint.pricing().overrides()) {
        var replaced = override.prices().get(Price.PROMPT);
        least = replaced == null ? least : Math.min(least, replaced.picos());
      }
    }
    return least;
  }

  private static Row row(List<Scored> models) {
    return new Row(
        models.stream().mapToInt(Scored::place).toArray(),
        models.stream().mapToLong(Scored::listPrice).toArray(),
        models.stream().mapToDouble(Scored::score).toArray());
  }

  /** Returns whether any model has a coding score. */
  boolean isScored() {
    return scored;
  }

  /** Returns the models of a tier, lowest list price first. */
  Row tier(int number) {
    return tiers.get(number);
  }

  /** Returns all models, best score first; among equal scores, lowest list price first. */
  Row byScore() {
    return byScore;
  }
}
