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
  private static final int MOST = 3;
  private static final MathContext SHOWN_DIGITS = new MathContext(6);

  private final CodingModels models;
  private final long cap;
  private final Selection none;
  private final String reason;
  private final Json.Obj data;

  /**
   * @param most the highest price of a prompt token, inclusive
   */
  FrontierRouter(CodingModels models, UnitPrice most) {
    this.models = models;
    // a model that may not be used costs Long.MAX_VALUE, which is above every cap
    cap = Math.min(most.picos(), Long.MAX_VALUE - 1);
    String shown = most.dollarsPerMillion().round(SHOWN_DIGITS).toPlainString();
    none =
        new Selection.None(
            ErrorCode.CONSTRAINT_FILTERED,
            "No coding model that meets the request's constraints costs at most $"
                + shown
                + " per million input tokens");
    reason = "the best coding models for at most $" + shown + " per million input tokens";
    // routers do not know the average price paid, so the list price is used instead
    data = Json.object().put("price_source", "prompt").build();
  }

  @Override
  public Selection select(Candidates candidates) {
    CodingModels.Row row = models.byScore();
    int[] found = new int[MOST];
    int count = frontier(row, candidates, found);
    for (int i = 0; i < row.size() && count < MOST; i++) {
      if (affordable(row, i, candidates) && !contains(found, count, row.places()[i])) {
        found[count++] = row.places()[i];
      }
    }
    if (count == 0) {
      return models.isScored() ? none : TierRouter.NO_SCORES;
    }
    var topThree = new TopThree(candidates);
    for (int i = 0; i < count; i++) {
      topThree.show(found[i], i, 0);
    }
    return new Selection.Models(topThree.ids(), reason, data);
  }

  /** Collects the first models of the frontier, best score first, and returns their number. */
  private int frontier(CodingModels.Row row, Candidates candidates, int[] found) {
    int count = 0;
    long least = Long.MAX_VALUE;
    int from = 0;
    while (from < row.size() && count < MOST) {
      int to = from + 1;
      while (to < row.size() && row.scores()[to] == row.scores()[from]) {
        to++;
      }
      long cheapest = cheapest(row, from, to, candidates);
      if (cheapest <= cap && cheapest < least) {
        for (int i = from; i < to && count < MOST; i++) {
          if (row.listPrices()[i] <= cheapest
              && candidates.promptPicos(row.places()[i]) == cheapest) {
            found[count++] = row.places()[i];
          }
        }
        least = cheapest;
      }
      from = to;
    }
    return count;
  }

  /** Returns the lowest price among models of one score; Long.MAX_VALUE when none may be used. */
  private long cheapest(CodingModels.Row row, int from, int to, Candidates candidates) {
    long cheapest = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      if (row.listPrices()[i] <= cap && row.listPrices()[i] < cheapest) {
        cheapest = Math.min(cheapest, candidates.promptPicos(row.places()[i]));
      }
    }
    return cheapest;
  }

  private boolean affordable(CodingModels.Row row, int i, Candidates candidates) {
    return row.listPrices()[i] <= cap && candidates.promptPicos(row.places()[i]) <= cap;
  }

  private static boolean contains(int[] found, int count, int place) {
    for (int i = 0; i < count; i++) {
      if (found[i] == place) {
        return true;
      }
    }
    return false;
  }
}
