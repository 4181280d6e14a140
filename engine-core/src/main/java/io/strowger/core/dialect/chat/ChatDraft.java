package io.strowger.core.dialect.chat;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the members of one chat body are collected in. */
final class ChatDraft {
  private final Json.Obj body;
  private final InferenceRequest.Builder request;
  private @Nullable String model;
  private List<String> models = List.of();
  private int maxTokens;
  private int maxCompletionTokens;
  private long parameters;
  private @Nullable String effortShorthand;

  ChatDraft(Json.Obj body) {
    this.body = body;
    this.request = InferenceRequest.builder(Dialect.CHAT, body);
  }

  /** Sets nothing, but says that the request uses a parameter. A null does not use it. */
  static BiConsumer<ChatDraft, Object> uses(Parameter parameter) {
    long bit = parameter.bit();
    return (draft, value) -> draft.parameters |= bit;
  }

  /** Sets a value and says that the request uses a parameter. */
  static <T> BiConsumer<ChatDraft, T> uses(Parameter parameter, BiConsumer<ChatDraft, T> set) {
    long bit = parameter.bit();
    return (draft, value) -> {
      draft.parameters |= bit;
      set.accept(draft, value);
    };
  }

  /** The request uses the parameters of this mask. */
  void parameters(long mask) {
    parameters |= mask;
  }

  void model(String name) {
    model = name;
  }

  void models(List<String> names) {
    models = names;
  }

  void messages(List<Message> messages) {
    request.messages(messages);
  }

  /** An empty list asks nothing of an endpoint. */
  void tools(List<Tool> tools) {
    if (!tools.isEmpty()) {
      parameters |= Parameter.TOOLS.bit();
      request.tools(tools);
    }
  }

  void stream(Json.Bool asked) {
    request.streaming(asked.value());
  }

  void maxTokens(long most) {
    maxTokens = (int) most;
  }

  void maxCompletionTokens(long most) {
    maxCompletionTokens = (int) most;
  }

  void preferences(ProviderPreferences preferences) {
    request.preferences(preferences);
  }

  void plugins(List<PluginEntry> entries) {
    request.plugins(entries);
  }

  void sessionId(String id) {
    request.sessionId(id);
  }

  void user(String id) {
    request.user(id);
  }

  void effortShorthand(String effort) {
    effortShorthand = effort;
  }

  /** {@code reasoning_effort} where it is as it should be. */
  @Nullable String effortShorthand() {
    return effortShorthand;
  }

  Json.Obj body() {
    return body;
  }

  /** The deprecated limit only counts without the other. */
  InferenceRequest request() {
    return request
        .models(modelRefs())
        .maxOutputTokens(maxCompletionTokens > 0 ? maxCompletionTokens : maxTokens)
        .parameters(parameters)
        .build();
  }

  /** The model first, then those to fall back to, each once. */
  private List<ModelRef> modelRefs() {
    if (models.isEmpty()) {
      return model == null ? List.of() : List.of(ModelRef.parse(model));
    }
    var refs = new ArrayList<ModelRef>(models.size() + 1);
    if (model != null) {
      refs.add(ModelRef.parse(model));
    }
    models.stream()
        .distinct()
        .filter(name -> !name.equals(model))
        .map(ModelRef::parse)
        .forEach(refs::add);
    return refs;
  }
}
