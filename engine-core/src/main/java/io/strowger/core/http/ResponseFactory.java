package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the responses of one family of paths.
 *
 * @param user whom the caller's key was made for; null before it is known who calls
 */
record ResponseFactory(ErrorEnvelope envelope, @Nullable String user) {
  static final String GENERATION_ID = "X-Generation-Id";

  /** Before it is known who calls. */
  static ResponseFactory forAnonymous(ErrorEnvelope errorEnvelope) {
    return new ResponseFactory(errorEnvelope, null);
  }

  /** From when on it is known who calls. */
  ResponseFactory to(Caller caller) {
    return new ResponseFactory(envelope, caller.user());
  }

  WireResponse ok(byte[] json, @Nullable String generationId) {
    return new WireResponse(200, headers(generationId), WireBody.of(json));
  }

  /** Of a status other than 200 with a document of its own. */
  WireResponse withStatus(int status, byte[] json) {
    return new WireResponse(status, headers(null), WireBody.of(json));
  }

  /** Of a document that is made while it is written. */
  WireResponse streamed(WireBody json) {
    return new WireResponse(200, headers(null), json);
  }

  /**
   * Of an answer.
   *
   * @param cache what the response cache had; null when it was not asked
   */
  WireResponse answer(JsonOutput document, String generationId, @Nullable CacheStatus cache) {
    Map<String, String> headers = headers(generationId);
    CacheHeaders.put(cache, headers);
    return new WireResponse(200, headers, WireBody.of(document));
  }

  /** Of something that was made, within {@code data}. */
  WireResponse created(Json.Obj data) {
    byte[] body = Json.object().put("data", data).build().toBytes();
    return new WireResponse(201, headers(null), WireBody.of(body));
  }

  /**
   * Of something that was asked for, within {@code data}.
   *
   * @param data null when there is none
   * @throws io.strowger.spi.error.GatewayException 404 when there is none
   */
  WireResponse found(@Nullable Json data) {
    if (data == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return ok(Json.object().put("data", data).build().toBytes(), null);
  }

  /**
   * Of a part of a list.
   *
   * @param total how many there are in all
   */
  WireResponse list(List<Json.Obj> data, long total) {
    Json.Obj body = Json.object().put("data", Json.array(data)).put("total_count", total).build();
    return ok(body.toBytes(), null);
  }

  /**
   * Of something that is gone.
   *
   * @param done false when there was none
   * @throws io.strowger.spi.error.GatewayException 404 when there was none
   */
  WireResponse deleted(boolean done) {
    if (!done) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return ok(Json.object().put("deleted", true).build().toBytes(), null);
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
    byte[] body = body(ErrorBodies.of(envelope, error, generationId, routerMetadata));
    return new WireResponse(error.code().status(), headers, WireBody.of(body));
  }

  /** To the question which methods a path has. */
  WireResponse allow(String methods) {
    Map<String, String> headers = headers(null);
    headers.remove("Content-Type");
    headers.put("Allow", methods);
    return new WireResponse(200, headers, WireBody.of(new byte[0]));
  }

  WireResponse methodNotAllowed(GatewayError error, String allowed) {
    Map<String, String> headers = headers(null);
    headers.put("Allow", allowed);
    byte[] body = body(ErrorBodies.of(envelope, error, null, null));
    return new WireResponse(error.code().status(), headers, WireBody.of(body));
  }

  /** Names the caller's user where the envelope has a place for it. Open question 84. */
  private byte[] body(Json.Obj error) {
    return switch (envelope) {
      case GATEWAY, RESPONSES ->
          error.with("user_id", user == null ? Json.NULL : Json.of(user)).toBytes();
      case MESSAGES, BATCHES -> error.toBytes();
    };
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
