package io.strowger.core.inference;

import io.strowger.core.authentication.Caller;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.store.Charge;
import org.jspecify.annotations.Nullable;

/**
 * Says what requests of a batch can cost at most, and whether that is there, without dispatching
 * anything. Safe on any thread.
 */
public interface PriceQuotes {
  /**
   * What one request can cost.
   *
   * @param most the dearest of those that may answer, at the prices of batches
   * @param least with less than this left, none of them is asked
   * @param provider slug of the one that would be asked first
   */
  record Quote(Charge most, Charge least, String provider) {}

  /**
   * Returns what a request can cost.
   *
   * @throws io.strowger.spi.error.GatewayException when nobody can answer it, as for an answer
   */
  Quote of(Caller caller, InferenceRequest request);

  /**
   * Returns what is the matter where this much cannot be set aside for a caller now; null when it
   * can. Nothing stays set aside.
   */
  @Nullable GatewayError shortfall(Caller caller, Charge all);

  /** Returns whether some budget of the caller has nothing left. */
  boolean isExhausted(Caller caller);
}
