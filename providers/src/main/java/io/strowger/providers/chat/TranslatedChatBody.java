package io.strowger.providers.chat;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationRules;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.Metadata;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.ToolMembers;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.ToolChoice;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Writes the chat body for a request in another dialect: conversation, parameters and tools. What
 * this dialect cannot express is recorded in the call's losses.
 *
 * <p>Contract: translation fact sheet, sections 1, 6 and 8. Test: {@code TranslatedChatBodyTest}.
 */
final class TranslatedChatBody {
  /** System messages keep their position, names are written into the text, no reasoning is sent. */
  private static final ConversationRules CONVERSATION_RULES =
      new ConversationRules(true, false, null);

  private static final int MAX_STOPS = 4;

  /** Members of other dialects that have the same form in this one. */
  private static final Set<String> SHARED_MEMBERS =
      Set.of("prompt_cache_key", "prompt_cache_options", "modalities", "image_config");

  private final Call call;
  private final InferenceRequest request;
  private final Endpoint endpoint;
  private final GenerationParameters parameters;
  private final Losses losses;
  private final SafeNames names;
  private final JsonOutput out = new JsonOutput(4096);
  private final ChatObjectWriter body = new ChatObjectWriter(out);

  private TranslatedChatBody(Call call) {
    this.call = call;
    this.request = call.request();
    this.endpoint = call.endpoint();
    this.parameters = request.generationParameters();
    this.losses = new Losses(call.losses());
    this.names = SafeNames.ofTools(request, Dialect.CHAT);
  }

  /**
   * @param call a call whose request is in another dialect
   */
  static JsonOutput of(Call call) {
    return new TranslatedChatBody(call).write();
  }

  private JsonOutput write() {
    body.put("model", endpoint.upstreamModel());
    var conversation = Conversation.of(request, CONVERSATION_RULES, losses);
    body.put("messages", new TranslatedChatMessages(names, losses).of(conversation));
    List<Json> tools = tools();
    if (!tools.isEmpty()) {
      body.put("tools", Json.array(tools));
    }
    writeToolUse(!tools.isEmpty());
    writeStream();
    writeLimit();
    parameters.values().forEach(this::writeValue);
    UpstreamSearch search = UpstreamSearch.findIn(request.tools());
    if (search != null) {
      body.put(SearchOptions.MEMBER, SearchOptions.of(search, losses));
    }
    writeStop();
    writeFormat();
    new ReasoningForm(call, losses).write(parameters.reasoning(), body);
    writeTier();
    if (call.endUser() != null) {
      body.put("user", call.endUser());
    }
    if (parameters.cacheControl() != null) {
      losses.dropped("cache_control", "only texts can have a cache mark in this dialect");
    }
    parameters.dialectMembers().forEach(this::writeOther);
    body.end();
    return out;
  }

  private List<Json> tools() {
    var tools = new ArrayList<Json>();
    for (Tool tool : request.tools()) {
      switch (tool) {
        case Tool.Function function -> tools.add(function(function));
        case Tool.Server server -> {} // the upstream's search, which is not a tool here
        case Tool.Unknown unknown ->
            losses.dropped("a tool of type " + unknown.type(), "has no form in this dialect");
      }
    }
    if (!tools.isEmpty() && !endpoint.supports(Parameter.TOOLS)) {
      losses.dropped("tools", "the endpoint has no such parameter");
      return List.of();
    }
    return tools;
  }

  private Json function(Tool.Function tool) {
    var function = Json.object().put("name", names.toSafe(tool.name()));
    if (tool.description() != null) {
      function.put("description", tool.description());
    }
    if (tool.parameters() != null) {
      function.put("parameters", tool.parameters());
    }
    if (tool.extras().get("strict") instanceof Json.Bool strict) {
      function.put("strict", strict);
    }
    ToolMembers.reportUnknown(tool, Set.of("strict", "cache_control"), losses);
    Json.Obj.Builder declaration =
        Json.object().put("type", "function").put("function", function.build());
    Json.Obj cacheMark = tool.extras().object("cache_control");
    return cacheMark == null
        ? declaration.build()
        : declaration
            .put("cache_control", TranslatedChatMessages.withoutTime(cacheMark, losses))
            .build();
  }

  private void writeToolUse(boolean hasTools) {
    ToolChoice choice = parameters.toolChoice();
    if (!hasTools) {
      if (choice != null && choice != ToolChoice.Mode.NONE) {
        losses.dropped("tool_choice", "there are no tools");
      }
      return;
    }
    Boolean parallel = parameters.parallelToolCalls();
    if (choice != null && checkSupported(Parameter.TOOL_CHOICE, "tool_choice")) {
      writeChoice(choice);
    }
    if (parallel != null && checkSupported(Parameter.PARALLEL_TOOL_CALLS, "parallel_tool_calls")) {
      body.put("parallel_tool_calls", Json.of(parallel));
    }
  }

  private void writeChoice(ToolChoice choice) {
    switch (choice) {
      case ToolChoice.Mode plain ->
          body.put(
              "tool_choice",
              switch (plain) {
                case AUTO -> "auto";
                case NONE -> "none";
                case REQUIRED -> "required";
              });
      case ToolChoice.Named(String name) -> writeNamedChoice(name);
      case ToolChoice.Other other -> losses.dropped("tool_choice", "has no form in this dialect");
    }
  }

  private void writeNamedChoice(String name) {
    boolean isDeclared =
        request.tools().stream()
            .anyMatch(tool -> tool instanceof Tool.Function f && f.name().equals(name));
    if (!isDeclared) {
      losses.dropped("tool_choice", "names a tool that is not sent upstream");
      return;
    }
    body.put(
        "tool_choice",
        Json.object()
            .put("type", "function")
            .put("function", Json.object().put("name", names.toSafe(name)).build())
            .build());
  }

  private void writeStream() {
    body.put("stream", Json.of(request.streaming()));
    if (request.streaming()) {
      body.put("stream_options", Json.object().put("include_usage", true).build());
    }
  }

  private void writeLimit() {
    int limit = call.outputCap() > 0 ? call.outputCap() : request.maxOutputTokens();
    if (limit > 0) {
      body.put(ChatRequestWriter.limitName(endpoint, null), Json.of(limit));
    }
  }

  private boolean checkSupported(Parameter parameter, String member) {
    if (!endpoint.supports(parameter)) {
      losses.dropped(member, "the endpoint has no such parameter");
      return false;
    }
    return true;
  }

  private void writeValue(Parameter parameter, Json value) {
    if (checkSupported(parameter, parameter.wireName())) {
      body.put(parameter.wireName(), value);
    }
  }

  private void writeStop() {
    List<String> stop = parameters.stopSequences();
    if (stop.isEmpty() || !checkSupported(Parameter.STOP, "stop")) {
      return;
    }
    if (stop.size() > MAX_STOPS) {
      losses.changed("stop", "only the first " + MAX_STOPS + " are sent");
    }
    body.put(
        "stop",
        Json.array(stop.stream().limit(MAX_STOPS).map(text -> (Json) Json.of(text)).toList()));
  }

  private void writeFormat() {
    OutputFormat format = parameters.format();
    if (format == null || format instanceof OutputFormat.Text) {
      return;
    }
    if (!endpoint.supports(Parameter.RESPONSE_FORMAT)
        && !endpoint.supports(Parameter.STRUCTURED_OUTPUTS)) {
      losses.dropped("response_format", "the endpoint has no such parameter");
      return;
    }
    switch (format) {
      case OutputFormat.Text text -> {}
      case OutputFormat.JsonObject object ->
          body.put("response_format", Json.object().put("type", "json_object").build());
      case OutputFormat.JsonSchema schema ->
          body.put(
              "response_format",
              Json.object().put("type", "json_schema").put("json_schema", schema(schema)).build());
      case OutputFormat.Other other ->
          losses.dropped("format " + other.type(), "has no form in this dialect");
    }
  }

  /** Returns the schema with a name, which this dialect requires. */
  private static Json.Obj schema(OutputFormat.JsonSchema format) {
    var schema = Json.object().put("name", Objects.requireNonNullElse(format.name(), "answer"));
    if (format.description() != null) {
      schema.put("description", format.description());
    }
    if (format.schema() != null) {
      schema.put("schema", format.schema());
    }
    if (format.strict() != null) {
      schema.put("strict", format.strict());
    }
    return schema.build();
  }

  /** Writes the endpoint's tier, or else the requested tier if that has no endpoints of its own. */
  private void writeTier() {
    String endpointTier = endpoint.serviceTier();
    String requestedTier = parameters.serviceTier();
    if (endpointTier != null) {
      body.put("service_tier", endpointTier);
    } else if ("standard_only".equals(requestedTier)) {
      losses.changed("service_tier", "standard_only is called default in this dialect");
      body.put("service_tier", "default");
    } else if (requestedTier != null && !ChatRequestWriter.TIERS.contains(requestedTier)) {
      body.put("service_tier", requestedTier);
    }
  }

  private void writeOther(String name, Json value) {
    if (name.equals("metadata")) {
      body.put(name, Metadata.of(value, call.endUser()));
    } else if (SHARED_MEMBERS.contains(name)) {
      body.put(name, value);
    } else {
      losses.dropped(name, "has no form in this dialect");
    }
  }
}
