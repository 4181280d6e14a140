package io.strowger.core.dialect;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Writes errors as documents. Contract: "Errors"; messages fact sheet, section 5; resources fact
 * sheet, section 11. Internal errors are masked: they show only their code, type and the contract's
 * message.
 */
public final class ErrorBodies {
  private ErrorBodies() {}

  /**
   * Returns the body of an error response.
   *
   * @param generationId the generation id; null before there is one
   * @param routerMetadata null unless the caller asked for it; omitted where the contract says so
   */
  public static Json.Obj of(
      ErrorEnvelope errorEnvelope,
      GatewayError error,
      @Nullable String generationId,
      Json.@Nullable Obj routerMetadata) {
    Json.Obj.Builder body =
        switch (errorEnvelope) {
          case GATEWAY -> Json.object().put("error", error(error));
          case MESSAGES -> messages(error, generationId);
          case RESPONSES ->
              Json.object().put("error", error(error)).put("error_type", error.code().type());
          case BATCHES ->
              Json.object()
                  .put(
                      "error",
                      Json.object()
                          .put("code", error.code().status())
                          .put("message", message(error))
                          .build());
        };
    if (routerMetadata != null
        && errorEnvelope != ErrorEnvelope.BATCHES
        && mayCarryMetadata(error)) {
      body.put("router_metadata", routerMetadata);
    }
    return body.build();
  }

  private static boolean mayCarryMetadata(GatewayError error) {
    return switch (error.code()) {
      case INTERNAL, AUTHENTICATION, RATE_LIMIT_EXCEEDED -> false;
      default -> true;
    };
  }

  /** Returns the {@code error} object of the gateway's own envelope and of a chat chunk. */
  public static Json.Obj error(GatewayError error) {
    Json.Obj.Builder body =
        Json.object()
            .put("code", error.code().status())
            .put("message", message(error))
            .put("metadata", metadata(error));
    if (!isMasked(error) && error.availability().size() > 0) {
      body.put("availability", error.availability());
    }
    return body.build();
  }

  /**
   * Returns the error of an answer that had begun, for a chat chunk or choice.
   *
   * @param cause the upstream's failure; null when the upstream did not fail
   */
  public static Json.Obj inBand(GatewayError error, @Nullable Failure cause) {
    return error(withProviderCode(error, cause));
  }

  /**
   * Returns the error with the upstream's status as {@code provider_code}.
   *
   * @param cause as in {@link #inBand}
   */
  public static GatewayError withProviderCode(GatewayError error, @Nullable Failure cause) {
    return cause == null || cause.status() == 0
        ? error
        : error.withMetadata("provider_code", Json.of(cause.status()));
  }

  private static boolean isMasked(GatewayError error) {
    return error.code() == ErrorCode.INTERNAL;
  }

  private static String message(GatewayError error) {
    return isMasked(error) ? error.code().message() : error.message();
  }

  private static Json.Obj metadata(GatewayError error) {
    Json.Obj.Builder metadata = Json.object().put("error_type", error.code().type());
    if (isMasked(error)) {
      return metadata.build();
    }
    metadata.putAll(error.metadata());
    if (!error.problems().isEmpty()) {
      metadata.put("problems", problems(error));
    }
    return metadata.build();
  }

  private static Json.Arr problems(GatewayError error) {
    var list = new ArrayList<Json>(error.problems().size());
    for (Problem problem : error.problems()) {
      Json.Obj.Builder entry =
          Json.object()
              .put("pointer", problem.pointer().toString())
              .put("allowed", problem.allowed());
      if (!problem.value().isEmpty()) {
        entry.put("given", problem.value());
      }
      if (problem.origin() instanceof String origin) {
        entry.put("from", origin);
      }
      list.add(entry.build());
    }
    return Json.array(list);
  }

  /** Returns the vendor's envelope, with the contract's own code added. */
  private static Json.Obj.Builder messages(GatewayError error, @Nullable String generationId) {
    Json.Obj inner =
        Json.object()
            .put("type", messagesType(error.code()))
            .put("message", message(error))
            .put("error_type", error.code().type())
            .put("code", error.code().status())
            .build();
    Json.Obj.Builder body =
        Json.object()
            .put("type", "error")
            .put("error", inner)
            .putOrNull("request_id", generationId);
    if (!isMasked(error) && (error.metadata().size() > 0 || !error.problems().isEmpty())) {
      body.put("metadata", metadata(error));
    }
    return body;
  }

  private static String messagesType(ErrorCode code) {
    return switch (code.type()) {
      case "authentication" -> "authentication_error";
      case "permission_denied" -> "permission_error";
      case "payment_required" -> "billing_error";
      case "not_found" -> "not_found_error";
      case "rate_limit_exceeded" -> "rate_limit_error";
      case "provider_overloaded" -> "overloaded_error";
      case "timeout" -> "timeout_error";
      default -> code.status() < 500 ? "invalid_request_error" : "api_error";
    };
  }
}
