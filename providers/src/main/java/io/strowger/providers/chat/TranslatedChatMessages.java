package io.strowger.providers.chat;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.DocumentInput;
import io.strowger.providers.translate.Documents;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a conversation in another dialect. Translation fact sheet, section 1,
 * column "chat".
 */
final class TranslatedChatMessages {
  private static final String TYPE = "type";
  private static final String TEXT = "text";
  private static final String CONTENT = "content";
  private static final List<String> CACHE_MARKS =
      List.of("cache_control", "prompt_cache_breakpoint");

  private final SafeNames names;
  private final Losses losses;
  private final List<Json> messages = new ArrayList<>();

  TranslatedChatMessages(SafeNames names, Losses losses) {
    this.names = names;
    this.losses = losses;
  }

  Json.Arr of(Conversation conversation) {
    if (!conversation.system().isEmpty()) {
      addSystem(conversation.system());
    }
    for (ConversationTurn turn : conversation.turns()) {
      switch (turn.role()) {
        case SYSTEM, DEVELOPER -> addSystem(turn.parts());
        case USER, TOOL -> addUser(turn.parts());
        case ASSISTANT -> addAssistant(turn.parts());
      }
    }
    return Json.array(messages);
  }

  private void addSystem(List<? extends Part> parts) {
    var texts = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        texts.add(text(text));
      } else {
        losses.dropped("system", "a system message can contain only text");
      }
    }
    addMessage("system", texts);
  }

  /** Writes a tool message for each result, then a message with the user's other parts. */
  private void addUser(List<Part> parts) {
    var content = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        addResult(result, content);
      }
    }
    for (Part part : parts) {
      if (!(part instanceof Part.ToolResult)) {
        addIfPresent(content(part), content);
      }
    }
    addMessage("user", content);
  }

  /**
   * Adds the message for a tool's result.
   *
   * @param movedParts receives the parts that are not text, since many upstreams accept only text
   *     as a tool's result
   */
  private void addResult(Part.ToolResult result, List<Json> movedParts) {
    var texts = new ArrayList<Json>();
    for (Part part : result.content()) {
      Json converted = content(part);
      if (isText(converted)) {
        texts.add(converted);
      } else if (converted != null) {
        losses.changed("a part of a tool's result", "was moved to the user's message after it");
        movedParts.add(converted);
      }
    }
    if (result.isError()) {
      losses.changed("is_error", "only the text says that the tool failed");
    }
    reportCacheMark(result.extras());
    messages.add(
        Json.object()
            .put("role", "tool")
            .put("tool_call_id", result.callId())
            .put(CONTENT, texts.isEmpty() ? Json.of("") : stringOrList(texts))
            .build());
  }

  private static boolean isText(@Nullable Json part) {
    return part instanceof Json.Obj object && TEXT.equals(object.text(TYPE));
  }

  private void addAssistant(List<Part> parts) {
    var texts = new ArrayList<Json>();
    var calls = new ArrayList<Json>();
    var images = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolCall call) {
        calls.add(call(call));
      } else if (part instanceof Part.Image image) {
        addIfPresent(image(image), images);
      } else if (part instanceof Part.Text text) {
        texts.add(text(text));
      } else {
        losses.dropped("a file of the model", "has no form in this dialect");
      }
    }
    if (texts.isEmpty() && calls.isEmpty() && images.isEmpty()) {
      return;
    }
    var message = Json.object().put("role", "assistant");
    message.put(CONTENT, texts.isEmpty() ? Json.NULL : stringOrList(texts));
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls));
    }
    if (!images.isEmpty()) {
      message.put("images", Json.array(images));
    }
    messages.add(message.build());
  }

  private Json call(Part.ToolCall call) {
    reportCacheMark(call.extras());
    return Json.object()
        .put("id", call.id())
        .put(TYPE, "function")
        .put(
            "function",
            Json.object()
                .put("name", names.toSafe(call.name()))
                .put("arguments", arguments(call.arguments()))
                .build())
        .build();
  }

  /** Returns the arguments as JSON text; {@code {}} for none, since upstreams parse them. */
  static Json.Str arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str text) when text.isEmpty() || text.text().isBlank() ->
          Json.of("{}");
      case Arguments.Text(Json.Str text) -> text;
      case Arguments.Value(Json.Null jsonNull) -> Json.of("{}");
      case Arguments.Value value -> value.asString();
    };
  }

  private void addMessage(String role, List<Json> parts) {
    if (!parts.isEmpty()) {
      messages.add(Json.object().put("role", role).put(CONTENT, stringOrList(parts)).build());
    }
  }

  /**
   * Returns a single text as a string, which every upstream accepts, and anything else as a list.
   */
  private static Json stringOrList(List<Json> parts) {
    boolean isSingleText =
        parts.size() == 1
            && parts.get(0) instanceof Json.Obj object
            && isText(object)
            && object.size() == 2;
    Json text = isSingleText ? ((Json.Obj) parts.get(0)).get(TEXT) : null;
    return text == null ? Json.array(parts) : text;
  }

  private static void addIfPresent(@Nullable Json part, List<Json> out) {
    if (part != null) {
      out.add(part);
    }
  }

  /** Returns the part in this dialect; null when it cannot be expressed. */
  private @Nullable Json content(Part part) {
    return switch (part) {
      case Part.Text text -> text(text);
      case Part.Image image -> image(image);
      case Part.Audio audio -> {
        reportCacheMark(audio.extras());
        Json.Obj fields =
            Json.object().put("data", audio.data()).put("format", audio.format()).build();
        yield typed("input_audio", fields);
      }
      case Part.Video video -> {
        reportCacheMark(video.extras());
        yield typed("video_url", Json.object().put("url", video.url()).build());
      }
      case Part.File file -> file(file);
      case Part.ToolCall p -> unsupported();
      case Part.ToolResult p -> unsupported();
      case Part.Thinking p -> unsupported();
      case Part.Refusal p -> unsupported();
      case Part.Citation p -> unsupported();
      case Part.Logprobs p -> unsupported();
      case Part.ServerToolRun p -> unsupported();
      case Part.Unknown p -> unsupported();
    };
  }

  private @Nullable Json unsupported() {
    losses.dropped("a part", "has no form in this dialect");
    return null;
  }

  private static Json typed(String type, Json.Obj fields) {
    return Json.object().put(TYPE, type).put(type, fields).build();
  }

  /** Returns a text part with its cache marks; in this dialect only texts can have them. */
  private Json text(Part.Text text) {
    var part = Json.object().put(TYPE, TEXT).put(TEXT, text.text());
    for (String name : CACHE_MARKS) {
      Json mark = text.extras().get(name);
      if (mark instanceof Json.Obj object) {
        part.put(name, name.equals("cache_control") ? withoutTime(object, losses) : object);
      }
    }
    if (text.extras().list("citations") instanceof Json.Arr citations && !citations.isEmpty()
        || text.extras().list("annotations") instanceof Json.Arr annotations
            && !annotations.isEmpty()) {
      losses.dropped("citations", "are not sent back to an upstream");
    }
    return part.build();
  }

  /** Returns a cache mark without its duration, which strict upstreams refuse. */
  static Json.Obj withoutTime(Json.Obj mark, Losses losses) {
    if (mark.has("ttl")) {
      losses.changed("cache_control.ttl", "the upstream decides how long it caches");
    }
    return mark.without("ttl");
  }

  private void reportCacheMark(Json.Obj extras) {
    if (extras.object("cache_control") != null) {
      losses.dropped("cache_control", "only texts can have a cache mark in this dialect");
    }
  }

  private @Nullable Json image(Part.Image image) {
    reportCacheMark(image.extras());
    if (image.media() instanceof Media.FileId) {
      losses.dropped("an image", "is a file of another upstream");
      return null;
    }
    var fields = Json.object().put("url", image.media().asUrl());
    Json.Obj imageUrl = image.extras().object("image_url");
    Json detail = (imageUrl == null ? image.extras() : imageUrl).get("detail");
    if (detail instanceof Json.Str) {
      fields.put("detail", detail);
    }
    return typed("image_url", fields.build());
  }

  private @Nullable Json file(Part.File part) {
    reportCacheMark(part.extras());
    DocumentInput file = Documents.of(part, losses);
    if (file == null) {
      return null;
    }
    if (file.text() != null) {
      losses.changed("a document", "consists of text: it was sent as a text part");
      return text(new Part.Text(withHeading(file, file.text())));
    }
    if (file.context() != null) {
      losses.dropped("a document's context", "has no form in this dialect");
    }
    var fields = Json.object();
    if (file.name() != null || file.media() instanceof Media.Inline) {
      fields.put("filename", file.nameOrDefault());
    }
    Json.Str url = file.asUrl();
    if (url != null) {
      fields.put("file_data", url);
    } else if (file.media() instanceof Media.FileId(String id)) {
      fields.put("file_id", id);
    }
    return typed("file", fields.build());
  }

  private static String withHeading(DocumentInput file, String text) {
    var lines = new StringBuilder();
    for (String line : new String[] {file.name(), file.context()}) {
      if (line != null && !line.isBlank()) {
        lines.append(line).append("\n\n");
      }
    }
    return lines.append(text).toString();
  }
}
