package io.strowger.conformance.faults;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fronts, as a caller of each reads what comes back. */
enum Front {
  CHAT("/chat/completions"),
  MESSAGES("/messages"),
  RESPONSES("/responses");

  private final String path;

  Front(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** A request for this model, the first of these providers to be asked first. */
  String ask(String model, boolean streaming, List<String> providers) {
    String asked =
        switch (this) {
          case CHAT -> "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
          case MESSAGES ->
              "\"max_tokens\":64,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
          case RESPONSES -> "\"input\":\"Hello\"";
        };
    return "{\"model\":\"%s\",\"stream\":%s,\"provider\":{\"order\":[\"%s\"]},%s}"
        .formatted(model, streaming, String.join("\",\"", providers), asked);
  }

  /** The canonical type of the error this document is. */
  @Nullable String errorType(Json.Obj body) {
    Json.Obj error = object(body, "error");
    return switch (this) {
      case CHAT -> object(error, "metadata").text("error_type");
      case MESSAGES -> "error".equals(body.text("type")) ? error.text("error_type") : null;
      case RESPONSES -> body.text("error_type");
    };
  }

  /** The error's own word or number in this dialect. */
  String errorWord(Json.Obj body) {
    Json.Obj error = object(body, "error");
    return switch (this) {
      case CHAT, RESPONSES -> Long.toString(error.longValue("code", 0));
      case MESSAGES -> Objects.requireNonNull(error.text("type"), "type");
    };
  }

  /** What {@link #errorWord} has to be. */
  String word(int status) {
    return switch (this) {
      case CHAT, RESPONSES -> Integer.toString(status);
      case MESSAGES -> messagesWord(status);
    };
  }

  private static String messagesWord(int status) {
    return switch (status) {
      case 400 -> "invalid_request_error";
      case 404 -> "not_found_error";
      case 429 -> "rate_limit_error";
      case 503, 529 -> "overloaded_error";
      case 524 -> "timeout_error";
      default -> "api_error";
    };
  }

  /** The text of an answer that is one document. */
  String text(Json.Obj document) {
    return switch (this) {
      case CHAT -> Objects.requireNonNull(object(choice(document), "message").text("content"));
      case MESSAGES -> Objects.requireNonNull(first(document, "content").text("text"));
      case RESPONSES -> Objects.requireNonNull(document.text("output_text"));
    };
  }

  /** The text a frame of a stream brings; empty when it brings none. */
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

  /** This frame says that the answer is over and all is well. */
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

  /** This frame says how an answer ends, though not yet that it has. */
  boolean isStop(Json.Obj frame) {
    return this == MESSAGES && "message_delta".equals(frame.text("type")) || isEnd(frame);
  }

  /** The canonical type of the error this frame of a stream is; null when it is none. */
  @Nullable String inBand(Json.Obj frame) {
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

  /** What the ending frame of a stream repeats of its text; null where it repeats nothing. */
  @Nullable String repeated(Json.Obj frame) {
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
