package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.store.Charge;
import org.jspecify.annotations.Nullable;

/**
 * Computes the most that requests of a batch can cost and whether a caller has enough, without
 * dispatching anything. Safe on any thread.
 */
public interface PriceQuotes {
  /**
   * The possible cost of one request.
   *
   * @param maxCharge the charge of the most expensive candidate, at the prices of batches
   * @param minBudget the smallest budget with which a candidate is tried at all
   * @param provider the slug of the provider that would be tried first
   */
  record Quote(Charge maxCharge, Charge minBudget, String provider) {}

  /**
   * Returns the possible cost of a request.
   *
   * @throws io.strowger.spi.error.GatewayException when no endpoint can answer, as when serving it
   */
  Quote of(Caller caller, InferenceRequest request);

  /**
   * Returns the error when this amount cannot be held for a caller now; null when it can. Leaves no
   * hold.
   */
  @Nullable GatewayError shortfall(Caller caller, Charge total);

  /** Returns whether any budget of the caller is used up. */
  boolean isExhausted(Caller caller);
}
