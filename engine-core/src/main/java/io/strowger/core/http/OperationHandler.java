package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;

/** Serves one operation for a caller who was admitted to it. Safe on any thread. */
@FunctionalInterface
interface OperationHandler {
  /**
   * Returns the response to a request.
   *
   * @throws io.strowger.spi.error.GatewayException when the request is refused
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down, for a 503
   */
  WireResponse serve(Caller caller, WireRequest request, ResponseFactory responseFactory);
}
