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
 * Creates the responses of the paths that share an error envelope.
 *
 * @param user whom the caller's key was created for; null before the caller is authenticated
 */
record ResponseFactory(ErrorEnvelope envelope, @Nullable String user) {
  static final String GENERATION_ID = "X-Generation-Id";

  /** Returns the factory to use before the caller is authenticated. */
  static ResponseFactory forAnonymous(ErrorEnvelope errorEnvelope) {
    return new ResponseFactory(errorEnvelope, null);
  }

  /** Returns the factory to use for an authenticated caller. */
  ResponseFactory forCaller(Caller caller) {
    return new ResponseFactory(envelope, caller.user());
  }

  WireResponse ok(byte[] json) {
    return withStatus(200, json);
  }

  /** Returns a response with a document of its own. */
  WireResponse withStatus(int status, byte[] json) {
    return new WireResponse(status, headers(null), WireBody.of(json));
  }

  /** Returns a response whose document is produced while it is written. */
  WireResponse streamed(WireBody json) {
    return new WireResponse(200, headers(null), json);
  }

  /**
   * Returns the response for a complete answer.
   *
   * @param cache the outcome of the response cache; null when it was not used
   */
  WireResponse answer(JsonOutput document, String generationId, @Nullable CacheStatus cache) {
    Map<String, String> headers = headers(generationId);
    CacheHeaders.put(cache, headers);
    return new WireResponse(200, headers, WireBody.of(document));
  }

  /** Returns the 201 response for a created resource, within {@code data}. */
  WireResponse created(Json.Obj data) {
    byte[] body = Json.object().put("data", data).build().toBytes();
    return new WireResponse(201, headers(null), WireBody.of(body));
  }

  /**
   * Returns the response for something that was asked for, within {@code data}.
   *
   * @param data what was asked for; null when there is none
   * @throws io.strowger.spi.error.GatewayException 404 when there is none
   */
  WireResponse dataOrNotFound(@Nullable Json data) {
    if (data == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return ok(Json.object().put("data", data).build().toBytes());
  }

  /**
   * Returns the response for one page of a list.
   *
   * @param total the number of items in the whole list
   */
  WireResponse list(List<Json.Obj> data, long total) {
    Json.Obj body = Json.object().put("data", Json.array(data)).put("total_count", total).build();
    return ok(body.toBytes());
  }

  /**
   * Returns the response for a deleted resource.
   *
   * @param isDeleted whether it was deleted; false when there was none
   * @throws io.strowger.spi.error.GatewayException 404 when there was none
   */
  WireResponse deletedOrNotFound(boolean isDeleted) {
    if (!isDeleted) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return ok(Json.object().put("deleted", true).build().toBytes());
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

  /** Returns the answer to {@code OPTIONS}: the methods of a path. */
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

  /** Adds the caller's user where the envelope has a member for it. Open question 84. */
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
