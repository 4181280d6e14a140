package io.strowger.providers.responses;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a complete {@code response}. Items without a part type of their own become unknown parts.
 */
final class ResponsesAnswerReader {
  private static final Json.Str NO_ARGUMENTS = Json.of("{}");

  private final SafeNames names;
  private final List<Part> parts = new ArrayList<>();

  private ResponsesAnswerReader(SafeNames names) {
    this.names = names;
  }

  /**
   * Returns the answer; null when the document is not a response.
   *
   * @param names maps the upstream's tool names to the caller's
   */
  static @Nullable Answer of(Json.Obj document, SafeNames names) {
    Json.Arr output = document.list("output");
    if (output == null) {
      return null;
    }
    var reader = new ResponsesAnswerReader(names);
    output.forEach(reader::addItem);
    List<Part> parts = reader.parts;
    String stopReason = stopReason(document);
    return new Answer(
        parts,
        StopReasons.RESPONSES.of(
            stopReason,
            parts.stream().anyMatch(part -> part instanceof Part.ToolCall),
            parts.stream().anyMatch(part -> part instanceof Part.Refusal)),
        stopReason,
        ResponsesUsageReader.of(document),
        Dialect.RESPONSES,
        document);
  }

  /**
   * Returns the upstream's stop reason: the reason why an answer is incomplete, or else its status;
   * null when neither is given.
   */
  static @Nullable String stopReason(Json.Obj response) {
    Json.Obj details = response.object("incomplete_details");
    String reason = details == null ? null : details.text("reason");
    return reason == null ? response.text("status") : reason;
  }

  private void addItem(Json item) {
    String type = item instanceof Json.Obj object ? object.text("type") : null;
    switch (type) {
      case "message" -> addMessage((Json.Obj) item);
      case "reasoning" -> parts.addAll(ResponsesReasoningItem.thoughts((Json.Obj) item));
      case "function_call" -> parts.add(call((Json.Obj) item));
      case null -> parts.add(new Part.Unknown("", item));
      default -> parts.add(new Part.Unknown(type, item));
    }
  }

  private void addMessage(Json.Obj message) {
    Json.Arr content = message.list("content");
    for (Json part : content == null ? List.<Json>of() : content) {
      if (part instanceof Json.Obj object && object.get("text") instanceof Json.Str text) {
        addText(object, text);
      } else if (part instanceof Json.Obj object
          && object.get("refusal") instanceof Json.Str refusal) {
        parts.add(new Part.Refusal(refusal, object));
      } else {
        parts.add(new Part.Unknown("content", part));
      }
    }
  }

  /** Adds a text, then its citations and log probabilities as parts of their own. */
  private void addText(Json.Obj part, Json.Str text) {
    Json.Obj extras = part.without("type").without("text");
    Json.Arr annotations = listOrEmpty(part, "annotations");
    Json.Arr logprobs = listOrEmpty(part, "logprobs");
    boolean isPlain = annotations.isEmpty() && logprobs.isEmpty();
    parts.add(
        new Part.Text(
            text, extras.without("annotations").without("logprobs"), isPlain ? part : null));
    for (Json annotation : annotations) {
      Json.Obj citation = Citations.ofFlat(annotation);
      parts.add(
          citation == null
              ? new Part.Unknown("annotations", annotation)
              : new Part.Citation(citation, annotation));
    }
    if (!logprobs.isEmpty()) {
      parts.add(new Part.Logprobs(logprobs));
    }
  }

  private static Json.Arr listOrEmpty(Json.Obj part, String name) {
    Json.Arr list = part.list(name);
    return list == null ? Json.array() : list;
  }

  private Part call(Json.Obj item) {
    String name = Objects.requireNonNullElse(item.text("name"), "");
    String original = names.toOriginal(name);
    return new Part.ToolCall(
        callId(item),
        original,
        arguments(item.get("arguments")),
        item.without("type").without("call_id").without("name").without("arguments"),
        original.equals(name) ? item : null);
  }

  /** Returns the id that links a call to its result; some upstreams set only the item's id. */
  static String callId(Json.Obj item) {
    String id = item.text("call_id");
    return id == null ? Objects.requireNonNullElse(item.text("id"), "") : id;
  }

  /** Returns the arguments as text; missing ones are {@code {}}, objects are serialized. */
  static Json.Str arguments(@Nullable Json value) {
    return switch (value) {
      case null -> NO_ARGUMENTS;
      case Json.Str text -> text.isEmpty() ? NO_ARGUMENTS : text;
      case Json.Null none -> NO_ARGUMENTS;
      case Json other -> Json.of(new String(other.toBytes(), StandardCharsets.UTF_8));
    };
  }
}
