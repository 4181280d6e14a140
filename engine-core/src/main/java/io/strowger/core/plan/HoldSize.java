package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.SpeechRequirements;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import java.time.Instant;

/**
 * Computes the most one attempt can cost, and how much output a budget allows. The planner drops
 * endpoints by this size, and the hold of an attempt has this size, so the two cannot disagree.
 *
 * <p>Sizes are computed in picodollars and rounded up to nanodollars once. An amount beyond the
 * range becomes the largest possible amount, which fits no budget.
 */
public final class HoldSize {
  /** With fewer affordable output tokens than this, an attempt is not worth making. */
  public static final int MIN_OUTPUT_TOKENS = 16;

  private static final long PICOS_PER_NANO = 1000;

  /** The fee for an attempt with a BYOK key is the price divided by this number: 5 %. */
  private static final long FEE_DIVISOR = 20;

  private static final Usd MAX_AMOUNT = new Usd(Long.MAX_VALUE);

  private HoldSize() {}

  /**
   * The maximum output tokens of one attempt.
   *
   * @param tokens the output tokens the hold covers; at least 0
   * @param byBudget whether only the budget made it this small; the cap is then sent upstream
   */
  public record OutputCap(int tokens, boolean byBudget) {
    /**
     * Returns the limit to send upstream: the caller's own; or what the budget affords; or, when
     * there is a budget and the endpoint's maximum is not known, what the hold covers. Returns 0 to
     * send no limit.
     */
    public int limitToSend(Endpoint endpoint, RoutingQuery query) {
      boolean isCovered = endpoint.maxOutputTokens() > 0 || !hasBudget(query);
      return byBudget || query.outputLimit() > 0 || !isCovered ? tokens : 0;
    }
  }

  private static boolean hasBudget(RoutingQuery query) {
    return query.budget() != null || query.budgetWithByok() != null;
  }

  /**
   * Returns the most an attempt without searches can cost at list price.
   *
   * @param promptCeiling the maximum number of tokens of the prompt
   * @param outputTokens the maximum number of output tokens, reasoning included
   * @param at the time of the attempt, for prices that depend on the hour
   */
  public static Usd of(Endpoint endpoint, long promptCeiling, long outputTokens, Instant at) {
    Pricing pricing = endpoint.pricing();
    long costBeforeOutput = costBeforeOutput(pricing, promptCeiling, at);
    return roundUp(addOutputCost(costBeforeOutput, pricing, promptCeiling, outputTokens, at));
  }

  /** Returns the most an attempt of this query can cost, at the cap of {@link #outputCap}. */
  public static Charge of(PlannedAttempt candidate, RoutingQuery query) {
    return charge(candidate, query, outputCap(candidate, query).tokens());
  }

  /**
   * Returns the smallest amount that must be left for an attempt of this query: its cost at the
   * caller's own output limit, or, without one, at the smallest output that is worth an attempt.
   */
  public static Charge minCharge(PlannedAttempt candidate, RoutingQuery query) {
    return charge(candidate, query, minTokens(candidate.endpoint(), query));
  }

  private static Charge charge(PlannedAttempt candidate, RoutingQuery query, int tokens) {
    boolean isByok = candidate.byokKey() != null;
    long picos = picos(candidate.endpoint(), query, tokens);
    Usd price = roundUp(picos);
    return isByok ? new Charge(roundUp(fee(picos)), price) : Charge.credits(price);
  }

  /**
   * Returns how many output tokens an attempt may produce: the caller's limit unchanged; without
   * one, the endpoint's maximum, or the default reservation where that is not known; or what the
   * budget affords, where that is less. Decision 4.
   */
  public static OutputCap outputCap(PlannedAttempt candidate, RoutingQuery query) {
    if (query.outputLimit() > 0) {
      return new OutputCap(query.outputLimit(), false);
    }
    if (query.kind() != Endpoint.Kind.CHAT) {
      return new OutputCap(outputToReserve(candidate.endpoint(), query), false); // cannot be capped
    }
    int outputTokens = outputToReserve(candidate.endpoint(), query);
    long affordable = affordableTokens(candidate, query);
    return affordable < outputTokens
        ? new OutputCap((int) Math.max(0, affordable), true)
        : new OutputCap(outputTokens, false);
  }

  /** Returns whether an attempt fits the budgets of the query; true when it has none. */
  public static boolean fits(PlannedAttempt candidate, RoutingQuery query) {
    return fits(candidate.endpoint(), query, budgetRemaining(query, candidate.byokKey() != null));
  }

  /**
   * Returns whether an attempt at the endpoint fits a budget.
   *
   * @param availablePicos the result of {@link #budgetRemaining}
   */
  static boolean fits(Endpoint endpoint, RoutingQuery query, long availablePicos) {
    if (availablePicos == Long.MAX_VALUE || availablePicos < 0) {
      return availablePicos >= 0;
    }
    long minTokens = minTokens(endpoint, query);
    return picos(endpoint, query, minTokens) <= availablePicos;
  }

  /**
   * Returns the most an attempt may cost at list price, in picodollars; negative when a budget is
   * overdrawn, {@link Long#MAX_VALUE} when there is none.
   *
   * @param isByok whether a BYOK key is used: 5 % of the price is then paid from credits, and
   *     budgets that count BYOK keys count 105 % of it
   */
  static long budgetRemaining(RoutingQuery query, boolean isByok) {
    Usd credits = query.budget();
    Usd withByok = query.budgetWithByok();
    long availablePicos = Long.MAX_VALUE;
    if (credits != null) {
      availablePicos = picosOf(credits.nanos(), isByok ? FEE_DIVISOR : 1);
    }
    if (withByok != null) {
      long total = picosOf(withByok.nanos(), 1);
      availablePicos = Math.min(availablePicos, isByok && total > 0 ? withoutFee(total) : total);
    }
    return availablePicos;
  }

  private static long picosOf(long nanos, long factor) {
    return nanos < 0
        ? -1
        : Math.min(multiply(multiply(nanos, PICOS_PER_NANO), factor), Long.MAX_VALUE - 1);
  }

  /**
   * Returns the highest price that fits into an amount together with its fee. Rounding both up may
   * add a nanodollar to their sum.
   */
  private static long withoutFee(long picos) {
    long remaining = picos - PICOS_PER_NANO;
    return remaining - (remaining + FEE_DIVISOR) / (FEE_DIVISOR + 1);
  }

  /** Returns the fee for an attempt that a BYOK key pays for, in picodollars. */
  private static long fee(long picos) {
    return picos == Long.MAX_VALUE ? picos : (picos + FEE_DIVISOR - 1) / FEE_DIVISOR;
  }

  private static Usd roundUp(long picos) {
    if (picos == Long.MAX_VALUE) {
      return MAX_AMOUNT;
    }
    long nanos = picos / PICOS_PER_NANO;
    return new Usd(nanos * PICOS_PER_NANO == picos ? nanos : nanos + 1);
  }

  /** Returns whether the searches an upstream may make for this query cost anything. */
  public static boolean chargesForSearches(PlannedAttempt candidate, RoutingQuery query) {
    return query.maxSearches() > 0 && searchPrice(candidate.endpoint().pricing(), query) > 0;
  }

  /** Returns the credits that must be left for an attempt with the gateway's credential. */
  static Usd minBudget(Endpoint endpoint, RoutingQuery query) {
    return roundUp(picos(endpoint, query, minTokens(endpoint, query)));
  }

  private static int minTokens(Endpoint endpoint, RoutingQuery query) {
    if (query.kind() != Endpoint.Kind.CHAT) {
      return outputToReserve(endpoint, query);
    }
    return query.outputLimit() > 0
        ? query.outputLimit()
        : Math.min(MIN_OUTPUT_TOKENS, outputToReserve(endpoint, query));
  }

  /**
   * Returns the output tokens the query's budgets pay for after the prompt; -1 when they do not pay
   * for the prompt, {@link Long#MAX_VALUE} when output costs nothing or there is no budget.
   */
  public static long affordableTokens(PlannedAttempt candidate, RoutingQuery query) {
    return affordableTokens(
        candidate.endpoint(), query, budgetRemaining(query, candidate.byokKey() != null));
  }

  /**
   * Returns the output tokens that a budget pays for after the prompt; -1 when it does not pay for
   * the prompt, {@link Long#MAX_VALUE} when output costs nothing or there is no budget.
   *
   * @param availablePicos the result of {@link #budgetRemaining}
   */
  static long affordableTokens(Endpoint endpoint, RoutingQuery query, long availablePicos) {
    if (availablePicos == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    Pricing pricing = endpoint.pricing();
    long searchCost = searchCost(pricing, query);
    if (availablePicos < searchCost) {
      return -1; // also when it is negative
    }
    long remaining =
        query.isBatch() ? multiply(availablePicos - searchCost, 2) : availablePicos - searchCost;
    long costBeforeOutput = costBeforeOutput(pricing, query);
    if (costBeforeOutput > remaining) {
      return -1;
    }
    long tokenPrice = pricing.highestOutputPicos(query.maxPromptTokens(), query.at());
    return tokenPrice == 0 ? Long.MAX_VALUE : (remaining - costBeforeOutput) / tokenPrice;
  }

  /** Returns the output tokens to reserve; 0 for a kind whose output is not counted in tokens. */
  private static int outputToReserve(Endpoint endpoint, RoutingQuery query) {
    boolean isCounted =
        switch (query.kind()) {
          case CHAT -> true;
          case EMBEDDINGS, RERANK -> false;
          case SPEECH, IMAGES, TRANSCRIPTIONS ->
              endpoint.pricing().highestOutputPicos(query.maxPromptTokens(), query.at()) > 0;
        };
    if (!isCounted) {
      return 0;
    }
    int maxTokens = endpoint.maxOutputTokens();
    long tokensPerUnit = maxTokens > 0 ? maxTokens : query.defaultOutputTokens();
    long units = query.kind() == Endpoint.Kind.IMAGES ? Math.max(1, query.maxUnits()) : 1;
    return (int) Math.min(Integer.MAX_VALUE, multiply(tokensPerUnit, units));
  }

  private static long picos(Endpoint endpoint, RoutingQuery query, long outputTokens) {
    Pricing pricing = endpoint.pricing();
    long costBeforeOutput = costBeforeOutput(pricing, query);
    long listPrice =
        addOutputCost(costBeforeOutput, pricing, query.maxPromptTokens(), outputTokens, query.at());
    long price =
        query.isBatch() && listPrice < Long.MAX_VALUE ? listPrice / 2 + listPrice % 2 : listPrice;
    return plus(price, searchCost(pricing, query));
  }

  /** Returns the most the searches cost, in picodollars; they cost the same in a batch. */
  private static long searchCost(Pricing pricing, RoutingQuery query) {
    int maxSearches = query.maxSearches();
    return maxSearches > 0 ? multiply(maxSearches, searchPrice(pricing, query)) : 0;
  }

  private static long addOutputCost(
      long costBeforeOutput, Pricing pricing, long promptCeiling, long outputTokens, Instant at) {
    return plus(
        costBeforeOutput, multiply(pricing.highestOutputPicos(promptCeiling, at), outputTokens));
  }

  /** Returns the cost of prompt and fees at list price, without searches, in picodollars. */
  private static long costBeforeOutput(Pricing pricing, RoutingQuery query) {
    long cost = costBeforeOutput(pricing, query.maxPromptTokens(), query.at());
    SpeechRequirements speech = query.speech();
    if (speech != null) {
      long unitPrice = pricing.highestPicos(Price.CHARACTERS, query.maxPromptTokens(), query.at());
      cost = plus(cost, multiply(speech.characters(), unitPrice));
    }
    Price unit = query.kind().unit();
    if (unit != null) {
      long unitPrice = pricing.highestPicos(unit, query.maxPromptTokens(), query.at());
      cost = plus(cost, multiply(query.maxUnits(), unitPrice));
    }
    return cost;
  }

  private static long searchPrice(Pricing pricing, RoutingQuery query) {
    return pricing.highestPicos(Price.WEB_SEARCH, query.maxPromptTokens(), query.at());
  }

  private static long costBeforeOutput(Pricing pricing, long promptCeiling, Instant at) {
    return plus(
        multiply(pricing.highestInputPicos(promptCeiling, at), promptCeiling),
        pricing.highestPicos(Price.REQUEST, promptCeiling, at));
  }

  /** Returns the product of two non-negative numbers, or {@link Long#MAX_VALUE} on overflow. */
  private static long multiply(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /** Returns the sum of two non-negative numbers, or {@link Long#MAX_VALUE} on overflow. */
  private static long plus(long a, long b) {
    long sum = a + b;
    return sum >= 0 ? sum : Long.MAX_VALUE;
  }
}
