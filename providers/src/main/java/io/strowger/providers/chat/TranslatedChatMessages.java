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
  private static final List<String> MARKS = List.of("cache_control", "prompt_cache_breakpoint");

  private final SafeNames names;
  private final Losses losses;
  private final List<Json> messages = new ArrayList<>();

  TranslatedChatMessages(SafeNames names, Losses losses) {
    this.names = names;
    this.losses = losses;
  }

  Json.Arr of(Conversation conversation) {
    if (!conversation.system().isEmpty()) {
      system(conversation.system());
    }
    for (ConversationTurn turn : conversation.turns()) {
      switch (turn.role()) {
        case SYSTEM, DEVELOPER -> system(turn.parts());
        case USER, TOOL -> user(turn.parts());
        case ASSISTANT -> assistant(turn.parts());
      }
    }
    return Json.array(messages);
  }

  private void system(List<? extends Part> parts) {
    var texts = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        texts.add(text(text));
      } else {
        losses.dropped("system", "only text is taken there");
      }
    }
    said("system", texts);
  }

  /** Writes a tool message for each result, then a message with the user's other parts. */
  private void user(List<Part> parts) {
    var said = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        result(result, said);
      }
    }
    for (Part part : parts) {
      if (!(part instanceof Part.ToolResult)) {
        add(content(part), said);
      }
    }
    said("user", said);
  }

  /**
   * @param moved receives the parts that are not text, since many upstreams accept only text as a
   *     tool's result
   */
  private void result(Part.ToolResult result, List<Json> moved) {
    var texts = new ArrayList<Json>();
    for (Part part : result.content()) {
      Json written = content(part);
      if (isText(written)) {
        texts.add(written);
      } else if (written != null) {
        losses.changed("an image of a tool's result", "is in the message of the user behind it");
        moved.add(written);
      }
    }
    if (result.error()) {
      losses.changed("is_error", "only the text says that the tool failed");
    }
    mark(result.extras());
    messages.add(
        Json.object()
            .put("role", "tool")
            .put("tool_call_id", result.callId())
            .put(CONTENT, texts.isEmpty() ? Json.of("") : plain(texts))
            .build());
  }

  private static boolean isText(@Nullable Json part) {
    return part instanceof Json.Obj one && TEXT.equals(one.text(TYPE));
  }

  private void assistant(List<Part> parts) {
    var said = new ArrayList<Json>();
    var calls = new ArrayList<Json>();
    var images = new ArrayList<Json>();
    for (Part part : parts) {
      if (part instanceof Part.ToolCall call) {
        calls.add(call(call));
      } else if (part instanceof Part.Image image) {
        add(image(image), images);
      } else if (part instanceof Part.Text text) {
        said.add(text(text));
      } else {
        losses.dropped("a file of the model", "has no form in this dialect");
      }
    }
    if (said.isEmpty() && calls.isEmpty() && images.isEmpty()) {
      return;
    }
    var message = Json.object().put("role", "assistant");
    message.put(CONTENT, said.isEmpty() ? Json.NULL : plain(said));
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls));
    }
    if (!images.isEmpty()) {
      message.put("images", Json.array(images));
    }
    messages.add(message.build());
  }

  private Json call(Part.ToolCall call) {
    mark(call.extras());
    return Json.object()
        .put("id", call.id())
        .put(TYPE, "function")
        .put(
            "function",
            Json.object()
                .put("name", names.safe(call.name()))
                .put("arguments", arguments(call.arguments()))
                .build())
        .build();
  }

  /** Returns the arguments as JSON text; {@code {}} for none, since upstreams parse them. */
  static Json.Str arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str written) when written.isEmpty() || written.text().isBlank() ->
          Json.of("{}");
      case Arguments.Text(Json.Str written) -> written;
      case Arguments.Value(Json.Null nothing) -> Json.of("{}");
      case Arguments.Value value -> value.asString();
    };
  }

  private void said(String role, List<Json> parts) {
    if (!parts.isEmpty()) {
      messages.add(Json.object().put("role", role).put(CONTENT, plain(parts)).build());
    }
  }

  /**
   * Returns a single text as a string, which every upstream accepts, and anything else as a list.
   */
  private static Json plain(List<Json> parts) {
    boolean bare =
        parts.size() == 1 && parts.get(0) instanceof Json.Obj one && isText(one) && one.size() == 2;
    Json text = bare ? ((Json.Obj) parts.get(0)).get(TEXT) : null;
    return text == null ? Json.array(parts) : text;
  }

  private static void add(@Nullable Json part, List<Json> to) {
    if (part != null) {
      to.add(part);
    }
  }

  /** Returns the part in this dialect; null when it cannot be expressed. */
  private @Nullable Json content(Part part) {
    return switch (part) {
      case Part.Text text -> text(text);
      case Part.Image image -> image(image);
      case Part.Audio audio -> {
        mark(audio.extras());
        Json.Obj sound =
            Json.object().put("data", audio.data()).put("format", audio.format()).build();
        yield typed("input_audio", sound);
      }
      case Part.Video video -> {
        mark(video.extras());
        yield typed("video_url", Json.object().put("url", video.url()).build());
      }
      case Part.File file -> file(file);
      case Part.ToolCall p -> lost();
      case Part.ToolResult p -> lost();
      case Part.Thinking p -> lost();
      case Part.Refusal p -> lost();
      case Part.Citation p -> lost();
      case Part.Logprobs p -> lost();
      case Part.ServerToolRun p -> lost();
      case Part.Unknown p -> lost();
    };
  }

  private @Nullable Json lost() {
    losses.dropped("a part", "has no form in this dialect");
    return null;
  }

  private static Json typed(String type, Json.Obj fields) {
    return Json.object().put(TYPE, type).put(type, fields).build();
  }

  /** Returns a text part with its cache marks; in this dialect only texts can have them. */
  private Json text(Part.Text text) {
    var part = Json.object().put(TYPE, TEXT).put(TEXT, text.text());
    for (String name : MARKS) {
      Json mark = text.extras().get(name);
      if (mark instanceof Json.Obj given) {
        part.put(name, name.equals("cache_control") ? withoutTime(given, losses) : given);
      }
    }
    if (text.extras().list("citations") instanceof Json.Arr some && !some.isEmpty()
        || text.extras().list("annotations") instanceof Json.Arr notes && !notes.isEmpty()) {
      losses.dropped("citations", "an upstream is not sent its own");
    }
    return part.build();
  }

  /** Returns a cache mark without its duration, which strict upstreams refuse. */
  static Json.Obj withoutTime(Json.Obj mark, Losses losses) {
    if (mark.has("ttl")) {
      losses.changed("cache_control.ttl", "the upstream keeps it as long as it does");
    }
    return mark.without("ttl");
  }

  private void mark(Json.Obj extras) {
    if (extras.object("cache_control") != null) {
      losses.dropped("cache_control", "only texts can be marked here");
    }
  }

  private @Nullable Json image(Part.Image image) {
    mark(image.extras());
    if (image.media() instanceof Media.FileId) {
      losses.dropped("an image", "is a file of another upstream");
      return null;
    }
    var fields = Json.object().put("url", image.media().asUrl());
    Json.Obj around = image.extras().object("image_url");
    Json detail = (around == null ? image.extras() : around).get("detail");
    if (detail instanceof Json.Str) {
      fields.put("detail", detail);
    }
    return typed("image_url", fields.build());
  }

  private @Nullable Json file(Part.File part) {
    mark(part.extras());
    DocumentInput file = Documents.of(part, losses);
    if (file == null) {
      return null;
    }
    if (file.text() != null) {
      losses.changed("a document", "of text is text here");
      return text(new Part.Text(headed(file, file.text())));
    }
    if (file.context() != null) {
      losses.dropped("a document's context", "has no form in this dialect");
    }
    var fields = Json.object();
    if (file.name() != null || file.media() instanceof Media.Inline) {
      fields.put("filename", file.nameOrMade());
    }
    Json.Str url = file.asUrl();
    if (url != null) {
      fields.put("file_data", url);
    } else if (file.media() instanceof Media.FileId(String id)) {
      fields.put("file_id", id);
    }
    return typed("file", fields.build());
  }

  private static String headed(DocumentInput file, String text) {
    var lines = new StringBuilder();
    for (String line : new String[] {file.name(), file.context()}) {
      if (line != null && !line.isBlank()) {
        lines.append(line).append("\n\n");
      }
    }
    return lines.append(text).toString();
  }
}
