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
  private static final long RETRY_SECONDS = 5;

  private static final String SHORT_MESSAGE = ErrorCode.PAYMENT_REQUIRED.message();

  /**
   * Returns the error for a refused hold.
   *
   * @param refusal the payer and the budget that are short
   * @param heldAmount the amount of that budget that requests under way have set aside
   * @param neededAmount the amount that was to be set aside
   */
  GatewayError of(Ledger.Outcome.Refused refusal, Usd heldAmount, Usd neededAmount) {
    String detail = ": this request needs " + neededAmount + " and " + left(refusal) + " is left";
    return of(
        refusal,
        heldAmount,
        neededAmount,
        GatewayError.of(
            ErrorCode.PAYMENT_REQUIRED,
            heldAmount.equals(Usd.ZERO) ? SHORT_MESSAGE : SHORT_MESSAGE + detail));
  }

  /**
   * Returns the error for a refused hold.
   *
   * @param refusal the payer and the budget that are short
   * @param heldAmount the amount of that budget that requests under way have set aside
   * @param neededAmount the amount that was to be set aside; null when that is not known
   * @param callerError the error when the caller's own money is short
   */
  GatewayError of(
      Ledger.Outcome.Refused refusal,
      Usd heldAmount,
      @Nullable Usd neededAmount,
      GatewayError callerError) {
    Budget budget = refusal.budget();
    GatewayError error =
        switch (refusal.payer().kind()) {
          case KEY, ACCOUNT -> withAddress(callerError);
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
    boolean isPaymentRequired = error.code() == ErrorCode.PAYMENT_REQUIRED;
    return isPaymentRequired && heldAmount.isMoreThan(Usd.ZERO)
        ? withHeld(error, refusal, heldAmount, neededAmount)
        : error;
  }

  /** Adds the held amount, and a Retry-After when that amount would be enough once it is free. */
  private static GatewayError withHeld(
      GatewayError error,
      Ledger.Outcome.Refused refusal,
      Usd heldAmount,
      @Nullable Usd neededAmount) {
    Usd left = left(refusal);
    Usd freeLater = refusal.remaining().plus(heldAmount); // if none of it is spent
    boolean isEnough = neededAmount == null || !neededAmount.isMoreThan(freeLater);
    GatewayError result =
        error
            .withMessage(error.message() + "; " + heldAmount + " is held by requests under way")
            .withMetadata(
                "budget",
                Json.object().put("left", left.json()).put("held", heldAmount.json()).build());
    return isEnough ? result.withRetryAfter(RETRY_SECONDS) : result;
  }

  private static Usd left(Ledger.Outcome.Refused refusal) {
    return refusal.remaining().isMoreThan(Usd.ZERO) ? refusal.remaining() : Usd.ZERO;
  }

  /** Inserts the address for buying credits before the detail of the message. */
  private GatewayError withAddress(GatewayError callerError) {
    if (creditsUrl == null || !callerError.message().startsWith(SHORT_MESSAGE)) {
      return callerError;
    }
    String detail =
        callerError.message().substring(SHORT_MESSAGE.length()).replaceFirst("^: this", ". This");
    return GatewayError.of(
        callerError.code(), SHORT_MESSAGE + ". Add more using " + creditsUrl + detail);
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
