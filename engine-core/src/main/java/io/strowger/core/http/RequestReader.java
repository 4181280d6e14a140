package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.wire.WireRequest;

/** Reads the body and the headers of a request for an answer. Safe on any thread. */
@FunctionalInterface
interface RequestReader {
  /**
   * Returns the request, and what its preset says of caching.
   *
   * @throws io.strowger.spi.error.GatewayException 413 or 400 when it is not as it should be, 404
   *     when it refers to a preset there is none of
   */
  InferenceBodies.Read read(Caller caller, WireRequest wire);
}
