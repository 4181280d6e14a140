package io.strowger.plugins.pareto;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the cheapest models of a tier, or the fastest when the requested name has {@code :nitro}.
 * If no model of the tier may be used, it chooses from a neighbouring tier.
 */
final class TierRouter implements RouterPlugin {
  private static final String NITRO = "nitro";
  private static final Json.Obj FAST = Json.object().put(NITRO, true).build();
  private static final double MICROS = 1e6;

  /** The tiers to try in order, by the requested tier. Open question 52. */
  private static final int[][] NEIGHBOURS = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};

  private static final Selection NONE =
      new Selection.None(
          ErrorCode.CONSTRAINT_FILTERED, "No coding model meets the request's constraints");

  static final Selection NO_SCORES =
      new Selection.None(
          ErrorCode.CONSTRAINT_FILTERED,
          "No model of the configuration has a coding_score, by which coding models are chosen");

  private final CodingModels models;
  private final List<Choice> choices;

  /** A tier to try, with the reasons and data that are recorded when it is used. */
  private record Choice(int tier, String cheapest, String fastest, Json.Obj data) {
    static Choice of(int asked, int tier) {
      String name = CodingTiers.name(tier);
      String where =
          "of the " + name + " tier" + (tier == asked ? "" : ", the nearest that can be used");
      var data = Json.object().put("tier", CodingTiers.name(asked));
      if (tier != asked) {
        data.put("effective_tier", name);
      }
      return new Choice(tier, "the cheapest " + where, "the fastest " + where, data.build());
    }
  }

  /**
   * @param tier the number of the requested tier
   */
  TierRouter(CodingModels models, int tier) {
    this.models = models;
    var all = new ArrayList<Choice>();
    for (int tried : NEIGHBOURS[tier]) {
      all.add(Choice.of(tier, tried));
    }
    choices = List.copyOf(all);
  }

  @Override
  public Json facts(InferenceRequest request) {
    for (ModelRef model : request.models()) {
      if (model.slug().equalsIgnoreCase(ParetoRouterProvider.SLUG)) {
        return model.variants().stream().anyMatch(NITRO::equalsIgnoreCase) ? FAST : Json.Obj.EMPTY;
      }
    }
    return Json.Obj.EMPTY;
  }

  @Override
  public Selection select(Candidates candidates) {
    boolean fast =
        candidates.facts() instanceof Json.Obj object && Json.TRUE.equals(object.get(NITRO));
    for (int i = 0; i < choices.size(); i++) {
      Choice choice = choices.get(i);
      var topThree = new TopThree(candidates);
      if (fast) {
        showFastest(models.tier(choice.tier()), candidates, topThree);
      } else {
        showCheapest(models.tier(choice.tier()), candidates, topThree);
      }
      if (!topThree.isEmpty()) {
        return new Selection.Models(
            topThree.ids(), fast ? choice.fastest() : choice.cheapest(), choice.data());
      }
    }
    return models.isScored() ? NONE : NO_SCORES;
  }

  private static void showCheapest(
      CodingModels.Row tier, Candidates candidates, TopThree topThree) {
    for (int i = 0; i < tier.size() && !topThree.excludes(tier.listPrices()[i]); i++) {
      long price = candidates.promptPicos(tier.places()[i]);
      if (price != Long.MAX_VALUE) {
        topThree.show(tier.places()[i], price, 0);
      }
    }
  }

  /** Offers the models of a tier by throughput; models of unknown throughput come last. */
  private static void showFastest(CodingModels.Row tier, Candidates candidates, TopThree topThree) {
    for (int i = 0; i < tier.size(); i++) {
      int place = tier.places()[i];
      long price = candidates.promptPicos(place);
      if (price != Long.MAX_VALUE) {
        topThree.show(place, -(long) (candidates.throughput(place) * MICROS), price);
      }
    }
  }
}
