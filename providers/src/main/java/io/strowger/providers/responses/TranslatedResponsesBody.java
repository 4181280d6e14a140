package io.strowger.providers.responses;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationRules;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.Metadata;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.ToolChoice;
import io.strowger.spi.provider.Call;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a request in another dialect, from its typed form; what does not fit is
 * reported as a loss. One instance per request.
 *
 * <p>Contract: translation fact sheet, sections 1, 4 and 6, column "responses". Test: {@code
 * TranslatedResponsesBodyTest}.
 */
final class TranslatedResponsesBody {
  /**
   * System messages keep their place, names are written into texts, and only this vendor's
   * reasoning is sent back.
   */
  private static final ConversationRules CONVERSATION_RULES =
      new ConversationRules(true, false, ResponsesReasoningItem.FORMAT);

  private static final String NO_FORM = "has no form in this dialect";

  private final Call call;
  private final InferenceRequest request;
  private final GenerationParameters parameters;
  private final Losses losses;
  private final SafeNames names;
  private final ReasoningMember reasoning;
  private final Json.Obj.Builder body = Json.object();
  private final Json.Obj.Builder text = Json.object();
  private @Nullable Json include;

  private TranslatedResponsesBody(Call call, Losses losses) {
    this.call = call;
    this.request = call.request();
    this.parameters = request.generationParameters();
    this.names = SafeNames.ofTools(request, Dialect.RESPONSES);
    this.losses = losses;
    this.reasoning = new ReasoningMember(call, losses);
  }

  static Json.Obj of(Call call, Losses losses) {
    return new TranslatedResponsesBody(call, losses).write();
  }

  private Json.Obj write() {
    body.put("model", call.endpoint().upstreamModel());
    putConversation();
    putTools();
    int limit = MemberPolicy.limit(call);
    if (limit > 0) {
      body.put("max_output_tokens", limit);
    }
    parameters.values().forEach(this::putValue);
    if (!parameters.stopSequences().isEmpty()) {
      losses.dropped("stop", NO_FORM);
    }
    putFormat();
    putReasoning();
    putOtherMembers();
    putUserAndTier();
    body.put("store", Json.FALSE);
    if (request.streaming()) {
      body.put("stream", Json.TRUE);
    }
    return body.build();
  }

  private void putConversation() {
    var input = new InputWriter(call.endpoint(), names, losses);
    input.write(Conversation.of(request, CONVERSATION_RULES, losses));
    String instructions = input.instructions();
    if (instructions != null) {
      body.put("instructions", instructions);
    }
    body.put("input", input.items());
  }

  private void putTools() {
    if (request.tools().isEmpty()) {
      return;
    }
    List<Tool> sentTools = ResponsesToolWriter.forEndpoint(call);
    ResponsesToolWriter.reportSearchLosses(sentTools, losses);
    if (sentTools.size() < request.tools().size() && !call.endpoint().supports(Parameter.TOOLS)) {
      losses.dropped("tools", "the endpoint has no such parameter");
    }
    Json.Arr tools = ResponsesToolWriter.writeTranslated(sentTools, names, losses);
    if (tools.isEmpty()) {
      return;
    }
    body.put("tools", tools);
    ToolChoice choice = parameters.toolChoice();
    if (!request.mayCallTools()) {
      body.put("tool_choice", "none");
    } else if (choice != null && accepts("tool_choice")) {
      putChoice(choice);
    }
    Boolean parallelCalls = parameters.parallelToolCalls();
    if (parallelCalls != null && accepts("parallel_tool_calls")) {
      body.put("parallel_tool_calls", parallelCalls);
    }
  }

  private void putChoice(ToolChoice choice) {
    switch (choice) {
      case ToolChoice.Mode.AUTO -> body.put("tool_choice", "auto");
      case ToolChoice.Mode.NONE -> body.put("tool_choice", "none");
      case ToolChoice.Mode.REQUIRED -> body.put("tool_choice", "required");
      case ToolChoice.Named(String name) -> putNamedChoice(name);
      case ToolChoice.Other other -> losses.dropped("tool_choice", NO_FORM);
    }
  }

  private void putNamedChoice(String name) {
    boolean isSent =
        request.tools().stream()
            .anyMatch(tool -> tool instanceof Tool.Function f && f.name().equals(name));
    if (isSent) {
      body.put(
          "tool_choice",
          Json.object().put("type", "function").put("name", names.toSafe(name)).build());
    } else {
      losses.dropped("tool_choice", "names a tool that is not sent upstream");
    }
  }

  /** Returns whether the endpoint accepts a member; records a loss when it does not. */
  private boolean accepts(String name) {
    boolean isAccepted = MemberPolicy.accepts(call, name);
    if (!isAccepted) {
      losses.dropped(name, "the endpoint has no such parameter");
    }
    return isAccepted;
  }

  private void putValue(Parameter parameter, Json value) {
    String name = parameter.wireName();
    switch (parameter) {
      case TEMPERATURE, TOP_P, TOP_K, FREQUENCY_PENALTY, PRESENCE_PENALTY, TOP_LOGPROBS -> {
        if (accepts(name)) {
          body.put(name, value);
        }
      }
      case LOGPROBS -> {
        if (value.equals(Json.TRUE) && accepts(name)) {
          include = MemberPolicy.withValue(include, MemberPolicy.LOGPROBS);
        }
      }
      case VERBOSITY -> {
        if (accepts(name)) {
          text.put(name, value);
        }
      }
      default -> losses.dropped(name, NO_FORM);
    }
  }

  private void putFormat() {
    OutputFormat format = parameters.format();
    if (format != null && !(format instanceof OutputFormat.Text)) {
      if (MemberPolicy.acceptsFormat(call)) {
        putFormat(format);
      } else {
        losses.dropped("response_format", "the endpoint has no such parameter");
      }
    }
    Json.Obj textMember = text.build();
    if (textMember.size() > 0) {
      body.put("text", textMember);
    }
  }

  private void putFormat(OutputFormat format) {
    switch (format) {
      case OutputFormat.Text plain -> {}
      case OutputFormat.JsonObject object ->
          text.put("format", Json.object().put("type", "json_object").build());
      case OutputFormat.JsonSchema schema -> text.put("format", schema(schema));
      case OutputFormat.Other other -> losses.dropped("response_format", NO_FORM);
    }
  }

  /** Returns the schema with a name, which this dialect requires. */
  private static Json schema(OutputFormat.JsonSchema format) {
    var schema = Json.object().put("type", "json_schema");
    schema.put("name", Objects.requireNonNullElse(format.name(), "answer"));
    if (format.description() != null) {
      schema.put("description", format.description());
    }
    schema.put("schema", format.schema() == null ? Json.Obj.EMPTY : format.schema());
    if (format.strict() != null) {
      schema.put("strict", format.strict());
    }
    return schema.build();
  }

  private void putReasoning() {
    Json.Obj member = reasoning.of(parameters.reasoning());
    if (member.size() > 0) {
      body.put("reasoning", member);
    }
    if (reasoning.mayReason(parameters.reasoning())) {
      include = MemberPolicy.withValue(include, MemberPolicy.ENCRYPTED);
    }
    if (include != null) {
      body.put("include", include);
    }
  }

  /**
   * Writes the other members that this dialect shares with the chat dialect; records a loss for the
   * rest.
   */
  private void putOtherMembers() {
    for (Map.Entry<String, Json> member : parameters.dialectMembers().entrySet()) {
      switch (member.getKey()) {
        case "metadata" -> body.put("metadata", Metadata.of(member.getValue(), call.endUser()));
        case "prompt_cache_key", "prompt_cache_options" ->
            body.put(member.getKey(), member.getValue());
        case "modalities" -> {
          if (!member.getValue().equals(Json.array(Json.of("text")))) {
            losses.dropped(member.getKey(), NO_FORM);
          }
        }
        default -> losses.dropped(member.getKey(), NO_FORM);
      }
    }
    if (parameters.cacheControl() != null) {
      losses.dropped("cache_control", "only texts can have a cache mark in this dialect");
    }
  }

  private void putUserAndTier() {
    if (call.endUser() != null) {
      body.put("safety_identifier", call.endUser());
    }
    String requested = parameters.serviceTier();
    boolean isStandard = "standard_only".equals(requested);
    Json tier = requested == null ? null : Json.of(isStandard ? "default" : requested);
    Json sentTier = MemberPolicy.tier(call, tier);
    if (sentTier != null) {
      body.put("service_tier", sentTier);
    }
  }
}
