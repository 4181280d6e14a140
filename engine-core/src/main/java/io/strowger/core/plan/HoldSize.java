package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.SpeechNeeds;
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
  private static final long SHARES = 20;

  private static final Usd BEYOND = new Usd(Long.MAX_VALUE);

  private HoldSize() {}

  /**
   * The maximum output tokens of one attempt.
   *
   * @param tokens the output tokens the hold covers; at least 0
   * @param byBudget whether only the budget made it this small; the cap is then sent upstream
   */
  public record OutputCap(int tokens, boolean byBudget) {
    /**
     * Returns the limit to send upstream: the caller's own, or what the budget affords. 0 for no
     * limit, when the hold covers all the output that the endpoint can write, or there is no
     * budget.
     */
    public int limitToSend(Endpoint endpoint, RoutingQuery query) {
      boolean covered = endpoint.maxOutputTokens() > 0 || !hasBudget(query);
      return byBudget || query.outputLimit() > 0 || !covered ? tokens : 0;
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
    long before = beforeOutput(pricing, promptCeiling, at);
    return rounded(withOutput(before, pricing, promptCeiling, outputTokens, at));
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
    return charge(candidate, query, leastTokens(candidate.endpoint(), query));
  }

  private static Charge charge(PlannedAttempt candidate, RoutingQuery query, int tokens) {
    boolean own = candidate.byokKey() != null;
    long picos = picos(candidate.endpoint(), query, tokens);
    Usd price = rounded(picos);
    return own ? new Charge(rounded(share(picos)), price) : Charge.credits(price);
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
    int wanted = outputToReserve(candidate.endpoint(), query);
    long affordable = affordable(candidate, query);
    return affordable < wanted
        ? new OutputCap((int) Math.max(0, affordable), true)
        : new OutputCap(wanted, false);
  }

  /** Returns whether an attempt fits the budgets of the query; true when it has none. */
  public static boolean fits(PlannedAttempt candidate, RoutingQuery query) {
    return fits(candidate.endpoint(), query, budgetRemaining(query, candidate.byokKey() != null));
  }

  /**
   * Returns whether an attempt at the endpoint fits a budget.
   *
   * @param room the result of {@link #budgetRemaining}
   */
  static boolean fits(Endpoint endpoint, RoutingQuery query, long room) {
    if (room == Long.MAX_VALUE || room < 0) {
      return room >= 0;
    }
    long least = leastTokens(endpoint, query);
    return picos(endpoint, query, least) <= room;
  }

  /**
   * Returns the most an attempt may cost at list price, in picodollars; negative when a budget is
   * overdrawn, {@link Long#MAX_VALUE} when there is none.
   *
   * @param own whether a BYOK key is used: 5 % of the price is then paid from credits, and budgets
   *     that count BYOK keys count 105 % of it
   */
  static long budgetRemaining(RoutingQuery query, boolean own) {
    Usd credits = query.budget();
    Usd both = query.budgetWithByok();
    long room = Long.MAX_VALUE;
    if (credits != null) {
      room = picosOf(credits.nanos(), own ? SHARES : 1);
    }
    if (both != null) {
      long all = picosOf(both.nanos(), 1);
      room = Math.min(room, own && all > 0 ? withoutFee(all) : all);
    }
    return room;
  }

  private static long picosOf(long nanos, long times) {
    return nanos < 0
        ? -1
        : Math.min(times(times(nanos, PICOS_PER_NANO), times), Long.MAX_VALUE - 1);
  }

  /**
   * Returns the price that fits with its fee; rounding both up may add a nanodollar to their sum.
   */
  private static long withoutFee(long picos) {
    long left = picos - PICOS_PER_NANO;
    return left - (left + SHARES) / (SHARES + 1);
  }

  /** Returns the fee for an attempt that a BYOK key pays for, in picodollars. */
  private static long share(long picos) {
    return picos == Long.MAX_VALUE ? picos : (picos + SHARES - 1) / SHARES;
  }

  private static Usd rounded(long picos) {
    if (picos == Long.MAX_VALUE) {
      return BEYOND;
    }
    long nanos = picos / PICOS_PER_NANO;
    return new Usd(nanos * PICOS_PER_NANO == picos ? nanos : nanos + 1);
  }

  /** Returns whether the searches an upstream may make for this query cost anything. */
  public static boolean chargesForSearches(PlannedAttempt candidate, RoutingQuery query) {
    return query.searches() > 0 && search(candidate.endpoint().pricing(), query) > 0;
  }

  /** Returns the credits that must be left for an attempt with the gateway's credential. */
  static Usd leastBudget(Endpoint endpoint, RoutingQuery query) {
    return rounded(picos(endpoint, query, leastTokens(endpoint, query)));
  }

  private static int leastTokens(Endpoint endpoint, RoutingQuery query) {
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
  public static long affordable(PlannedAttempt candidate, RoutingQuery query) {
    return affordable(
        candidate.endpoint(), query, budgetRemaining(query, candidate.byokKey() != null));
  }

  /**
   * Returns the output tokens that a budget pays for after the prompt; -1 when it does not pay for
   * the prompt, {@link Long#MAX_VALUE} when output costs nothing or there is no budget.
   *
   * @param room the result of {@link #budgetRemaining}
   */
  static long affordable(Endpoint endpoint, RoutingQuery query, long room) {
    if (room == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    Pricing pricing = endpoint.pricing();
    long searches = searches(pricing, query);
    if (room < searches) {
      return -1; // also when it is negative
    }
    long left = query.batch() ? times(room - searches, 2) : room - searches;
    long before = beforeOutput(pricing, query);
    if (before > left) {
      return -1;
    }
    long each = pricing.highestOutputPicos(query.promptCeiling(), query.at());
    return each == 0 ? Long.MAX_VALUE : (left - before) / each;
  }

  /** Returns the output tokens to reserve; 0 for a kind whose output is not counted in tokens. */
  private static int outputToReserve(Endpoint endpoint, RoutingQuery query) {
    boolean counted =
        switch (query.kind()) {
          case CHAT -> true;
          case EMBEDDINGS, RERANK -> false;
          case SPEECH, IMAGES, TRANSCRIPTIONS ->
              endpoint.pricing().highestOutputPicos(query.promptCeiling(), query.at()) > 0;
        };
    if (!counted) {
      return 0;
    }
    int most = endpoint.maxOutputTokens();
    long each = most > 0 ? most : query.defaultOutputTokens();
    long times = query.kind() == Endpoint.Kind.IMAGES ? Math.max(1, query.units()) : 1;
    return (int) Math.min(Integer.MAX_VALUE, times(each, times));
  }

  private static long picos(Endpoint endpoint, RoutingQuery query, long outputTokens) {
    Pricing pricing = endpoint.pricing();
    long before = beforeOutput(pricing, query);
    long list = withOutput(before, pricing, query.promptCeiling(), outputTokens, query.at());
    long paid = query.batch() && list < Long.MAX_VALUE ? list / 2 + list % 2 : list;
    return plus(paid, searches(pricing, query));
  }

  /** Returns the most the searches cost, in picodollars; they cost the same in a batch. */
  private static long searches(Pricing pricing, RoutingQuery query) {
    int most = query.searches();
    return most > 0 ? times(most, search(pricing, query)) : 0;
  }

  private static long withOutput(
      long before, Pricing pricing, long promptCeiling, long outputTokens, Instant at) {
    return plus(before, times(pricing.highestOutputPicos(promptCeiling, at), outputTokens));
  }

  /** Returns the cost of prompt and fees at list price, without searches, in picodollars. */
  private static long beforeOutput(Pricing pricing, RoutingQuery query) {
    long before = beforeOutput(pricing, query.promptCeiling(), query.at());
    SpeechNeeds speech = query.speech();
    if (speech != null) {
      long each = pricing.highestPicos(Price.CHARACTERS, query.promptCeiling(), query.at());
      before = plus(before, times(speech.characters(), each));
    }
    Price unit = query.kind().unit();
    if (unit != null) {
      long each = pricing.highestPicos(unit, query.promptCeiling(), query.at());
      before = plus(before, times(query.units(), each));
    }
    return before;
  }

  private static long search(Pricing pricing, RoutingQuery query) {
    return pricing.highestPicos(Price.WEB_SEARCH, query.promptCeiling(), query.at());
  }

  private static long beforeOutput(Pricing pricing, long promptCeiling, Instant at) {
    return plus(
        times(pricing.highestInputPicos(promptCeiling, at), promptCeiling),
        pricing.highestPicos(Price.REQUEST, promptCeiling, at));
  }

  /** Returns the product of two non-negative numbers, or {@link Long#MAX_VALUE} on overflow. */
  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  /** Returns the sum of two non-negative numbers, or {@link Long#MAX_VALUE} on overflow. */
  private static long plus(long a, long b) {
    long sum = a + b;
    return sum >= 0 ? sum : Long.MAX_VALUE;
  }
}
