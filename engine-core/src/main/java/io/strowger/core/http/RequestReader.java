package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.model.InferenceRequest;
import org.jspecify.annotations.Nullable;

/** Reads the body and the headers of an inference request. Safe on any thread. */
@FunctionalInterface
interface RequestReader {
  /**
   * A decoded request and the cache settings of its preset.
   *
   * @param request the request, with its preset merged in
   * @param decoding keeps the body, to decode it again with other plugins; null for kinds of
   *     requests that take no plugins
   */
  record Result(
      InferenceRequest request, PresetCacheSettings cache, @Nullable RequestDecoding decoding) {}

  /**
   * Returns the request and the cache settings of its preset.
   *
   * @throws io.strowger.spi.error.GatewayException 413 when too large, 400 when invalid, 404 when
   *     it refers to an unknown preset
   */
  Result read(Caller caller, WireRequest wire);
}
