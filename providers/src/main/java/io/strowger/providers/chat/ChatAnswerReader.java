package io.strowger.providers.chat;

import io.strowger.providers.translate.DataUrl;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.StopReasons;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code chat.completion}. The order of the parts is: reasoning, text with its citations,
 * refusal and images, tool calls. Members without a part type of their own become unknown parts.
 */
final class ChatAnswerReader {
  private static final List<String> PLAIN_REASONING = List.of("reasoning", "reasoning_content");

  private final SafeNames names;
  private final List<Part> reasoningParts = new ArrayList<>();
  private final List<Part> contentParts = new ArrayList<>();
  private final List<Part> annotationParts = new ArrayList<>();
  private final List<Part> otherParts = new ArrayList<>();
  private final List<Part> callParts = new ArrayList<>();

  private ChatAnswerReader(SafeNames names) {
    this.names = names;
  }

  /**
   * Returns the answer; null when the document is not a completion.
   *
   * @param names maps the upstream's tool names to the caller's
   */
  static @Nullable Answer of(Json.Obj document, SafeNames names) {
    Json.Arr choices = document.list("choices");
    if (choices == null || choices.isEmpty() || !(choices.get(0) instanceof Json.Obj choice)) {
      return null;
    }
    Json.Obj message = choice.object("message");
    if (message == null) {
      return null;
    }
    var reader = new ChatAnswerReader(names);
    reader.readMessage(message);
    reader.addLogprobs(choice);
    boolean hasToolCall = reader.callParts.stream().anyMatch(part -> part instanceof Part.ToolCall);
    boolean isRefusal = message.get("refusal") instanceof Json.Str refusal && !refusal.isEmpty();
    String finishReason = choice.text("finish_reason");
    String nativeReason = choice.text("native_finish_reason");
    Json.Obj usage = document.object("usage");
    return new Answer(
        reader.parts(),
        StopReasons.CHAT.of(finishReason, hasToolCall, isRefusal),
        nativeReason != null ? nativeReason : finishReason,
        usage == null ? null : ChatUsageReader.of(usage),
        Dialect.CHAT,
        document);
  }

  private List<Part> parts() {
    var parts = new ArrayList<Part>();
    parts.addAll(reasoningParts);
    parts.addAll(contentParts);
    parts.addAll(annotationParts);
    parts.addAll(otherParts);
    parts.addAll(callParts);
    return parts;
  }

  private void readMessage(Json.Obj message) {
    for (int i = 0; i < message.size(); i++) {
      Json value = message.value(i);
      String name = message.name(i);
      switch (name) {
        case "role" -> {}
        case "content" -> readContent(value);
        case "reasoning_details" ->
            readItems(name, value, reasoningParts, ChatAnswerReader::reasoningPart);
        case "reasoning", "reasoning_content" -> {} // handled after the loop
        case "annotations" -> readItems(name, value, annotationParts, ChatAnswerReader::citation);
        case "images" -> readItems(name, value, otherParts, ChatAnswerReader::image);
        case "tool_calls" -> readItems(name, value, callParts, this::call);
        case "refusal" -> {
          if (value instanceof Json.Str text) {
            addRefusal(text);
          }
        }
        default -> addUnknown(name, value, otherParts);
      }
    }
    addReasoning(message);
  }

  private void addRefusal(Json.Str text) {
    if (!text.isEmpty()) {
      otherParts.add(new Part.Refusal(text, null));
    }
  }

  /** Adds reasoning that is given as plain text, unless the details already contain it. */
  private void addReasoning(Json.Obj message) {
    for (Part part : reasoningParts) {
      if (part instanceof Part.Thinking thinking
          && thinking.kind() != Part.Thinking.Kind.ENCRYPTED
          && !thinking.text().isEmpty()) {
        return;
      }
    }
    for (String name : PLAIN_REASONING) {
      if (message.get(name) instanceof Json.Str text && !text.isEmpty()) {
        reasoningParts.add(0, new Part.Thinking(text, null, Json.Obj.EMPTY, null));
        return;
      }
    }
  }

  private interface ItemReader {
    /** Returns the part; null when the item does not have the expected form. */
    @Nullable Part of(Json.Obj item);
  }

  private static void readItems(String name, Json value, List<Part> into, ItemReader reader) {
    if (!(value instanceof Json.Arr list)) {
      addUnknown(name, value, into);
      return;
    }
    for (Json item : list) {
      Part part = item instanceof Json.Obj object ? reader.of(object) : null;
      into.add(part == null ? new Part.Unknown(name, item) : part);
    }
  }

  private static @Nullable Part reasoningPart(Json.Obj item) {
    ReasoningDetailItem detail = ReasoningDetailItem.of(item);
    return detail == null ? null : detail.part(item);
  }

  private static @Nullable Part citation(Json.Obj item) {
    return "url_citation".equals(item.text("type")) && item.object("url_citation") != null
        ? new Part.Citation(item, item)
        : null;
  }

  private static @Nullable Part image(Json.Obj item) {
    Json.Obj imageUrl = item.object("image_url");
    return imageUrl != null && imageUrl.get("url") instanceof Json.Str url
        ? new Part.Image(DataUrl.toInline(new Media.Url(url)), Json.Obj.EMPTY, item)
        : null;
  }

  private void readContent(Json value) {
    if (value instanceof Json.Str text && !text.isEmpty()) {
      contentParts.add(new Part.Text(text, Json.Obj.EMPTY, null));
    } else if (value instanceof Json.Arr list) {
      for (Json item : list) {
        boolean isText = item instanceof Json.Obj obj && obj.get("text") instanceof Json.Str;
        add(isText ? text((Json.Obj) item) : new Part.Unknown("content", item));
      }
    }
  }

  /** Adds a part; adjacent texts with equal extras are joined to one. */
  private void add(Part part) {
    if (part instanceof Part.Text next
        && !contentParts.isEmpty()
        && contentParts.getLast() instanceof Part.Text previous
        && previous.extras().equals(next.extras())) {
      String joined = previous.text().text() + next.text().text();
      contentParts.set(
          contentParts.size() - 1, new Part.Text(Json.of(joined), next.extras(), null));
    } else {
      contentParts.add(part);
    }
  }

  private static Part text(Json.Obj item) {
    Json.Str value = (Json.Str) Objects.requireNonNull(item.get("text"));
    return new Part.Text(value, item.without("type").without("text"), item);
  }

  private void addLogprobs(Json.Obj choice) {
    Json.Obj logprobs = choice.object("logprobs");
    Json.Arr content = logprobs == null ? null : logprobs.list("content");
    if (content != null && !content.isEmpty()) {
      annotationParts.add(new Part.Logprobs(content));
    }
  }

  private static void addUnknown(String name, Json value, List<Part> into) {
    boolean isEmpty =
        value instanceof Json.Null
            || value instanceof Json.Arr list && list.isEmpty()
            || value instanceof Json.Str text && text.isEmpty();
    if (!isEmpty) {
      into.add(new Part.Unknown(name, value));
    }
  }

  private @Nullable Part call(Json.Obj call) {
    Json.Obj function = call.object("function");
    if (function == null) {
      return null;
    }
    return new Part.ToolCall(
        Objects.requireNonNullElse(call.text("id"), ""),
        names.toOriginal(Objects.requireNonNullElse(function.text("name"), "")),
        orEmptyObject(arguments(function.get("arguments"))),
        call.without("id").without("type").without("function"),
        call);
  }

  /** Returns the arguments of a complete call: an empty object if the upstream sent none. */
  private static Json.Str orEmptyObject(Json.Str arguments) {
    return arguments.isEmpty() || arguments.text().isBlank() ? Json.of("{}") : arguments;
  }

  /** Returns the arguments as text; upstreams may send an object, or nothing. */
  static Json.Str arguments(@Nullable Json value) {
    return switch (value) {
      case null -> Json.of("");
      case Json.Str text -> text;
      case Json.Null jsonNull -> Json.of("");
      case Json other -> Json.of(new String(other.toBytes(), StandardCharsets.UTF_8));
    };
  }
}
