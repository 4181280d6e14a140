package io.strowger.core.batch;

import io.strowger.core.authentication.Caller;
import io.strowger.core.inference.BatchItem;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and answers requests of batches as if each had been sent alone to the path of its batch.
 * Implemented by the HTTP surface; safe on any thread.
 */
public interface BatchRequestHandler {
  /**
   * Reads and checks a request in full, as if it had been sent alone.
   *
   * @param body JSON in UTF-8
   * @param preferences turns the request's own preferences into those of the returned request
   * @throws io.strowger.spi.error.GatewayException when it is invalid; 5xx when the gateway fails
   */
  InferenceRequest read(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences);

  /**
   * Reads and answers a request. Waits for the answer; errors of the request or of an upstream are
   * returned, never thrown.
   *
   * @param body JSON in UTF-8
   * @param preferences turns the request's own preferences into those of the batch
   */
  ItemAnswer answer(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences,
      BatchItem item,
      Cancellation cancellation);

  /**
   * The result of a request.
   *
   * @param body the body of the response, JSON in UTF-8; null when there is an error
   * @param error the error; null when there is a response
   * @param bill the bill; null when nothing was charged
   */
  record ItemAnswer(byte @Nullable [] body, @Nullable GatewayError error, @Nullable Bill bill) {
    // not compact: in a compact constructor the compiler loses the @Nullable of the array
    public ItemAnswer(byte @Nullable [] body, @Nullable GatewayError error, @Nullable Bill bill) {
      if ((body == null) == (error == null)) {
        throw new IllegalArgumentException("there must be either a response or an error");
      }
      this.body = body;
      this.error = error;
      this.bill = bill;
    }
  }
}
