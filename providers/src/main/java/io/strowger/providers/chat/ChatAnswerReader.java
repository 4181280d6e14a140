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
 * refusal and images, tool calls. Members that the engine does not model are kept as unknown parts.
 */
final class ChatAnswerReader {
  private static final List<String> PLAIN_REASONING = List.of("reasoning", "reasoning_content");

  private final SafeNames names;
  private final List<Part> thoughts = new ArrayList<>();
  private final List<Part> said = new ArrayList<>();
  private final List<Part> notes = new ArrayList<>();
  private final List<Part> besides = new ArrayList<>();
  private final List<Part> calls = new ArrayList<>();

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
    var read = new ChatAnswerReader(names);
    read.message(message);
    read.logprobs(choice);
    boolean called = read.calls.stream().anyMatch(part -> part instanceof Part.ToolCall);
    boolean refused = message.get("refusal") instanceof Json.Str refusal && !refusal.isEmpty();
    String word = choice.text("finish_reason");
    String told = choice.text("native_finish_reason");
    Json.Obj usage = document.object("usage");
    return new Answer(
        read.parts(),
        StopReasons.CHAT.of(word, called, refused),
        told != null ? told : word,
        usage == null ? null : ChatUsageReader.of(usage),
        Dialect.CHAT,
        document);
  }

  private List<Part> parts() {
    var parts = new ArrayList<Part>();
    parts.addAll(thoughts);
    parts.addAll(said);
    parts.addAll(notes);
    parts.addAll(besides);
    parts.addAll(calls);
    return parts;
  }

  private void message(Json.Obj message) {
    for (int i = 0; i < message.size(); i++) {
      Json value = message.value(i);
      String name = message.name(i);
      switch (name) {
        case "role" -> {}
        case "content" -> content(value);
        case "reasoning_details" -> items(name, value, thoughts, ChatAnswerReader::thought);
        case "reasoning", "reasoning_content" -> {} // handled after the loop
        case "annotations" -> items(name, value, notes, ChatAnswerReader::note);
        case "images" -> items(name, value, besides, ChatAnswerReader::image);
        case "tool_calls" -> items(name, value, calls, this::call);
        case "refusal" -> {
          if (value instanceof Json.Str text) {
            refusal(text);
          }
        }
        default -> unknown(name, value, besides);
      }
    }
    reasoning(message);
  }

  private void refusal(Json.Str text) {
    if (!text.isEmpty()) {
      besides.add(new Part.Refusal(text, null));
    }
  }

  /** Adds reasoning that is given as plain text, unless the details already contain it. */
  private void reasoning(Json.Obj message) {
    for (Part part : thoughts) {
      if (part instanceof Part.Thinking thought
          && thought.kind() != Part.Thinking.Kind.ENCRYPTED
          && !thought.text().isEmpty()) {
        return;
      }
    }
    for (String name : PLAIN_REASONING) {
      if (message.get(name) instanceof Json.Str text && !text.isEmpty()) {
        thoughts.add(0, new Part.Thinking(text, null, Json.Obj.EMPTY, null));
        return;
      }
    }
  }

  private interface Reading {
    /** Returns the part; null when the item does not have the expected form. */
    @Nullable Part of(Json.Obj item);
  }

  private static void items(String name, Json value, List<Part> into, Reading reading) {
    if (!(value instanceof Json.Arr list)) {
      unknown(name, value, into);
      return;
    }
    for (Json item : list) {
      Part part = item instanceof Json.Obj one ? reading.of(one) : null;
      into.add(part == null ? new Part.Unknown(name, item) : part);
    }
  }

  private static @Nullable Part thought(Json.Obj item) {
    ReasoningDetailItem read = ReasoningDetailItem.of(item);
    return read == null ? null : read.part(item);
  }

  private static @Nullable Part note(Json.Obj item) {
    return "url_citation".equals(item.text("type")) && item.object("url_citation") != null
        ? new Part.Citation(item, item)
        : null;
  }

  private static @Nullable Part image(Json.Obj item) {
    Json.Obj at = item.object("image_url");
    return at != null && at.get("url") instanceof Json.Str url
        ? new Part.Image(DataUrl.read(new Media.Url(url)), Json.Obj.EMPTY, item)
        : null;
  }

  private void content(Json value) {
    if (value instanceof Json.Str text && !text.isEmpty()) {
      said.add(new Part.Text(text, Json.Obj.EMPTY, null));
    } else if (value instanceof Json.Arr list) {
      for (Json item : list) {
        boolean text = item instanceof Json.Obj obj && obj.get("text") instanceof Json.Str;
        add(text ? text((Json.Obj) item) : new Part.Unknown("content", item));
      }
    }
  }

  /** Adds a part; adjacent texts with equal extras are joined to one. */
  private void add(Part part) {
    if (part instanceof Part.Text more
        && !said.isEmpty()
        && said.getLast() instanceof Part.Text before
        && before.extras().equals(more.extras())) {
      String all = before.text().text() + more.text().text();
      said.set(said.size() - 1, new Part.Text(Json.of(all), more.extras(), null));
    } else {
      said.add(part);
    }
  }

  private static Part text(Json.Obj item) {
    Json.Str said = (Json.Str) Objects.requireNonNull(item.get("text"));
    return new Part.Text(said, item.without("type").without("text"), item);
  }

  private void logprobs(Json.Obj choice) {
    Json.Obj logprobs = choice.object("logprobs");
    Json.Arr content = logprobs == null ? null : logprobs.list("content");
    if (content != null && !content.isEmpty()) {
      notes.add(new Part.Logprobs(content));
    }
  }

  private static void unknown(String name, Json value, List<Part> into) {
    boolean nothing =
        value instanceof Json.Null
            || value instanceof Json.Arr list && list.isEmpty()
            || value instanceof Json.Str text && text.isEmpty();
    if (!nothing) {
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
        names.original(Objects.requireNonNullElse(function.text("name"), "")),
        complete(arguments(function.get("arguments"))),
        call.without("id").without("type").without("function"),
        call);
  }

  /** Returns an empty object for missing arguments, since a complete answer has no further ones. */
  private static Json.Str complete(Json.Str arguments) {
    return arguments.isEmpty() || arguments.text().isBlank() ? Json.of("{}") : arguments;
  }

  /** Returns the arguments as text; some upstreams send an object, or nothing for no arguments. */
  static Json.Str arguments(@Nullable Json value) {
    return switch (value) {
      case null -> Json.of("");
      case Json.Str text -> text;
      case Json.Null none -> Json.of("");
      case Json other -> Json.of(new String(other.toBytes(), StandardCharsets.UTF_8));
    };
  }
}
