package io.strowger.providers.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request of the messages dialect as a messages document: the caller's members in the caller's
 * order. Members with a typed form are written from that form, so a changed message replaces the
 * original everywhere. Unchanged values keep their bytes. Every other member stays as it came, also
 * {@code provider}, which only the gateway reads. Immutable, safe on any thread.
 *
 * <p>Messages fact sheet, sections 1 and 2. Test: {@code MessagesRequestWriterTest}, {@code
 * MessagesRoundTripProperties}.
 */
public final class MessagesRequestWriter {
  /** What has a typed form, in the order it is written in when the caller did not have it. */
  private static final List<String> TYPED =
      List.of(
          "model",
          "system",
          "messages",
          "tools",
          "max_tokens",
          "stream",
          "plugins",
          "session_id",
          "user");

  private final ContentBlockWriter blocks;

  /**
   * @param codec reads the arguments of calls that are text, since this dialect has them as JSON
   */
  public MessagesRequestWriter(JsonCodec codec) {
    this.blocks = new ContentBlockWriter(Objects.requireNonNull(codec, "codec"));
  }

  /**
   * The document. Values that were not changed are those the request was read from, so writing it
   * copies their bytes.
   *
   * @param request of the messages dialect
   * @throws IllegalArgumentException when it is of another one, or holds a part there is no block
   *     for: sound or film
   */
  public Json.Obj document(InferenceRequest request) {
    if (request.dialect() != Dialect.MESSAGES) {
      throw new IllegalArgumentException(
          "must be of the messages dialect, was " + request.dialect());
    }
    Json.Obj members = request.members();
    boolean sameModels = Models.same(request);
    Json.Obj.Builder document = Json.object();
    for (int i = 0; i < members.size(); i++) {
      String name = members.name(i);
      put(document, name, member(request, name, members.value(i), sameModels));
    }
    for (String name : TYPED) {
      if (!members.has(name)) {
        put(document, name, member(request, name, null, sameModels));
      }
    }
    if (!sameModels && !members.has("models")) {
      put(document, "models", Models.rest(request));
    }
    return document.build();
  }

  private static void put(Json.Obj.Builder document, String name, @Nullable Json value) {
    if (value != null) {
      document.put(name, value);
    }
  }

  /**
   * @param given what the caller said; null when the member was not there
   */
  private @Nullable Json member(
      InferenceRequest request, String name, @Nullable Json given, boolean sameModels) {
    return switch (name) {
      case "model" -> sameModels ? given : Models.first(request);
      case "models" -> sameModels ? given : Models.rest(request);
      case "fallbacks" -> sameModels ? given : null;
      case "system" -> system(request.instructions());
      case "messages" -> messages(request, given);
      case "tools" -> tools(request, given);
      case "max_tokens" -> limit(request, given);
      case "stream" -> stream(request, given);
      case "plugins" -> plugins(request, given);
      case "session_id" -> text(request.sessionId(), given);
      case "user" -> text(request.user(), given);
      default -> given;
    };
  }

  private @Nullable Json system(@Nullable Message instructions) {
    if (instructions == null) {
      return null;
    }
    Json source = instructions.source();
    return source == null ? blocks.content(instructions.parts(), instructions.content()) : source;
  }

  private Json messages(InferenceRequest request, @Nullable Json given) {
    List<Json> written = new ArrayList<>(request.messages().size());
    request.messages().forEach(message -> written.add(blocks.message(message)));
    return listed(written, given);
  }

  private static @Nullable Json tools(InferenceRequest request, @Nullable Json given) {
    List<Json> written = request.tools().stream().map(MessagesToolWriter::json).toList();
    return given == null && written.isEmpty() ? null : listed(written, given);
  }

  private static @Nullable Json plugins(InferenceRequest request, @Nullable Json given) {
    List<Json.Obj> written = request.plugins().stream().map(PluginEntry::config).toList();
    return given == null && written.isEmpty() ? null : listed(written, given);
  }

  /** When these very values are what the caller listed, that list keeps its bytes as well. */
  private static Json listed(List<? extends Json> items, @Nullable Json given) {
    if (!(given instanceof Json.Arr before) || before.size() != items.size()) {
      return Json.array(items);
    }
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i) != items.get(i)) {
        return Json.array(items);
      }
    }
    return before;
  }

  private static @Nullable Json limit(InferenceRequest request, @Nullable Json given) {
    int limit = request.maxOutputTokens();
    if (given instanceof Json.Num num && num.asLong().orElse(0) == limit) {
      return given;
    }
    return limit > 0 ? Json.of(limit) : null;
  }

  private static @Nullable Json stream(InferenceRequest request, @Nullable Json given) {
    Json.Bool wanted = Json.of(request.streaming());
    return given == null && !request.streaming() || wanted.equals(given) ? given : wanted;
  }

  private static @Nullable Json text(@Nullable String text, @Nullable Json given) {
    if (text == null) {
      return null;
    }
    return given instanceof Json.Str str && str.text().equals(text) ? given : Json.of(text);
  }

  /** The members that name models: as they came, unless the models are others now. */
  private static final class Models {
    private Models() {}

    static boolean same(InferenceRequest request) {
      return names(request).equals(given(request.members()));
    }

    static @Nullable Json first(InferenceRequest request) {
      List<String> names = names(request);
      return names.isEmpty() ? null : Json.of(names.getFirst());
    }

    static @Nullable Json rest(InferenceRequest request) {
      List<String> names = names(request);
      return names.size() < 2 ? null : Json.array(names.stream().skip(1).map(Json::of).toList());
    }

    private static List<String> names(InferenceRequest request) {
      return request.models().stream().map(ModelRef::toString).toList();
    }

    /** Those the caller named, each once. */
    private static List<String> given(Json.Obj members) {
      var names = new ArrayList<@Nullable String>();
      names.add(members.text("model"));
      Json.Arr models = members.list("models");
      for (int i = 0; models != null && i < models.size(); i++) {
        names.add(models.get(i) instanceof Json.Str name ? name.text() : null);
      }
      Json.Arr fallbacks = members.list("fallbacks");
      for (int i = 0; fallbacks != null && i < fallbacks.size(); i++) {
        names.add(fallbacks.get(i) instanceof Json.Obj fallback ? fallback.text("model") : null);
      }
      return names.stream()
          .filter(Objects::nonNull)
          .map(Objects::requireNonNull)
          .distinct()
          .toList();
    }
  }
}
