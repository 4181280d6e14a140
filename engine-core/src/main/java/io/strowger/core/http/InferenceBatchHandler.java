package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.batch.BatchEndpoint;
import io.strowger.core.batch.BatchRequestHandler;
import io.strowger.core.inference.BatchItem;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.ByteArrayInputStream;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and answers the requests of batches with the services that answer callers. Safe on any
 * thread.
 *
 * @param services returns the service of a batch endpoint
 */
record InferenceBatchHandler(Function<BatchEndpoint, InferenceService> services)
    implements BatchRequestHandler {
  private static final Logger log = LoggerFactory.getLogger(InferenceBatchHandler.class);

  @Override
  public InferenceRequest read(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences) {
    InferenceRequest request =
        services.apply(endpoint).read(caller, wire(endpoint, body, new Cancellation())).request();
    return forBatch(request, preferences);
  }

  @Override
  public ItemAnswer answer(
      Caller caller,
      BatchEndpoint endpoint,
      byte[] body,
      UnaryOperator<ProviderPreferences> preferences,
      BatchItem item,
      Cancellation cancellation) {
    try {
      return services
          .apply(endpoint)
          .answer(
              caller,
              wire(endpoint, body, cancellation),
              request -> forBatch(request, preferences),
              item);
    } catch (GatewayException refusal) {
      return new ItemAnswer(null, refusal.error(), null);
    } catch (StoreUnavailableException outage) {
      return new ItemAnswer(null, GatewayError.of(ErrorCode.UNAVAILABLE), null);
    } catch (RuntimeException | Error bug) {
      log.error("request {} of a batch failed", item.id(), bug);
      return new ItemAnswer(null, GatewayError.of(ErrorCode.INTERNAL), null);
    }
  }

  private static WireRequest wire(BatchEndpoint endpoint, byte[] body, Cancellation cancellation) {
    String path = endpoint.path().substring("/v1".length());
    return new WireRequest(
        "POST", path, "", name -> null, new ByteArrayInputStream(body), cancellation);
  }

  /** Adapts a request for batches: without session or stream. Resources fact sheet, section 6. */
  private static InferenceRequest forBatch(
      InferenceRequest request, UnaryOperator<ProviderPreferences> preferences) {
    return request.toBuilder()
        .preferences(preferences.apply(request.preferences()))
        .sessionId(null)
        .streaming(false)
        .build();
  }
}
