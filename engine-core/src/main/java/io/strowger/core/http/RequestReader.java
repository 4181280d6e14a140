package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.wire.WireRequest;

/** Reads the body and the headers of an inference request. Safe on any thread. */
@FunctionalInterface
interface RequestReader {
  /**
   * Returns the request and the cache settings of its preset.
   *
   * @throws io.strowger.spi.error.GatewayException 413 when too large, 400 when invalid, 404 when
   *     it refers to an unknown preset
   */
  InferenceBodyReader.ReadResult read(Caller caller, WireRequest wire);
}
