package io.strowger.core.dialect.responses;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects a responses request while its body is read. For one thread. */
final class ResponsesDraft {
  private final Json.Obj body;
  private final InferenceRequest.Builder request;
  private @Nullable String model;
  private List<String> models = List.of();
  private long parameters;

  ResponsesDraft(Json.Obj body) {
    this.body = body;
    this.request = InferenceRequest.builder(Dialect.RESPONSES, body);
  }

  void input(List<Message> messages) {
    request.messages(messages);
  }

  void instructions(Json.Str said) {
    List<Part> text = List.of(new Part.Text(said, Json.Obj.EMPTY, null));
    request.instructions(
        new Message(Message.Role.SYSTEM, text, Message.Content.STRING, Json.Obj.EMPTY, said));
  }

  void model(String name) {
    model = name;
  }

  void models(List<String> names) {
    models = names;
  }

  void maxOutputTokens(long tokens) {
    uses(Parameter.MAX_COMPLETION_TOKENS);
    request.maxOutputTokens((int) tokens);
  }

  void tools(List<Tool> tools) {
    if (!tools.isEmpty()) {
      uses(Parameter.TOOLS);
    }
    request.tools(tools);
  }

  void text(Json.Obj options) {
    if (options.get("verbosity") instanceof Json.Str) {
      uses(Parameter.VERBOSITY);
    }
    Json.Obj format = options.object("format");
    String type = format == null ? null : format.text("type");
    if ("json_schema".equals(type)) {
      uses(Parameter.STRUCTURED_OUTPUTS);
    } else if ("json_object".equals(type)) {
      uses(Parameter.RESPONSE_FORMAT);
    }
  }

  void plugins(List<PluginEntry> entries) {
    request.plugins(entries);
  }

  void preferences(ProviderPreferences preferences) {
    request.preferences(preferences);
  }

  void sessionId(String id) {
    request.sessionId(id);
  }

  void user(String id) {
    request.user(id);
  }

  void stream(Json.Bool streaming) {
    request.streaming(streaming.value());
  }

  void uses(Parameter parameter) {
    parameters |= parameter.bit();
  }

  /** What crosses members. */
  void crossChecks(DecodingContext context) {
    ServerTools.searchesFreely(body, context);
  }

  InferenceRequest request() {
    return request.models(modelRefs()).parameters(parameters).build();
  }

  /** The model first, then those to fall back to, each once. */
  private List<ModelRef> modelRefs() {
    var named = new LinkedHashSet<String>();
    if (model != null) {
      named.add(model);
    }
    named.addAll(models);
    return named.stream().map(ModelRef::parse).toList();
  }
}
