package io.strowger.core.wire;

import io.strowger.core.encode.Envelope;
import io.strowger.core.encode.ErrorBodies;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the responses of one family of paths. */
record Responses(Envelope envelope) {
  static final String GENERATION_ID = "X-Generation-Id";

  WireResponse ok(byte[] json, @Nullable String generationId) {
    return new WireResponse(200, headers(generationId), WireBody.of(json));
  }

  WireResponse error(GatewayError error) {
    return error(error, null, null);
  }

  WireResponse error(
      GatewayError error, @Nullable String generationId, Json.@Nullable Obj routerMetadata) {
    Map<String, String> headers = headers(generationId);
    error
        .retryAfterSeconds()
        .ifPresent(seconds -> headers.put("Retry-After", Long.toString(seconds)));
    headers.putAll(error.headers());
    byte[] body = ErrorBodies.of(envelope, error, generationId, routerMetadata).toBytes();
    return new WireResponse(error.code().status(), headers, WireBody.of(body));
  }

  WireResponse methodNotAllowed(GatewayError error, String allowed) {
    Map<String, String> headers = headers(null);
    headers.put("Allow", allowed);
    byte[] body = ErrorBodies.of(envelope, error, null, null).toBytes();
    return new WireResponse(error.code().status(), headers, WireBody.of(body));
  }

  private static Map<String, String> headers(@Nullable String generationId) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/json");
    headers.put("Cache-Control", "no-store");
    if (generationId != null) {
      headers.put(GENERATION_ID, generationId);
    }
    return headers;
  }
}
