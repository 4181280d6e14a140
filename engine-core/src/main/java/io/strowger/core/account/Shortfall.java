package io.strowger.core.account;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.Payer;

/**
 * Says that a budget has not enough: the caller's own money is 402, a bound that somebody set for
 * the caller is 403. Contract: "Errors"; resources fact sheet, sections 3 and 4.
 */
final class Shortfall {
  private Shortfall() {}

  /**
   * @param payer who has not enough
   * @param budget which of the payer's
   */
  static GatewayError of(Payer payer, Budget budget) {
    return of(payer, budget, GatewayError.of(ErrorCode.PAYMENT_REQUIRED));
  }

  /**
   * @param own what is said where it is the caller's own money
   */
  static GatewayError of(Payer payer, Budget budget, GatewayError own) {
    return switch (payer.kind()) {
      case KEY, ACCOUNT -> own;
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

  private static String interval(Budget budget) {
    return switch (budget.period()) {
      case LIFETIME -> "lifetime";
      case MONTHLY -> "monthly";
      case WEEKLY -> "weekly";
      case DAILY -> "daily";
    };
  }
}
