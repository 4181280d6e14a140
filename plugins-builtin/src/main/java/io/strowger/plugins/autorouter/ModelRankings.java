package io.strowger.plugins.autorouter;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The models of one catalog that the automatic routers choose from, ranked by cost and quality: all
 * that are not hidden and serve chat.
 *
 * <p>The cost of a model is the {@link Endpoint#blendedPrice()} of its cheapest chat endpoint; its
 * percentile is 100 times its index in the order of costs, divided by the last index; models of the
 * same cost share the index of the first of them. The contract ranks models by their share of all
 * customers' spending on a kind of task, which a gateway does not know. Models are therefore ranked
 * by the catalog's coding score for code, else by the intelligence score. Models that lack that
 * score follow, ranked by the other one. Models without any score are ranked among themselves, and
 * used only where no scored model may be used, since their quality is unknown. Plugins fact sheet,
 * section 2; open questions 46 and 48.
 */
final class ModelRankings {
  /** The number of cost tiers, each a fifth of the percentiles. */
  static final int TIER_COUNT = 5;

  private static final int PERCENT = 100;

  private record RankedModel(
      int ordinal, String id, long cost, double intelligenceScore, double codingScore) {
    boolean isScored() {
      return intelligenceScore >= 0 || codingScore >= 0;
    }
  }

  private static final Comparator<RankedModel> CHEAPEST =
      Comparator.comparingLong(RankedModel::cost).thenComparing(RankedModel::id);

  private static final Comparator<RankedModel> SMARTEST =
      Comparator.comparingDouble(RankedModel::intelligenceScore)
          .thenComparingDouble(RankedModel::codingScore)
          .reversed()
          .thenComparing(CHEAPEST);

  private static final Comparator<RankedModel> BEST_CODER =
      Comparator.comparingDouble(RankedModel::codingScore)
          .thenComparingDouble(RankedModel::intelligenceScore)
          .reversed()
          .thenComparing(CHEAPEST);

  private final Catalog catalog;
  private final List<Group> groups;

  private ModelRankings(Catalog catalog, List<Group> groups) {
    this.catalog = catalog;
    this.groups = groups;
  }

  static ModelRankings of(Catalog catalog) {
    var scored = new ArrayList<RankedModel>();
    var unscored = new ArrayList<RankedModel>();
    for (ModelInfo model : catalog.models()) {
      Endpoint cheapest = model.isHidden() ? null : cheapest(model);
      if (cheapest != null) {
        var ranked =
            new RankedModel(
                model.ordinal(),
                model.id(),
                cheapest.blendedPrice(),
                orMinusOne(model.intelligenceScore()),
                orMinusOne(model.codingScore()));
        (ranked.isScored() ? scored : unscored).add(ranked);
      }
    }
    var groups = new ArrayList<Group>();
    if (!scored.isEmpty()) {
      groups.add(new Group(scored, true, catalog.models().size()));
    }
    if (!unscored.isEmpty()) {
      groups.add(new Group(unscored, false, catalog.models().size()));
    }
    return new ModelRankings(catalog, List.copyOf(groups));
  }

  private static @Nullable Endpoint cheapest(ModelInfo model) {
    for (Endpoint endpoint : model.endpoints()) { // cheapest first
      if (endpoint.kind() == Endpoint.Kind.CHAT) {
        return endpoint;
      }
    }
    return null;
  }

  private static double orMinusOne(@Nullable Double score) {
    return score == null ? -1 : Objects.requireNonNull(score);
  }

  Catalog catalog() {
    return catalog;
  }

  /** Returns the group of scored models, then that of unscored ones; empty groups are left out. */
  List<Group> groups() {
    return groups;
  }

  /** Models among which costs are compared. Immutable. */
  static final class Group {
    private final int[] byCost;
    private final int[] byIntelligence;
    private final int[] byCoding;
    private final int[] costRank; // by ordinal; -1 for models outside the group
    private final int lastCostRank; // of the most expensive model; 0 when all cost the same
    private final boolean isScored;

    private Group(List<RankedModel> models, boolean isScored, int modelCount) {
      this.isScored = isScored;
      byCost = ordinals(models, CHEAPEST);
      byIntelligence = ordinals(models, SMARTEST);
      byCoding = ordinals(models, BEST_CODER);
      costRank = new int[modelCount];
      Arrays.fill(costRank, -1);
      List<RankedModel> sorted = models.stream().sorted(CHEAPEST).toList();
      int rank = 0;
      for (int i = 0; i < sorted.size(); i++) {
        RankedModel model = sorted.get(i);
        if (i > 0 && model.cost() > sorted.get(i - 1).cost()) {
          rank = i;
        }
        costRank[model.ordinal()] = rank;
      }
      lastCostRank = rank;
    }

    private static int[] ordinals(List<RankedModel> models, Comparator<RankedModel> order) {
      return models.stream().sorted(order).mapToInt(RankedModel::ordinal).toArray();
    }

    boolean isScored() {
      return isScored;
    }

    /** Returns the models' ordinals in the catalog, cheapest first. */
    int[] byCost() {
      return byCost;
    }

    /** Returns the models' ordinals in the catalog, best first. */
    int[] ranking(boolean isCode) {
      return isCode ? byCoding : byIntelligence;
    }

    /**
     * Returns whether a model is in a tier; when all models cost the same, they are in every one.
     */
    boolean isInTier(int tier, int ordinal) {
      int last = byCost.length - 1;
      return lastCostRank == 0
          || Math.min(TIER_COUNT - 1, TIER_COUNT * costRank[ordinal] / last) == tier;
    }

    /** Returns whether the cost of a model of the group is at most at this percentile. */
    boolean isWithinPercentile(int percentile, int ordinal) {
      int last = byCost.length - 1;
      return PERCENT * costRank[ordinal] <= percentile * last;
    }
  }
}
