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
  private static final List<String> TYPED_MEMBERS =
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
  private final List<String> modelNames;
  private final Json.Obj.Builder document = Json.object();
  private boolean modelsWritten;

  private ResponsesRequestWriter(InferenceRequest request) {
    this.request = request;
    this.members = request.members();
    this.modelNames = request.models().stream().map(ModelRef::toString).toList();
  }

  /**
   * Returns the document. Unchanged values are the objects the request was read from, so writing
   * the document copies their bytes.
   *
   * @param request a request in the responses dialect
   * @throws IllegalArgumentException when the request is in another dialect
   */
  public static Json.Obj document(InferenceRequest request) {
    if (request.dialect() != Dialect.RESPONSES) {
      throw new IllegalArgumentException(
          "the request must be in the responses dialect, was in " + request.dialect());
    }
    return new ResponsesRequestWriter(request).write();
  }

  private Json.Obj write() {
    for (int i = 0; i < members.size(); i++) {
      putMember(members.name(i), members.value(i));
    }
    for (String name : TYPED_MEMBERS) {
      if (!members.has(name)) {
        putMember(name, null);
      }
    }
    return document.build();
  }

  /**
   * Writes a member: from the typed request if that has it, else the caller's value.
   *
   * @param original the caller's value; null when the member is absent
   */
  private void putMember(String name, @Nullable Json original) {
    switch (name) {
      case "model", "models" -> putModels(name, original);
      case "instructions" -> put(name, instructions(original));
      case "input" -> put(name, input(original));
      case "tools" ->
          put(name, list(request.tools().stream().map(ResponsesToolWriter::json), original));
      case "max_output_tokens" -> put(name, limit(original));
      case "stream" -> put(name, stream(original));
      case "plugins" ->
          put(name, list(request.plugins().stream().map(PluginEntry::config), original));
      case "session_id" -> put(name, text(request.sessionId(), original));
      case "user" -> put(name, text(request.user(), original));
      default -> put(name, original);
    }
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      document.put(name, value);
    }
  }

  /**
   * Writes {@code model} and {@code models} as they came; changed models are written in the place
   * of the first of these two members.
   */
  private void putModels(String name, @Nullable Json original) {
    if (modelNames.equals(requestedModels())) {
      put(name, original);
    } else if (!modelsWritten && !modelNames.isEmpty()) {
      document.put("model", modelNames.get(0));
      if (modelNames.size() > 1) {
        document.put("models", Json.array(modelNames.stream().map(Json::of).skip(1).toList()));
      }
    }
    modelsWritten = true;
  }

  /** Returns the models the caller named, without duplicates. */
  private List<String> requestedModels() {
    Stream<Json> first = Stream.ofNullable(members.get("model"));
    Json.Arr fallbacks = members.list("models");
    return Stream.concat(first, fallbacks == null ? Stream.of() : fallbacks.stream())
        .map(name -> name instanceof Json.Str str ? str.text() : "")
        .distinct()
        .toList();
  }

  /** Returns the instructions as one string; several texts are joined by an empty line. */
  private @Nullable Json instructions(@Nullable Json original) {
    Message instructions = request.instructions();
    if (instructions == null) {
      return original instanceof Json.Null ? original : null;
    }
    if (instructions.source() instanceof Json.Str text) {
      return text;
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

  /** Returns the input: a string stays a string if the input is still one text of the user. */
  private Json input(@Nullable Json original) {
    List<Message> messages = request.messages();
    boolean isString = original == null || original instanceof Json.Str;
    if (isString && messages.size() == 1) {
      Json.Str prompt = ItemWriter.prompt(messages.get(0));
      if (prompt != null) {
        return prompt;
      }
    }
    List<Json> items = new ArrayList<>(messages.size());
    for (Message message : messages) {
      ItemWriter.write(message, items::add);
    }
    return original != null && isSameList(items, original) ? original : Json.array(items);
  }

  private static @Nullable Json list(Stream<? extends Json> values, @Nullable Json original) {
    List<? extends Json> items = values.toList();
    if (original != null && isSameList(items, original)) {
      return original;
    }
    return items.isEmpty() ? null : Json.array(items);
  }

  /** Returns whether the items are the objects of the caller's list, which then keeps its bytes. */
  private static boolean isSameList(List<? extends Json> items, Json original) {
    if (!(original instanceof Json.Arr originals) || originals.size() != items.size()) {
      return false;
    }
    for (int i = 0; i < originals.size(); i++) {
      if (originals.get(i) != items.get(i)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Json limit(@Nullable Json original) {
    int limit = request.maxOutputTokens();
    long originalLimit = original instanceof Json.Num num ? num.asLong().orElse(-1) : 0;
    if (limit == originalLimit) {
      return original;
    }
    return limit == 0 ? null : Json.of(limit);
  }

  private @Nullable Json stream(@Nullable Json original) {
    Json streaming = Json.of(request.streaming());
    return original == null && !request.streaming() ? null : streaming;
  }

  private static @Nullable Json text(@Nullable String value, @Nullable Json original) {
    if (value == null) {
      return null;
    }
    return original instanceof Json.Str originalText && originalText.text().equals(value)
        ? original
        : Json.of(value);
  }
}
