package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.routing.RoutingQuery;
import java.time.Instant;

/**
 * How much money one attempt can cost at most, and how much output money allows. The planner drops
 * what does not fit by it, and the hold of an attempt is sized by it, so the two cannot disagree.
 *
 * <p>Sizes are computed in picodollars and rounded up to nanodollars once. What is beyond the range
 * counts as the largest amount there is, which fits no budget.
 */
public final class HoldSize {
  /** With fewer affordable output tokens than this, an attempt is not worth making. */
  public static final int LEAST_OUTPUT_TOKENS = 16;

  private static final long PICOS_PER_NANO = 1000;
  private static final Usd BEYOND = new Usd(Long.MAX_VALUE);

  private HoldSize() {}

  /**
   * Most output tokens of one attempt.
   *
   * @param tokens at least 0
   * @param byBudget the budget, and nothing else, made it this small; the cap is then sent upstream
   */
  public record OutputCap(int tokens, boolean byBudget) {}

  /**
   * The most an attempt can cost.
   *
   * @param promptCeiling tokens the prompt can be at most
   * @param outputTokens most output tokens, reasoning included
   * @param at when, for prices that depend on the hour
   */
  public static Usd of(Endpoint endpoint, long promptCeiling, long outputTokens, Instant at) {
    long picos = picos(endpoint.pricing(), promptCeiling, outputTokens, at);
    if (picos == Long.MAX_VALUE) {
      return BEYOND;
    }
    long nanos = picos / PICOS_PER_NANO;
    return new Usd(nanos * PICOS_PER_NANO == picos ? nanos : nanos + 1);
  }

  /** The most this attempt of this query can cost, at the cap of {@link #outputCap}. */
  public static Usd of(Endpoint endpoint, RoutingQuery query) {
    return of(endpoint, query.promptCeiling(), outputCap(endpoint, query).tokens(), query.at());
  }

  /**
   * How many output tokens an attempt may produce: the caller's limit as it is; without one the
   * least of what the endpoint can, what is reserved by default, and what the budget affords.
   */
  public static OutputCap outputCap(Endpoint endpoint, RoutingQuery query) {
    if (query.outputLimit() > 0) {
      return new OutputCap(query.outputLimit(), false);
    }
    int wanted = wanted(endpoint, query);
    long affordable = affordable(endpoint, query);
    return affordable < wanted
        ? new OutputCap((int) Math.max(0, affordable), true)
        : new OutputCap(wanted, false);
  }

  /** Whether an attempt fits the query's budget; true when there is none. */
  public static boolean fits(Endpoint endpoint, RoutingQuery query) {
    Usd budget = query.budget();
    if (budget == null) {
      return true;
    }
    long least = leastTokens(endpoint, query);
    long picos = picos(endpoint.pricing(), query.promptCeiling(), least, query.at());
    return budget.nanos() >= 0
        && picos != Long.MAX_VALUE
        && picos <= times(budget.nanos(), PICOS_PER_NANO);
  }

  /** What a budget must have left for an attempt to fit it. */
  static Usd leastBudget(Endpoint endpoint, RoutingQuery query) {
    return of(endpoint, query.promptCeiling(), leastTokens(endpoint, query), query.at());
  }

  private static int leastTokens(Endpoint endpoint, RoutingQuery query) {
    return query.outputLimit() > 0
        ? query.outputLimit()
        : Math.min(LEAST_OUTPUT_TOKENS, wanted(endpoint, query));
  }

  /**
   * Output tokens the query's budget pays for after the prompt; -1 when it does not even pay for
   * the prompt, {@link Long#MAX_VALUE} when output costs nothing or there is no budget.
   */
  public static long affordable(Endpoint endpoint, RoutingQuery query) {
    Usd budget = query.budget();
    if (budget == null) {
      return Long.MAX_VALUE;
    }
    Pricing pricing = endpoint.pricing();
    long before = beforeOutput(pricing, query.promptCeiling(), query.at());
    long picos = times(budget.nanos(), PICOS_PER_NANO);
    if (budget.nanos() < 0 || before > picos || before == Long.MAX_VALUE) {
      return -1;
    }
    long each = pricing.dearestOutputPicos(query.promptCeiling(), query.at());
    return each == 0 ? Long.MAX_VALUE : (picos - before) / each;
  }

  private static int wanted(Endpoint endpoint, RoutingQuery query) {
    int most = endpoint.maxOutputTokens();
    return most > 0 ? Math.min(most, query.defaultOutputTokens()) : query.defaultOutputTokens();
  }

  private static long picos(Pricing pricing, long promptCeiling, long outputTokens, Instant at) {
    long output = times(pricing.dearestOutputPicos(promptCeiling, at), outputTokens);
    return plus(beforeOutput(pricing, promptCeiling, at), output);
  }

  private static long beforeOutput(Pricing pricing, long promptCeiling, Instant at) {
    return plus(
        times(pricing.dearestInputPicos(promptCeiling, at), promptCeiling),
        pricing.dearestPicos(Price.REQUEST, promptCeiling, at));
  }

  /** The product of two numbers of at least 0, or the largest number. */
  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /** The sum of two numbers of at least 0, or the largest number. */
  private static long plus(long a, long b) {
    long sum = a + b;
    return sum >= 0 ? sum : Long.MAX_VALUE;
  }
}
