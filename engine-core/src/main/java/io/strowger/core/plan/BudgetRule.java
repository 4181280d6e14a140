package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/**
 * Drops endpoints whose price does not fit what the caller's limits leave: all of an explicit
 * output limit must fit, without one a few tokens must. The last rule, so that a caller is asked
 * for money only when money is what is missing.
 */
final class BudgetRule implements Rule {
  @Override
  public String name() {
    return "budget";
  }

  @Override
  public Test compile(Scope scope) {
    return scope.query().budget() == null
        ? Test.KEEPS_ALL
        : endpoint -> !HoldSize.fits(endpoint, scope.query());
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    long affordable = HoldSize.affordable(endpoint, scope.query());
    return affordable < 0
        ? "the prompt alone may cost more than " + scope.query().budget()
        : scope.query().budget() + " pays for " + affordable + " output tokens";
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.PAYMENT_REQUIRED;
  }

  @Override
  public boolean passes() {
    return true;
  }
}
