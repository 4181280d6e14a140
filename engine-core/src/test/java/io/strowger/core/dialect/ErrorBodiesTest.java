package io.strowger.core.dialect;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An error's body")
class ErrorBodiesTest {
  private static final Json.Obj METADATA = json("{'requested':'m'}");

  private static Json.Obj body(ErrorEnvelope errorEnvelope, GatewayError error) {
    return ErrorBodies.of(errorEnvelope, error, "gen-1", METADATA);
  }

  private static Json.Obj error(Json.Obj body) {
    return Objects.requireNonNull(body.object("error"));
  }

  @Proves({
    "error.envelope",
    "resources.error.error_type",
    "resources.error.location",
    "chat.answer.error.types"
  })
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  @DisplayName("has the status as its code and the error's stable type, for every error code")
  void codes(ErrorCode code) {
    Json.Obj error = error(body(ErrorEnvelope.GATEWAY, GatewayError.of(code)));
    assertThat(error.longValue("code", 0)).isEqualTo(code.status());
    assertThat(error.text("message")).isEqualTo(code.message());
    assertThat(error.object("metadata")).isEqualTo(json("{'error_type':'" + code.type() + "'}"));
  }

  @Proves({
    "error.400",
    "error.401",
    "error.402",
    "error.403",
    "error.404",
    "error.409",
    "error.413",
    "error.429",
    "error.500",
    "error.502",
    "error.503",
    "error.524",
    "error.529",
    "resources.error.error_type",
    "resources.error.availability.400",
    "resources.error.availability.404",
    "resources.error.availability.429",
    "resources.error.availability.503",
    "chat.answer.error.types",
    "open.17"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
INVALID_REQUEST            | 400 | invalid_request          | Invalid request parameters
MODEL_NOT_FOUND            | 400 | invalid_request          | No such model
WRONG_ENDPOINT             | 400 | invalid_request          | The model cannot be used at this path
CONTEXT_LENGTH_EXCEEDED    | 400 | context_length_exceeded  | The prompt is longer than the context
CONTENT_POLICY_VIOLATION   | 400 | content_policy_violation | The provider refused the content
AUTHENTICATION             | 401 | authentication           | Missing Authentication header
PAYMENT_REQUIRED           | 402 | payment_required         | Insufficient credits
PERMISSION_DENIED          | 403 | permission_denied        | Only management keys can perform this operation
REGION_RESTRICTED          | 403 | permission_denied        | Not available in this region
NOT_FOUND                  | 404 | not_found                | Resource not found
NO_ENDPOINTS               | 404 | not_found                | No endpoint can be used
CONSTRAINT_FILTERED        | 404 | not_found                | No endpoint meets the request's constraints
PRIVACY_RESTRICTED         | 404 | not_found                | No endpoint meets the request's data policy
MODEL_UNAVAILABLE_UPSTREAM | 404 | not_found                | Provider returned error
CONFLICT                   | 409 | conflict                 | Resource conflict. Please try again later.
PAYLOAD_TOO_LARGE          | 413 | payload_too_large        | Request payload too large
UNPROCESSABLE              | 422 | unprocessable            | Invalid argument
RATE_LIMIT_EXCEEDED        | 429 | rate_limit_exceeded      | Rate limit exceeded
CAPACITY_EXHAUSTED         | 429 | rate_limit_exceeded      | Provider returned error
PROVIDER_ERROR             | 502 | provider_unavailable     | Provider returned error
TEMPORARILY_UNAVAILABLE    | 503 | provider_overloaded      | Service temporarily unavailable
UNAVAILABLE                | 503 | provider_overloaded      | Service temporarily unavailable
TIMEOUT                    | 524 | timeout                  | Request timed out. Please try again later.
PROVIDER_OVERLOADED        | 529 | provider_overloaded      | Provider returned error
INTERNAL                   | 500 | server                   | Internal Server Error
""")
  @DisplayName("has the status, type and message of the contract's table")
  void table(ErrorCode code, int status, String type, String message) {
    assertThat(code.status()).isEqualTo(status);
    assertThat(body(ErrorEnvelope.GATEWAY, GatewayError.of(code)).object("error"))
        .isEqualTo(
            Json.object()
                .put("code", status)
                .put("message", message)
                .put("metadata", Json.object().put("error_type", type).build())
                .build());
  }

  @Proves("resources.error.availability")
  @Test
  @DisplayName("includes the availability object when the error has one")
  void availability() {
    GatewayError error =
        GatewayError.of(ErrorCode.CAPACITY_EXHAUSTED)
            .withAvailability(json("{'code':'capacity_exhausted'}"))
            .withMetadata("previous_errors", Json.array());
    assertThat(body(ErrorEnvelope.GATEWAY, error).object("error"))
        .isEqualTo(
            json(
                "{'code':429,'message':'Provider returned error','metadata':{"
                    + "'error_type':'rate_limit_exceeded','previous_errors':[]},"
                    + "'availability':{'code':'capacity_exhausted'}}"));
  }

  @Proves({
    "resources.error.location",
    "resources.error.messages.envelope",
    "messages.error.envelope",
    "messages.error.authentication",
    "messages.error.permission_denied",
    "messages.error.payment_required",
    "messages.error.not_found",
    "messages.error.rate_limit_exceeded",
    "messages.error.provider_overloaded",
    "messages.error.timeout",
    "messages.error.invalid_request",
    "messages.error.api_error"
  })
  @ParameterizedTest
  @CsvSource({
    "AUTHENTICATION,authentication_error",
    "PERMISSION_DENIED,permission_error",
    "PAYMENT_REQUIRED,billing_error",
    "NOT_FOUND,not_found_error",
    "CAPACITY_EXHAUSTED,rate_limit_error",
    "PROVIDER_OVERLOADED,overloaded_error",
    "TEMPORARILY_UNAVAILABLE,overloaded_error",
    "TIMEOUT,timeout_error",
    "INVALID_REQUEST,invalid_request_error",
    "CONTEXT_LENGTH_EXCEEDED,invalid_request_error",
    "PAYLOAD_TOO_LARGE,invalid_request_error",
    "PROVIDER_ERROR,api_error",
    "INTERNAL,api_error"
  })
  @DisplayName(
      "has, in the messages format, that format's error type, the status, and the generation's id")
  void messages(ErrorCode code, String type) {
    Json.Obj body = body(ErrorEnvelope.MESSAGES, GatewayError.of(code));
    assertThat(body.text("type")).isEqualTo("error");
    assertThat(body.text("request_id")).isEqualTo("gen-1");
    Json.Obj error = error(body);
    assertThat(error.text("type")).isEqualTo(type);
    assertThat(error.text("error_type")).isEqualTo(code.type());
    assertThat(error.longValue("code", 0)).isEqualTo(code.status());
  }

  @Proves("resources.error.error_type")
  @ParameterizedTest
  @EnumSource(ErrorEnvelope.class)
  @DisplayName("has the status as its code in every envelope")
  void codeEverywhere(ErrorEnvelope errorEnvelope) {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(error(body(errorEnvelope, GatewayError.of(code))).longValue("code", 0))
          .isEqualTo(code.status());
    }
  }

  @Proves({"error.500", "resources.error.masked"})
  @ParameterizedTest
  @EnumSource(ErrorEnvelope.class)
  @DisplayName("hides the details of an internal error in every envelope")
  void masked(ErrorEnvelope errorEnvelope) {
    GatewayError error =
        GatewayError.of(ErrorCode.INTERNAL, "secret")
            .withMetadata("provider_code", Json.of(418))
            .withAvailability(json("{'code':'secret'}"));
    String text =
        new String(body(errorEnvelope, error).toBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(text)
        .contains("Internal Server Error")
        .doesNotContain("secret", "418", "router_metadata");
  }

  @Proves({"error.envelope", "routing.other.metadata.place"})
  @Test
  @DisplayName(
      "carries router metadata only in the envelopes and for the errors that have it in the "
          + "contract")
  void metadata() {
    GatewayError failed = GatewayError.of(ErrorCode.PROVIDER_ERROR);
    assertThat(body(ErrorEnvelope.GATEWAY, failed).get("router_metadata")).isEqualTo(METADATA);
    assertThat(body(ErrorEnvelope.MESSAGES, failed).get("router_metadata")).isEqualTo(METADATA);
    assertThat(body(ErrorEnvelope.RESPONSES, failed).get("router_metadata")).isEqualTo(METADATA);
    assertThat(body(ErrorEnvelope.BATCHES, failed).has("router_metadata")).isFalse();
    for (ErrorCode code :
        new ErrorCode[] {
          ErrorCode.INTERNAL, ErrorCode.AUTHENTICATION, ErrorCode.RATE_LIMIT_EXCEEDED
        }) {
      assertThat(body(ErrorEnvelope.GATEWAY, GatewayError.of(code)).has("router_metadata"))
          .isFalse();
    }
  }

  @Proves({"resources.batch.error.other", "answers.batch-error"})
  @Test
  @DisplayName("has, in a batch, only a code and a message")
  void batches() {
    GatewayError error = GatewayError.of(ErrorCode.NOT_FOUND, "Batch not found.");
    assertThat(body(ErrorEnvelope.BATCHES, error))
        .isEqualTo(json("{'error':{'code':404,'message':'Batch not found.'}}"));
  }

  @Test
  @DisplayName(
      "gives each problem's pointer, the allowed and the given value, and the preset it comes from")
  void problems() {
    JsonPointer at = JsonPointer.ROOT.child("temperature");
    GatewayError error =
        GatewayError.of(
            ErrorCode.INVALID_REQUEST,
            List.of(
                new Problem(at, "must be 0 to 2", "3"),
                new Problem(at, "must be 0 to 2", "3", "preset writer")));
    Json.Obj body = error(body(ErrorEnvelope.GATEWAY, error));
    assertThat(body.text("message"))
        .isEqualTo(
            "Invalid request parameters: /temperature: must be 0 to 2, was 3;"
                + " /temperature: must be 0 to 2, was 3 (from the preset writer)");
    assertThat(body.object("metadata"))
        .isEqualTo(
            json(
                "{'error_type':'invalid_request','problems':["
                    + "{'pointer':'/temperature','allowed':'must be 0 to 2','given':'3'},"
                    + "{'pointer':'/temperature','allowed':'must be 0 to 2','given':'3',"
                    + "'from':'preset writer'}]}"));
  }
}
