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
 * Reads and answers the requests of batches as the endpoints they are for do. Implemented by the
 * HTTP surface; safe on any thread.
 */
public interface BatchRequestHandler {
  /**
   * Reads a request completely, as if it had come alone.
   *
   * @param body JSON in UTF-8
   * @throws io.strowger.spi.error.GatewayException what is wrong with it
   */
  InferenceRequest read(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences);

  /**
   * Reads and answers a request. Waits for the answer; never throws for what a request or an
   * upstream does.
   *
   * @param body JSON in UTF-8
   * @param preferences makes the preferences of the request those of the batch
   */
  ItemAnswer answer(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences,
      BatchItem item,
      Cancellation cancellation);

  /**
   * What came of a request.
   *
   * @param body of the response; null when there is an error instead
   * @param error null when there is a response
   * @param bill null when nothing was charged
   */
  record ItemAnswer(byte @Nullable [] body, @Nullable GatewayError error, @Nullable Bill bill) {
    // spelled out: the compiler forgets that the array may be null in a compact one
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
