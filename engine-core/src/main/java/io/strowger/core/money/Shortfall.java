package io.strowger.core.money;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Says that a budget has not enough: the caller's own money is 402, a bound that somebody set for
 * the caller is 403. Contract: "Errors"; resources fact sheet, sections 3 and 4.
 *
 * @param creditsUrl where more money is to be had; null: nowhere
 */
record Shortfall(@Nullable String creditsUrl) {
  /** Many requests are over by then, and what they held is free. */
  private static final long HELD_SECONDS = 5;

  private static final String SHORT = ErrorCode.PAYMENT_REQUIRED.message();

  /**
   * @param refused who has not enough
   * @param held what requests under way have set aside of that budget
   * @param needed what was to be set aside
   */
  GatewayError of(Ledger.Outcome.Refused refused, Usd held, Usd needed) {
    String detail = ": this request needs " + needed + " and " + left(refused) + " is left";
    return of(
        refused,
        held,
        needed,
        GatewayError.of(
            ErrorCode.PAYMENT_REQUIRED, held.equals(Usd.ZERO) ? SHORT : SHORT + detail));
  }

  /**
   * @param refused who has not enough
   * @param held what requests under way have set aside of that budget
   * @param needed what was to be set aside; null when that is not known
   * @param own what is said where it is the caller's own money
   */
  GatewayError of(
      Ledger.Outcome.Refused refused, Usd held, @Nullable Usd needed, GatewayError own) {
    Budget budget = refused.budget();
    GatewayError error =
        switch (refused.which().kind()) {
          case KEY, ACCOUNT -> withAddress(own);
          case GUARDRAIL ->
              GatewayError.of(
                  ErrorCode.BUDGET_EXCEEDED,
                  "The " + interval(budget) + " budget of a guardrail is exceeded");
          case WORKSPACE ->
              GatewayError.of(
                  ErrorCode.BUDGET_EXCEEDED,
                  "The " + interval(budget) + " budget of the workspace is exceeded");
        };
    // what a whole workspace has and holds is not every key's to know
    boolean own402 = error.code() == ErrorCode.PAYMENT_REQUIRED;
    return own402 && held.isMoreThan(Usd.ZERO) ? withHeld(error, refused, held, needed) : error;
  }

  /** Says what is held, and to come back where that would be enough once it is free. */
  private static GatewayError withHeld(
      GatewayError error, Ledger.Outcome.Refused refused, Usd held, @Nullable Usd needed) {
    Usd left = left(refused);
    Usd free = refused.remaining().plus(held); // when nothing of it is spent
    boolean enough = needed == null || !needed.isMoreThan(free);
    GatewayError told =
        error
            .withMessage(error.message() + "; " + held + " is held by requests under way")
            .withMetadata(
                "budget", Json.object().put("left", left.json()).put("held", held.json()).build());
    return enough ? told.withRetryAfter(HELD_SECONDS) : told;
  }

  private static Usd left(Ledger.Outcome.Refused refused) {
    return refused.remaining().isMoreThan(Usd.ZERO) ? refused.remaining() : Usd.ZERO;
  }

  /** What is missing is said after where more of it is to be had. */
  private GatewayError withAddress(GatewayError own) {
    if (creditsUrl == null || !own.message().startsWith(SHORT)) {
      return own;
    }
    String detail = own.message().substring(SHORT.length()).replaceFirst("^: this", ". This");
    return GatewayError.of(own.code(), SHORT + ". Add more using " + creditsUrl + detail);
  }

  private static String interval(Budget budget) {
    return switch (budget.period()) {
      case LIFETIME -> "lifetime";
      case MONTHLY -> "monthly";
      case WEEKLY -> "weekly";
      case DAILY -> "daily";
    };
  }
}
