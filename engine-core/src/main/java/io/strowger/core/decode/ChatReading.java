package io.strowger.core.decode;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reading of one chat body: a single pass over its members, then what crosses them. */
final class ChatReading {
  static final int SESSION_CHARS = 256;
  private static final JsonPointer ROOT = JsonPointer.ROOT;

  private final Json.Obj body;
  private final Checks checks;
  private final PluginChecks pluginChecks;
  private final OptionsDecoder options;
  private final InferenceRequest.Builder request;

  private @Nullable String model;
  private List<String> models = List.of();
  private boolean hasMessages;
  private int maxTokens;
  private int maxCompletionTokens;
  private long parameters;

  ChatReading(Json.Obj body, Checks checks, PluginChecks pluginChecks) {
    this.body = body;
    this.checks = checks;
    this.pluginChecks = pluginChecks;
    this.options = new OptionsDecoder(checks);
    this.request = InferenceRequest.builder(Dialect.CHAT, body);
  }

  InferenceRequest read() {
    for (int i = 0; i < body.size(); i++) {
      member(body.name(i), body.value(i));
    }
    if (!hasMessages) {
      checks.missing(ROOT, "messages");
    }
    options.crossChecks();
    return request
        .models(modelRefs())
        .maxOutputTokens(maxCompletionTokens > 0 ? maxCompletionTokens : maxTokens)
        .parameters(parameters | options.parameters())
        .build();
  }

  /** The members with a typed form of their own; the others are {@link OptionsDecoder}'s. */
  private void member(String name, Json value) {
    switch (name) {
      case "model" -> model = checks.text(ROOT, name, value, 1, Integer.MAX_VALUE);
      case "models" -> models = checks.names(ROOT, name, value);
      case "messages" -> messages(value);
      case "tools" -> tools(value);
      case "stream" -> request.streaming(checks.isTrue(ROOT, name, value));
      case "provider" -> {
        if (!(value instanceof Json.Null)) {
          request.preferences(new PreferencesDecoder(checks).decode(ROOT, name, value));
        }
      }
      case "plugins" -> plugins(value);
      case "max_tokens" -> maxTokens = tokens(name, value, Parameter.MAX_TOKENS);
      case "max_completion_tokens" ->
          maxCompletionTokens = tokens(name, value, Parameter.MAX_COMPLETION_TOKENS);
      case "session_id" -> request.sessionId(checks.text(ROOT, name, value, 0, SESSION_CHARS));
      case "user" -> request.user(checks.text(ROOT, name, value, 0, Integer.MAX_VALUE));
      default -> options.member(name, value);
    }
  }

  private int tokens(String name, Json value, Parameter parameter) {
    if (value instanceof Json.Null) {
      return 0;
    }
    parameters |= parameter.bit();
    return (int) checks.whole(ROOT, name, value, 1, Integer.MAX_VALUE, 0);
  }

  /** The model first, then those to fall back to, each once. */
  private List<ModelRef> modelRefs() {
    if (models.isEmpty()) {
      return model == null ? List.of() : List.of(ModelRef.parse(model));
    }
    var named = new LinkedHashSet<String>();
    if (model != null) {
      named.add(model);
    }
    named.addAll(models);
    return named.stream().map(ModelRef::parse).toList();
  }

  private void messages(Json value) {
    hasMessages = true;
    Json.Arr items = checks.array(ROOT, "messages", value);
    if (items == null) {
      return;
    }
    if (items.isEmpty()) {
      checks.wrong(ROOT, "messages", "must have at least 1 item", items);
      return;
    }
    JsonPointer at = ROOT.child("messages");
    var decoder = new MessageDecoder(checks);
    var read = new ArrayList<Message>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Message message = decoder.decode(at.child(i), items.get(i));
      if (message != null) {
        read.add(message);
      }
    }
    request.messages(read);
  }

  private void tools(Json value) {
    Json.Arr items = checks.array(ROOT, "tools", value);
    if (items == null || items.isEmpty()) {
      return;
    }
    parameters |= Parameter.TOOLS.bit();
    JsonPointer at = ROOT.child("tools");
    var decoder = new ToolDecoder(checks);
    var read = new ArrayList<Tool>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Tool tool = decoder.decode(at.child(i), items.get(i));
      if (tool != null) {
        read.add(tool);
      }
    }
    request.tools(read);
  }

  private void plugins(Json value) {
    var reading = new Reading(checks.problems(), pluginChecks);
    reading.enter("plugins");
    List<PluginEntry> entries = PluginEntries.RULE.read(value, reading);
    if (entries != null) {
      request.plugins(entries);
    }
  }
}
