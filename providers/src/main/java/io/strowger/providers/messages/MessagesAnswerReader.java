package io.strowger.providers.messages;

import io.strowger.providers.translate.Citations;
import io.strowger.providers.translate.StopReasons;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code message} with its blocks in order. Blocks without a part type of their own become
 * unknown parts.
 */
final class MessagesAnswerReader {
  private final AnswerMapping answerMapping;

  MessagesAnswerReader(AnswerMapping answerMapping) {
    this.answerMapping = answerMapping;
  }

  /** Returns the answer; null when the document is not a message. */
  @Nullable Answer of(Json.Obj document) {
    Json.Arr content = document.list("content");
    if (content == null) {
      return null;
    }
    var parts = new ArrayList<Part>();
    content.forEach(block -> add(block, parts));
    String explanation = explanation(document);
    if (answerMapping.translated() && !explanation.isEmpty()) {
      parts.add(new Part.Refusal(Json.of(explanation), null));
    }
    boolean hasCalls = parts.stream().anyMatch(part -> part instanceof Part.ToolCall);
    Json.Obj usage = document.object("usage");
    return new Answer(
        parts,
        stopReason(document, hasCalls),
        document.text("stop_reason"),
        usage == null ? null : MessagesUsageReader.of(usage),
        Dialect.MESSAGES,
        document);
  }

  /**
   * Returns why the answer ended. A refusal without details comes from a filter.
   *
   * @param source the object with the stop reason; null when there is none
   */
  static StopReason stopReason(Json.@Nullable Obj source, boolean hasCalls) {
    String word = source == null ? null : source.text("stop_reason");
    StopReason reason = StopReasons.MESSAGES.of(word, hasCalls, false);
    return reason == StopReason.REFUSAL && details(source) == null
        ? StopReason.CONTENT_FILTER
        : reason;
  }

  private static Json.@Nullable Obj details(Json.@Nullable Obj source) {
    return source == null ? null : source.object("stop_details");
  }

  /** Returns the upstream's explanation of a refusal; empty when it gave none. */
  static String explanation(Json.@Nullable Obj source) {
    Json.Obj details = details(source);
    String explanation = details == null ? null : details.text("explanation");
    return explanation == null ? "" : explanation.strip();
  }

  private void add(Json item, List<Part> parts) {
    if (!(item instanceof Json.Obj block)) {
      parts.add(new Part.Unknown("", item));
      return;
    }
    String type = Objects.requireNonNullElse(block.text("type"), "");
    switch (type) {
      case "text" -> addText(block, parts);
      case "tool_use" -> parts.add(call(block));
      case "thinking" -> parts.add(thinking(block));
      case "redacted_thinking" -> parts.add(redactedThinking(block));
      default -> parts.add(new Part.Unknown(type, block));
    }
  }

  private static Json.Str string(Json.Obj block, String name) {
    return block.get(name) instanceof Json.Str text ? text : Json.of("");
  }

  private static void addText(Json.Obj block, List<Part> parts) {
    Json.Str text = string(block, "text");
    if (!text.isEmpty()) {
      parts.add(new Part.Text(text, without(block, "type", "text", "citations"), block));
    }
    Json.Arr citations = block.list("citations");
    for (int i = 0; citations != null && i < citations.size(); i++) {
      Json.Obj body = Citations.ofPage(citations.get(i));
      if (body != null) {
        parts.add(new Part.Citation(body, citations.get(i)));
      }
    }
  }

  private Part call(Json.Obj block) {
    Json input = input(block);
    String name = Objects.requireNonNullElse(block.text("name"), "");
    if (answerMapping.isAnswerTool(name)) {
      return new Part.Text(new String(input.toBytes(), StandardCharsets.UTF_8));
    }
    String original = answerMapping.names().toOriginal(name);
    return new Part.ToolCall(
        Objects.requireNonNullElse(block.text("id"), ""),
        original,
        new Arguments.Value(input),
        without(block, "type", "id", "name", "input"),
        original.equals(name) ? block : null);
  }

  /** Returns the input of a call; an empty object when it is absent, null or blank. */
  private static Json input(Json.Obj block) {
    Json input = block.get("input");
    boolean isAbsent =
        input == null
            || input instanceof Json.Null
            || input instanceof Json.Str text && text.text().isBlank();
    return isAbsent ? Json.Obj.EMPTY : Objects.requireNonNull(input);
  }

  private static Part thinking(Json.Obj block) {
    Json.Str signature = string(block, "signature");
    return new Part.Thinking(
        Part.Thinking.Kind.TEXT,
        string(block, "thinking"),
        signature.isEmpty() ? null : signature,
        MessagesCodec.FORMAT,
        null,
        without(block, "type", "thinking", "signature"),
        block);
  }

  private static Part redactedThinking(Json.Obj block) {
    return new Part.Thinking(
        Part.Thinking.Kind.ENCRYPTED,
        string(block, "data"),
        null,
        MessagesCodec.FORMAT,
        null,
        without(block, "type", "data"),
        block);
  }

  private static Json.Obj without(Json.Obj block, String... names) {
    Json.Obj result = block;
    for (String name : names) {
      result = result.without(name);
    }
    return result;
  }
}
