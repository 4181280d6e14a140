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
  private final GenerationParameters settings;
  private final Losses losses;
  private final SafeNames names;
  private final ReasoningMember reasoning;
  private final Json.Obj.Builder body = Json.object();
  private final Json.Obj.Builder text = Json.object();
  private @Nullable Json include;

  private TranslatedResponsesBody(Call call, Losses losses) {
    this.call = call;
    this.request = call.request();
    this.settings = request.generationParameters();
    this.names = SafeNames.ofTools(request, Dialect.RESPONSES);
    this.losses = losses;
    this.reasoning = new ReasoningMember(call, losses);
  }

  static Json.Obj of(Call call, Losses losses) {
    return new TranslatedResponsesBody(call, losses).write();
  }

  private Json.Obj write() {
    body.put("model", call.endpoint().upstreamModel());
    conversation();
    tools();
    int limit = MemberPolicy.limit(call);
    if (limit > 0) {
      body.put("max_output_tokens", limit);
    }
    settings.values().forEach(this::value);
    if (!settings.stop().isEmpty()) {
      losses.dropped("stop", NO_FORM);
    }
    format();
    reasoning();
    others();
    routed();
    body.put("store", Json.FALSE);
    if (request.streaming()) {
      body.put("stream", Json.TRUE);
    }
    return body.build();
  }

  private void conversation() {
    var input = new InputWriter(call.endpoint(), names, losses);
    input.write(Conversation.of(request, CONVERSATION_RULES, losses));
    String instructions = input.instructions();
    if (instructions != null) {
      body.put("instructions", instructions);
    }
    body.put("input", input.items());
  }

  private void tools() {
    if (request.tools().isEmpty()) {
      return;
    }
    List<Tool> leaving = ResponsesToolWriter.forEndpoint(call);
    ResponsesToolWriter.tellSearch(leaving, losses);
    if (leaving.size() < request.tools().size() && !call.endpoint().supports(Parameter.TOOLS)) {
      losses.dropped("tools", "the endpoint does not know it");
    }
    Json.Arr tools = ResponsesToolWriter.foreign(leaving, names, losses);
    if (tools.isEmpty()) {
      return;
    }
    body.put("tools", tools);
    ToolChoice choice = settings.toolChoice();
    if (!request.mayCallTools()) {
      body.put("tool_choice", "none");
    } else if (choice != null && taken("tool_choice")) {
      choice(choice);
    }
    Boolean several = settings.parallelToolCalls();
    if (several != null && taken("parallel_tool_calls")) {
      body.put("parallel_tool_calls", several);
    }
  }

  private void choice(ToolChoice choice) {
    switch (choice) {
      case ToolChoice.Plain.AUTO -> body.put("tool_choice", "auto");
      case ToolChoice.Plain.NONE -> body.put("tool_choice", "none");
      case ToolChoice.Plain.REQUIRED -> body.put("tool_choice", "required");
      case ToolChoice.Named(String name) -> named(name);
      case ToolChoice.Other other -> losses.dropped("tool_choice", NO_FORM);
    }
  }

  private void named(String name) {
    boolean leaves =
        request.tools().stream()
            .anyMatch(tool -> tool instanceof Tool.Function f && f.name().equals(name));
    if (leaves) {
      body.put(
          "tool_choice",
          Json.object().put("type", "function").put("name", names.safe(name)).build());
    } else {
      losses.dropped("tool_choice", "names a tool that does not leave");
    }
  }

  /** Returns whether the endpoint accepts a member; records a loss when it does not. */
  private boolean taken(String name) {
    boolean taken = MemberPolicy.takes(call, name);
    if (!taken) {
      losses.dropped(name, "the endpoint does not know it");
    }
    return taken;
  }

  private void value(Parameter parameter, Json value) {
    String name = parameter.wireName();
    switch (parameter) {
      case TEMPERATURE, TOP_P, TOP_K, FREQUENCY_PENALTY, PRESENCE_PENALTY, TOP_LOGPROBS -> {
        if (taken(name)) {
          body.put(name, value);
        }
      }
      case LOGPROBS -> {
        if (value.equals(Json.TRUE) && taken(name)) {
          include = MemberPolicy.including(include, MemberPolicy.LOGPROBS);
        }
      }
      case VERBOSITY -> {
        if (taken(name)) {
          text.put(name, value);
        }
      }
      default -> losses.dropped(name, NO_FORM);
    }
  }

  private void format() {
    OutputFormat format = settings.format();
    if (format != null && !(format instanceof OutputFormat.Text)) {
      if (MemberPolicy.takesFormat(call)) {
        format(format);
      } else {
        losses.dropped("response_format", "the endpoint does not know it");
      }
    }
    Json.Obj said = text.build();
    if (said.size() > 0) {
      body.put("text", said);
    }
  }

  private void format(OutputFormat format) {
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

  private void reasoning() {
    Json.Obj said = reasoning.of(settings.reasoning());
    if (said.size() > 0) {
      body.put("reasoning", said);
    }
    if (reasoning.thinks(settings.reasoning())) {
      include = MemberPolicy.including(include, MemberPolicy.ENCRYPTED);
    }
    if (include != null) {
      body.put("include", include);
    }
  }

  /**
   * Writes the other members that this dialect shares with the chat dialect; records a loss for the
   * rest.
   */
  private void others() {
    for (Map.Entry<String, Json> other : settings.dialectMembers().entrySet()) {
      switch (other.getKey()) {
        case "metadata" -> body.put("metadata", Metadata.of(other.getValue(), call.endUser()));
        case "prompt_cache_key", "prompt_cache_options" ->
            body.put(other.getKey(), other.getValue());
        case "modalities" -> {
          if (!other.getValue().equals(Json.array(Json.of("text")))) {
            losses.dropped(other.getKey(), NO_FORM);
          }
        }
        default -> losses.dropped(other.getKey(), NO_FORM);
      }
    }
    if (settings.cacheControl() != null) {
      losses.dropped("cache_control", "only texts take a mark here");
    }
  }

  private void routed() {
    if (call.endUser() != null) {
      body.put("safety_identifier", call.endUser());
    }
    String asked = settings.serviceTier();
    boolean standard = "standard_only".equals(asked);
    Json tier = asked == null ? null : Json.of(standard ? "default" : asked);
    Json routed = MemberPolicy.tier(call, tier);
    if (routed != null) {
      body.put("service_tier", routed);
    }
  }
}
