package io.strowger.core.money;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Creates the error for a budget that is short: 402 for the caller's own money, 403 for the budget
 * of a guardrail or workspace. Contract: "Errors"; resources fact sheet, sections 3 and 4.
 *
 * @param creditsUrl where to buy more credits; null when there is no such page
 */
record Shortfall(@Nullable String creditsUrl) {
  /** Retry-After: by then, many requests have ended and freed their holds. */
  private static final long HELD_SECONDS = 5;

  private static final String SHORT = ErrorCode.PAYMENT_REQUIRED.message();

  /**
   * Returns the error for a refused hold.
   *
   * @param refused the payer and the budget that are short
   * @param held the amount of that budget that requests under way have set aside
   * @param needed the amount that was to be set aside
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
   * Returns the error for a refused hold.
   *
   * @param refused the payer and the budget that are short
   * @param held the amount of that budget that requests under way have set aside
   * @param needed the amount that was to be set aside; null when that is not known
   * @param own the error when the caller's own money is short
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
    // a key may not learn the amounts of the whole workspace
    boolean own402 = error.code() == ErrorCode.PAYMENT_REQUIRED;
    return own402 && held.isMoreThan(Usd.ZERO) ? withHeld(error, refused, held, needed) : error;
  }

  /** Adds the held amount, and a Retry-After when that amount would be enough once it is free. */
  private static GatewayError withHeld(
      GatewayError error, Ledger.Outcome.Refused refused, Usd held, @Nullable Usd needed) {
    Usd left = left(refused);
    Usd free = refused.remaining().plus(held); // if none of it is spent
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

  /** Inserts the address for buying credits before the detail of the message. */
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
