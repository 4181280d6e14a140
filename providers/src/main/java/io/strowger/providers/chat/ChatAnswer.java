package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a {@code chat.completion}. What the engine does not model is kept as unknown parts. */
final class ChatAnswer {
  private ChatAnswer() {}

  /** Null when the document is no completion. */
  static @Nullable Answer of(Json.Obj document) {
    Json.Arr choices = document.list("choices");
    if (choices == null || choices.isEmpty() || !(choices.get(0) instanceof Json.Obj choice)) {
      return null;
    }
    Json.Obj message = choice.object("message");
    if (message == null) {
      return null;
    }
    List<Part> parts = parts(message);
    boolean calls = parts.stream().anyMatch(part -> part instanceof Part.ToolCall);
    boolean refused = message.get("refusal") instanceof Json.Str refusal && !refusal.isEmpty();
    String word = choice.text("finish_reason");
    String told = choice.text("native_finish_reason");
    Json.Obj usage = document.object("usage");
    return new Answer(
        parts,
        StopWords.reason(word, calls, refused),
        told != null ? told : word,
        usage == null ? null : ChatUsage.of(usage),
        Dialect.CHAT,
        document);
  }

  private static List<Part> parts(Json.Obj message) {
    var parts = new ArrayList<Part>();
    for (int i = 0; i < message.size(); i++) {
      Json value = message.value(i);
      switch (message.name(i)) {
        case "role", "tool_calls" -> {} // calls come last, as in a request
        case "content" -> content(value, parts);
        default -> unknown(message.name(i), value, parts);
      }
    }
    Json.Arr calls = message.list("tool_calls");
    if (calls != null) {
      calls.forEach(call -> parts.add(call(call)));
    }
    return parts;
  }

  private static void content(Json value, List<Part> parts) {
    if (value instanceof Json.Str text && !text.isEmpty()) {
      parts.add(new Part.Text(text, Json.Obj.EMPTY, null));
    } else if (value instanceof Json.Arr list) {
      for (Json item : list) {
        boolean text = item instanceof Json.Obj obj && obj.get("text") instanceof Json.Str;
        parts.add(text ? text((Json.Obj) item) : new Part.Unknown("content", item));
      }
    }
  }

  private static Part text(Json.Obj item) {
    Json.Str said = (Json.Str) Objects.requireNonNull(item.get("text"));
    return new Part.Text(said, item.without("type").without("text"), item);
  }

  private static void unknown(String name, Json value, List<Part> parts) {
    boolean nothing =
        value instanceof Json.Null
            || value instanceof Json.Arr list && list.isEmpty()
            || value instanceof Json.Str text && text.isEmpty();
    if (!nothing) {
      parts.add(new Part.Unknown(name, value));
    }
  }

  private static Part call(Json item) {
    if (!(item instanceof Json.Obj call) || call.object("function") == null) {
      return new Part.Unknown("tool_calls", item);
    }
    Json.Obj function = Objects.requireNonNull(call.object("function"));
    Json.Obj extras = call.without("id").without("type").without("function");
    return new Part.ToolCall(
        Objects.requireNonNullElse(call.text("id"), ""),
        Objects.requireNonNullElse(function.text("name"), ""),
        arguments(function.get("arguments")),
        extras,
        call);
  }

  /** The dialect wants text; some upstreams send the object itself, or nothing for no arguments. */
  static Json.Str arguments(@Nullable Json value) {
    return switch (value) {
      case null -> Json.of("");
      case Json.Str text -> text;
      case Json.Null none -> Json.of("");
      case Json other -> Json.of(new String(other.toBytes(), StandardCharsets.UTF_8));
    };
  }
}
