package io.strowger.conformance.faults;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's APIs, with what a test must know to write their requests and read their answers.
 */
enum GatewayApi {
  CHAT("/chat/completions"),
  MESSAGES("/messages"),
  RESPONSES("/responses");

  private final String path;

  GatewayApi(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** Returns the body of a request that tries these providers in this order. */
  String requestBody(String model, boolean streaming, List<String> providers) {
    String input =
        switch (this) {
          case CHAT -> "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
          case MESSAGES ->
              "\"max_tokens\":64,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
          case RESPONSES -> "\"input\":\"Hello\"";
        };
    return "{\"model\":\"%s\",\"stream\":%s,\"provider\":{\"order\":[\"%s\"]},%s}"
        .formatted(model, streaming, String.join("\",\"", providers), input);
  }

  /** Returns the canonical error type in an error document; null when it is no error document. */
  @Nullable String errorType(Json.Obj body) {
    Json.Obj error = object(body, "error");
    return switch (this) {
      case CHAT -> object(error, "metadata").text("error_type");
      case MESSAGES -> "error".equals(body.text("type")) ? error.text("error_type") : null;
      case RESPONSES -> body.text("error_type");
    };
  }

  /** Returns the code of an error in the form of this API: a type name or the status. */
  String errorCode(Json.Obj body) {
    Json.Obj error = object(body, "error");
    return switch (this) {
      case CHAT, RESPONSES -> Long.toString(error.longValue("code", 0));
      case MESSAGES -> Objects.requireNonNull(error.text("type"), "type");
    };
  }

  /** Returns the value of {@link #errorCode} that belongs to a status. */
  String expectedCode(int status) {
    return switch (this) {
      case CHAT, RESPONSES -> Integer.toString(status);
      case MESSAGES -> messagesType(status);
    };
  }

  private static String messagesType(int status) {
    return switch (status) {
      case 400 -> "invalid_request_error";
      case 404 -> "not_found_error";
      case 429 -> "rate_limit_error";
      case 503, 529 -> "overloaded_error";
      case 524 -> "timeout_error";
      default -> "api_error";
    };
  }

  /** Returns the text of an answer that is one document. */
  String text(Json.Obj document) {
    return switch (this) {
      case CHAT -> Objects.requireNonNull(object(choice(document), "message").text("content"));
      case MESSAGES -> Objects.requireNonNull(first(document, "content").text("text"));
      case RESPONSES -> Objects.requireNonNull(document.text("output_text"));
    };
  }

  /** Returns the text in a frame of a stream; empty when it has none. */
  String delta(Json.Obj frame) {
    String text =
        switch (this) {
          case CHAT -> choice(frame).object("delta") instanceof Json.Obj d ? d.text("content") : "";
          case MESSAGES ->
              "content_block_delta".equals(frame.text("type"))
                  ? object(frame, "delta").text("text")
                  : "";
          case RESPONSES ->
              "response.output_text.delta".equals(frame.text("type")) ? frame.text("delta") : "";
        };
    return text == null ? "" : text;
  }

  /** Returns whether this frame ends an answer that succeeded. */
  boolean isEnd(Json.Obj frame) {
    return switch (this) {
      case CHAT -> {
        String reason = choice(frame).text("finish_reason");
        yield reason != null && !reason.equals("error");
      }
      case MESSAGES -> "message_stop".equals(frame.text("type"));
      case RESPONSES -> "response.completed".equals(frame.text("type"));
    };
  }

  /** Returns whether this frame has the finish reason of an answer that succeeded, or ends it. */
  boolean hasFinishReason(Json.Obj frame) {
    return this == MESSAGES && "message_delta".equals(frame.text("type")) || isEnd(frame);
  }

  /** Returns the canonical error type in a frame of a stream; null when it is no error frame. */
  @Nullable String inBandErrorType(Json.Obj frame) {
    return switch (this) {
      case CHAT ->
          frame.has("error") && "error".equals(choice(frame).text("finish_reason"))
              ? errorType(frame)
              : null;
      case MESSAGES -> "error".equals(frame.text("type")) ? errorType(frame) : null;
      case RESPONSES ->
          "response.failed".equals(frame.text("type"))
              ? object(frame, "response").text("error_type")
              : null;
    };
  }

  /** Returns the whole text that the last frame repeats; null in APIs that repeat none. */
  @Nullable String repeatedText(Json.Obj frame) {
    return this == RESPONSES ? object(frame, "response").text("output_text") : null;
  }

  private static Json.Obj choice(Json.Obj document) {
    return document.list("choices") instanceof Json.Arr choices && !choices.isEmpty()
        ? (Json.Obj) choices.get(0)
        : Json.Obj.EMPTY;
  }

  private static Json.Obj first(Json.Obj document, String list) {
    return (Json.Obj) Objects.requireNonNull(document.list(list), list).getFirst();
  }

  private static Json.Obj object(Json.Obj document, String name) {
    return Objects.requireNonNull(document.object(name), () -> name + " in " + document);
  }
}
