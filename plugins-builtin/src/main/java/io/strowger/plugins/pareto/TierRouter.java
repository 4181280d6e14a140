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
  private static final Json.Obj NITRO_FACTS = Json.object().put(NITRO, true).build();
  private static final double MICROS = 1e6;

  /** The tiers to try in order, by the requested tier. Open question 52. */
  private static final int[][] NEIGHBOURS = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};

  private static final Selection NO_MATCH =
      new Selection.Refusal(
          ErrorCode.CONSTRAINT_FILTERED, "No coding model meets the request's constraints");

  static final Selection NO_SCORES =
      new Selection.Refusal(
          ErrorCode.CONSTRAINT_FILTERED,
          "No model of the configuration has a coding_score, by which coding models are chosen");

  private final CodingModels models;
  private final List<Choice> choices;

  /** A tier to try, with the reasons and data that are recorded when it is used. */
  private record Choice(int tier, String cheapestReason, String fastestReason, Json.Obj data) {
    static Choice of(int requestedTier, int tier) {
      String name = CodingTiers.name(tier);
      String description =
          "of the "
              + name
              + " tier"
              + (tier == requestedTier ? "" : ", the nearest that can be used");
      var data = Json.object().put("tier", CodingTiers.name(requestedTier));
      if (tier != requestedTier) {
        data.put("effective_tier", name);
      }
      return new Choice(
          tier, "the cheapest " + description, "the fastest " + description, data.build());
    }
  }

  /**
   * @param tier the number of the requested tier
   */
  TierRouter(CodingModels models, int tier) {
    this.models = models;
    var choiceList = new ArrayList<Choice>();
    for (int candidateTier : NEIGHBOURS[tier]) {
      choiceList.add(Choice.of(tier, candidateTier));
    }
    choices = List.copyOf(choiceList);
  }

  @Override
  public Json facts(InferenceRequest request) {
    for (ModelRef model : request.models()) {
      if (model.slug().equalsIgnoreCase(ParetoRouterProvider.SLUG)) {
        return model.variants().stream().anyMatch(NITRO::equalsIgnoreCase)
            ? NITRO_FACTS
            : Json.Obj.EMPTY;
      }
    }
    return Json.Obj.EMPTY;
  }

  @Override
  public Selection select(Candidates candidates) {
    boolean isNitro =
        candidates.facts() instanceof Json.Obj object && Json.TRUE.equals(object.get(NITRO));
    for (int i = 0; i < choices.size(); i++) {
      Choice choice = choices.get(i);
      var topThree = new TopThree(candidates);
      if (isNitro) {
        offerFastest(models.tier(choice.tier()), candidates, topThree);
      } else {
        offerCheapest(models.tier(choice.tier()), candidates, topThree);
      }
      if (!topThree.isEmpty()) {
        return new Selection.Models(
            topThree.ids(),
            isNitro ? choice.fastestReason() : choice.cheapestReason(),
            choice.data());
      }
    }
    return models.hasScores() ? NO_MATCH : NO_SCORES;
  }

  private static void offerCheapest(
      CodingModels.Ranking ranking, Candidates candidates, TopThree topThree) {
    for (int i = 0; i < ranking.size() && !topThree.excludes(ranking.listPrices()[i]); i++) {
      long price = candidates.promptPicos(ranking.ordinals()[i]);
      if (price != Long.MAX_VALUE) {
        topThree.offer(ranking.ordinals()[i], price, 0);
      }
    }
  }

  /** Offers the models of a tier by throughput; models of unknown throughput come last. */
  private static void offerFastest(
      CodingModels.Ranking ranking, Candidates candidates, TopThree topThree) {
    for (int i = 0; i < ranking.size(); i++) {
      int ordinal = ranking.ordinals()[i];
      long price = candidates.promptPicos(ordinal);
      if (price != Long.MAX_VALUE) {
        topThree.offer(ordinal, -(long) (candidates.throughput(ordinal) * MICROS), price);
      }
    }
  }
}
