package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request in the responses dialect as a document: the caller's members in the caller's
 * order. Members with a typed form are written from that form, so a changed item replaces the
 * original everywhere. Unchanged values keep their bytes. Every other member stays as it came, even
 * {@code provider}, which only the gateway reads. One instance per request.
 *
 * <p>Responses fact sheet, "Request". Test: {@code ResponsesRequestWriterTest}, {@code
 * ResponsesRoundTripProperties}.
 */
public final class ResponsesRequestWriter {
  /**
   * The members with a typed form, in the order in which they are added when the caller did not
   * send them.
   */
  private static final List<String> TYPED =
      List.of(
          "model",
          "instructions",
          "input",
          "tools",
          "max_output_tokens",
          "stream",
          "plugins",
          "session_id",
          "user");

  private final InferenceRequest request;
  private final Json.Obj members;
  private final List<String> names;
  private final Json.Obj.Builder document = Json.object();
  private boolean modelsDone;

  private ResponsesRequestWriter(InferenceRequest request) {
    this.request = request;
    this.members = request.members();
    this.names = request.models().stream().map(ModelRef::toString).toList();
  }

  /**
   * Returns the document. Unchanged values are the objects the request was read from, so writing it
   * copies their bytes.
   *
   * @param request a request in the responses dialect
   * @throws IllegalArgumentException when the request is in another dialect
   */
  public static Json.Obj document(InferenceRequest request) {
    if (request.dialect() != Dialect.RESPONSES) {
      throw new IllegalArgumentException(
          "must be of the responses dialect, was " + request.dialect());
    }
    return new ResponsesRequestWriter(request).write();
  }

  private Json.Obj write() {
    for (int i = 0; i < members.size(); i++) {
      member(members.name(i), members.value(i));
    }
    for (String name : TYPED) {
      if (!members.has(name)) {
        member(name, null);
      }
    }
    return document.build();
  }

  /**
   * @param given the caller's value; null when the member is absent
   */
  private void member(String name, @Nullable Json given) {
    switch (name) {
      case "model", "models" -> models(name, given);
      case "instructions" -> put(name, instructions(given));
      case "input" -> put(name, input(given));
      case "tools" ->
          put(name, list(request.tools().stream().map(ResponsesToolWriter::json), given));
      case "max_output_tokens" -> put(name, limit(given));
      case "stream" -> put(name, stream(given));
      case "plugins" -> put(name, list(request.plugins().stream().map(PluginEntry::config), given));
      case "session_id" -> put(name, text(request.sessionId(), given));
      case "user" -> put(name, text(request.user(), given));
      default -> put(name, given);
    }
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      document.put(name, value);
    }
  }

  /**
   * Writes {@code model} and {@code models} as they came; changed models are written in the place
   * of the first of them.
   */
  private void models(String name, @Nullable Json given) {
    if (names.equals(given())) {
      put(name, given);
    } else if (!modelsDone && !names.isEmpty()) {
      document.put("model", names.get(0));
      if (names.size() > 1) {
        document.put("models", Json.array(names.stream().map(Json::of).skip(1).toList()));
      }
    }
    modelsDone = true;
  }

  /** Returns the models the caller named, without duplicates. */
  private List<String> given() {
    Stream<Json> first = Stream.ofNullable(members.get("model"));
    Json.Arr more = members.list("models");
    return Stream.concat(first, more == null ? Stream.of() : more.stream())
        .map(name -> name instanceof Json.Str str ? str.text() : "")
        .distinct()
        .toList();
  }

  /** Returns the instructions as one string; several texts are joined by an empty line. */
  private @Nullable Json instructions(@Nullable Json given) {
    Message instructions = request.instructions();
    if (instructions == null) {
      return given instanceof Json.Null ? given : null;
    }
    if (instructions.source() instanceof Json.Str said) {
      return said;
    }
    List<Json.Str> texts =
        instructions.parts().stream()
            .filter(part -> part instanceof Part.Text)
            .map(part -> ((Part.Text) part).text())
            .toList();
    return texts.size() == 1
        ? texts.get(0)
        : Json.of(texts.stream().map(Json.Str::text).collect(Collectors.joining("\n\n")));
  }

  /** Returns the input: a string stays a string while it is a single text of the user. */
  private Json input(@Nullable Json given) {
    List<Message> messages = request.messages();
    boolean string = given == null || given instanceof Json.Str;
    if (string && messages.size() == 1) {
      Json.Str prompt = ItemWriter.prompt(messages.get(0));
      if (prompt != null) {
        return prompt;
      }
    }
    List<Json> items = new ArrayList<>(messages.size());
    for (Message message : messages) {
      ItemWriter.write(message, items::add);
    }
    return given != null && same(items, given) ? given : Json.array(items);
  }

  private static @Nullable Json list(Stream<? extends Json> written, @Nullable Json given) {
    List<? extends Json> items = written.toList();
    if (given != null && same(items, given)) {
      return given;
    }
    return items.isEmpty() ? null : Json.array(items);
  }

  /** Returns whether the items are the objects of the caller's list, which then keeps its bytes. */
  private static boolean same(List<? extends Json> items, Json given) {
    if (!(given instanceof Json.Arr before) || before.size() != items.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i) != items.get(i)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Json limit(@Nullable Json given) {
    int limit = request.maxOutputTokens();
    long before = given instanceof Json.Num num ? num.asLong().orElse(-1) : 0;
    if (limit == before) {
      return given;
    }
    return limit == 0 ? null : Json.of(limit);
  }

  private @Nullable Json stream(@Nullable Json given) {
    Json streaming = Json.of(request.streaming());
    return given == null && !request.streaming() ? null : streaming;
  }

  private static @Nullable Json text(@Nullable String now, @Nullable Json given) {
    if (now == null) {
      return null;
    }
    return given instanceof Json.Str before && before.text().equals(now) ? given : Json.of(now);
  }
}
