package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.math.MathContext;

/**
 * Chooses the best coding models within a price cap. The frontier consists of the usable models
 * that no other usable model beats in score and price. The best model of the frontier within the
 * cap comes first, then cheaper models of the frontier, then other models within the cap. A model
 * beats another when it is better in one of the two and at least as good in the other. Open
 * question 53.
 *
 * <p>A model is only beaten by one that costs no more, so models above the cap can be skipped: the
 * frontier below the cap is the same without them.
 */
final class FrontierRouter implements RouterPlugin {
  private static final int MAX_MODELS = 3;
  private static final MathContext SHOWN_DIGITS = new MathContext(6);

  private final CodingModels models;
  private final long cap;
  private final Selection noMatch;
  private final String reason;
  private final Json.Obj data;

  /**
   * @param maxPrice the highest price of a prompt token, inclusive
   */
  FrontierRouter(CodingModels models, UnitPrice maxPrice) {
    this.models = models;
    // a model that may not be used costs Long.MAX_VALUE, which is above every cap
    cap = Math.min(maxPrice.picos(), Long.MAX_VALUE - 1);
    String capText = maxPrice.dollarsPerMillion().round(SHOWN_DIGITS).toPlainString();
    noMatch =
        new Selection.Refusal(
            ErrorCode.CONSTRAINT_FILTERED,
            "No coding model that meets the request's constraints costs at most $"
                + capText
                + " per million input tokens");
    reason = "the best coding models for at most $" + capText + " per million input tokens";
    // routers do not know the average price paid, so the list price is used instead
    data = Json.object().put("price_source", "prompt").build();
  }

  @Override
  public Selection select(Candidates candidates) {
    CodingModels.Ranking ranking = models.byScore();
    int[] ordinals = new int[MAX_MODELS];
    int count = frontier(ranking, candidates, ordinals);
    for (int i = 0; i < ranking.size() && count < MAX_MODELS; i++) {
      if (isAffordable(ranking, i, candidates)
          && !contains(ordinals, count, ranking.ordinals()[i])) {
        ordinals[count++] = ranking.ordinals()[i];
      }
    }
    if (count == 0) {
      return models.hasScores() ? noMatch : TierRouter.NO_SCORES;
    }
    var topThree = new TopThree(candidates);
    for (int i = 0; i < count; i++) {
      topThree.offer(ordinals[i], i, 0);
    }
    return new Selection.Models(topThree.ids(), reason, data);
  }

  /** Collects the first models of the frontier, best score first, and returns their number. */
  private int frontier(CodingModels.Ranking ranking, Candidates candidates, int[] ordinals) {
    int count = 0;
    long lowest = Long.MAX_VALUE;
    int from = 0;
    while (from < ranking.size() && count < MAX_MODELS) {
      int to = from + 1;
      while (to < ranking.size() && ranking.scores()[to] == ranking.scores()[from]) {
        to++;
      }
      long cheapest = cheapest(ranking, from, to, candidates);
      if (cheapest <= cap && cheapest < lowest) {
        for (int i = from; i < to && count < MAX_MODELS; i++) {
          if (ranking.listPrices()[i] <= cheapest
              && candidates.promptPicos(ranking.ordinals()[i]) == cheapest) {
            ordinals[count++] = ranking.ordinals()[i];
          }
        }
        lowest = cheapest;
      }
      from = to;
    }
    return count;
  }

  /** Returns the lowest price among models of one score; Long.MAX_VALUE when none may be used. */
  private long cheapest(CodingModels.Ranking ranking, int from, int to, Candidates candidates) {
    long cheapest = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      if (ranking.listPrices()[i] <= cap && ranking.listPrices()[i] < cheapest) {
        cheapest = Math.min(cheapest, candidates.promptPicos(ranking.ordinals()[i]));
      }
    }
    return cheapest;
  }

  private boolean isAffordable(CodingModels.Ranking ranking, int i, Candidates candidates) {
    return ranking.listPrices()[i] <= cap && candidates.promptPicos(ranking.ordinals()[i]) <= cap;
  }

  private static boolean contains(int[] ordinals, int count, int ordinal) {
    for (int i = 0; i < count; i++) {
      if (ordinals[i] == ordinal) {
        return true;
      }
    }
    return false;
  }
}
