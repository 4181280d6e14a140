package io.strowger.plugins.pareto;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.RouterPlugin;

/**
 * The best coding model at a price: of the models that may be used, those no other beats in both
 * score and price are the frontier; the best of them within the cap comes first, then cheaper ones
 * of the frontier, then others within the cap. A model of equal score and price beats no other; one
 * that is as good in one and better in the other does. Open question 53.
 *
 * <p>Whoever is beaten is beaten by a model that costs no more, so the models above the cap need no
 * look: the frontier below it is the same without them.
 */
final class FrontierRouter implements RouterPlugin {
  private static final int MOST = 3;

  private final CodingModels models;
  private final long cap;
  private final Selection none;
  private final String reason;
  private final Json.Obj data;

  /**
   * @param cap most to pay for a prompt token, in picodollars, inclusive
   * @param shown the cap as the caller wrote it, in dollars per million tokens
   */
  FrontierRouter(CodingModels models, long cap, String shown) {
    this.models = models;
    this.cap = cap;
    none =
        new Selection.None(
            ErrorCode.CONSTRAINT_FILTERED,
            "No coding model that meets the request's constraints costs at most $"
                + shown
                + " per million input tokens");
    reason = "the best coding models for at most $" + shown + " per million input tokens";
    // what was paid on the average is not known to a router, so the list price stands for it
    data = Json.object().put("price_source", "prompt").build();
  }

  @Override
  public Selection select(Feasible feasible, Json facts) {
    CodingModels.Row row = models.byScore();
    int[] found = new int[MOST];
    int count = frontier(row, feasible, found);
    for (int i = 0; i < row.size() && count < MOST; i++) {
      if (affordable(row, i, feasible) && !contains(found, count, row.places()[i])) {
        found[count++] = row.places()[i];
      }
    }
    if (count == 0) {
      return models.isScored() ? none : TierRouter.NO_SCORES;
    }
    var podium = new Podium(feasible);
    for (int i = 0; i < count; i++) {
      podium.show(found[i], i, 0);
    }
    return new Selection.Models(podium.ids(), reason, data);
  }

  /** The first of the frontier, best score first: each must cost less than all before it. */
  private int frontier(CodingModels.Row row, Feasible feasible, int[] found) {
    int count = 0;
    long least = Long.MAX_VALUE;
    int from = 0;
    while (from < row.size() && count < MOST) {
      int to = from + 1;
      while (to < row.size() && row.scores()[to] == row.scores()[from]) {
        to++;
      }
      long cheapest = cheapest(row, from, to, feasible);
      if (cheapest <= cap && cheapest < least) {
        for (int i = from; i < to && count < MOST; i++) {
          if (row.listPrices()[i] <= cheapest
              && feasible.promptPicos(row.places()[i]) == cheapest) {
            found[count++] = row.places()[i];
          }
        }
        least = cheapest;
      }
      from = to;
    }
    return count;
  }

  /** Of models of one score. */
  private long cheapest(CodingModels.Row row, int from, int to, Feasible feasible) {
    long cheapest = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      if (row.listPrices()[i] <= cap && row.listPrices()[i] < cheapest) {
        cheapest = Math.min(cheapest, feasible.promptPicos(row.places()[i]));
      }
    }
    return cheapest;
  }

  private boolean affordable(CodingModels.Row row, int i, Feasible feasible) {
    return row.listPrices()[i] <= cap && feasible.promptPicos(row.places()[i]) <= cap;
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
