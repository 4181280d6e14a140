package io.strowger.core.account;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.Payer;
import org.jspecify.annotations.Nullable;

/**
 * Says that a budget has not enough: the caller's own money is 402, a bound that somebody set for
 * the caller is 403. Contract: "Errors"; resources fact sheet, sections 3 and 4.
 *
 * @param creditsUrl where more money is to be had; null: nowhere
 */
record Shortfall(@Nullable String creditsUrl) {
  private static final String SHORT = ErrorCode.PAYMENT_REQUIRED.message();

  /**
   * @param payer who has not enough
   * @param budget which of the payer's
   */
  GatewayError of(Payer payer, Budget budget) {
    return of(payer, budget, GatewayError.of(ErrorCode.PAYMENT_REQUIRED));
  }

  /**
   * @param own what is said where it is the caller's own money
   */
  GatewayError of(Payer payer, Budget budget, GatewayError own) {
    return switch (payer.kind()) {
      case KEY, ACCOUNT -> withAddress(own);
      case GUARDRAIL ->
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED,
              "The " + interval(budget) + " budget of a guardrail is exceeded");
      case WORKSPACE ->
          GatewayError.of(
              ErrorCode.PERMISSION_DENIED,
              "The " + interval(budget) + " budget of the workspace is exceeded");
    };
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
