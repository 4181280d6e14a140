package io.strowger.providers.messages;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationRules;
import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body for a request in another dialect: its conversation as turns, its parameters in
 * this dialect's terms. What does not fit is reported as a loss.
 *
 * <p>Contract: translation fact sheet, section 1. Test: {@code TranslatedMessagesBodyTest}.
 */
final class TranslatedMessagesBody {
  private static final ConversationRules CONVERSATION_RULES =
      new ConversationRules(false, false, MessagesCodec.FORMAT);

  private final Call call;
  private final InferenceRequest request;
  private final GenerationParameters parameters;
  private final Losses losses;
  private final SafeNames names = new SafeNames();
  private final Conversation conversation;
  private final List<Part.Text> system;
  private final int limit;
  private final ThinkingPlan plan;
  private final RequestTools tools;
  private final CacheMarks marks;
  private final Json.Obj.Builder body = Json.object();

  private TranslatedMessagesBody(Call call) {
    this.call = call;
    this.request = call.request();
    this.parameters = request.generationParameters();
    this.losses = new Losses(call.losses());
    this.conversation = Conversation.of(request, CONVERSATION_RULES, losses);
    this.system = new ArrayList<>(conversation.system());
    this.limit = MemberPolicy.outputLimit(call, losses);
    this.plan =
        ThinkingPlan.of(call, limit, TurnWriter.lacksSignedReasoning(conversation.turns()), losses);
    this.tools = new RequestTools(call, plan.isEnabled(), names, losses);
    List<ConversationTurn> turns = conversation.turns();
    this.marks =
        new CacheMarks(
            tools.sentFunctions(), system, turns, parameters.cacheControl() != null, losses);
  }

  static Json.Obj of(Call call, ContentBlockWriter blockWriter) {
    return new TranslatedMessagesBody(call).write(blockWriter);
  }

  private Json.Obj write(ContentBlockWriter blockWriter) {
    body.put("model", call.endpoint().upstreamModel());
    List<Json.Obj> toolList = tools.write(marks); // marks are put in the order tools, system, turns
    Json.Obj format = format();
    Json systemText = system();
    Json messages = messages(new TurnWriter(blockWriter, names, marks, losses));
    if (systemText != null) {
      body.put("system", systemText);
    }
    body.put("messages", messages).put("max_tokens", limit);
    if (!toolList.isEmpty()) {
      body.put("tools", Json.array(toolList));
    }
    put("tool_choice", tools.choice(plan.isEnabled()));
    put("thinking", plan.thinking());
    outputConfig(format);
    put("cache_control", parameters.cacheControl());
    if (request.streaming()) {
      body.put("stream", true);
    }
    SamplingWriter.put(call, plan.isEnabled(), losses, body);
    putOtherMembers();
    return body.build();
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  private void outputConfig(Json.@Nullable Obj format) {
    Json.Obj.Builder config = Json.object();
    if (plan.effort() != null) {
      config.put("effort", plan.effort().wireName());
    }
    if (format != null) {
      config.put("format", format);
    }
    Json.Obj outputConfig = config.build();
    put("output_config", outputConfig.size() == 0 ? null : outputConfig);
  }

  /**
   * Returns the output format; null when none is sent, because none is requested or because the
   * prompt or a tool asks for it instead.
   */
  private Json.@Nullable Obj format() {
    OutputFormat format = parameters.format();
    Json.Obj schema = AnswerTool.schema(format);
    if (schema != null) {
      return schema(schema);
    }
    switch (format) {
      case null -> {}
      case OutputFormat.Text text -> {}
      case OutputFormat.JsonObject object -> instruct("Answer with one JSON object");
      case OutputFormat.JsonSchema schemaless -> instruct("Answer with one JSON document");
      case OutputFormat.Other other ->
          losses.dropped("response_format", other.type() + " has no form in this dialect");
    }
    return null;
  }

  private Json.@Nullable Obj schema(Json.Obj schema) {
    if (call.endpoint().supports(Parameter.STRUCTURED_OUTPUTS)) {
      return Json.object().put("type", "json_schema").put("schema", schema).build();
    }
    if (tools.hasAnswerTool()) {
      losses.changed("response_format", "the model must call a tool with this schema instead");
    } else {
      instruct("Answer with one JSON document that fits this JSON Schema: " + schema);
    }
    return null;
  }

  private void instruct(String instruction) {
    losses.changed("response_format", "the model is instructed in the prompt instead");
    system.add(new Part.Text(instruction + " and nothing else: no introduction, no code fence."));
  }

  /** Returns the system text as one string, or as blocks when a part is marked for the cache. */
  private @Nullable Json system() {
    if (system.isEmpty()) {
      return null;
    }
    if (system.stream().anyMatch(text -> CacheMarks.isMarked(text.extras()))) {
      var blocks = new ArrayList<Json.Obj>();
      for (Part.Text text : system) {
        Json.Obj.Builder block = Json.object().put("type", "text").put("text", text.text());
        blocks.add(marks.put(text.extras(), block).build());
      }
      return Json.array(blocks);
    }
    if (system.size() == 1) {
      return system.getFirst().text();
    }
    if (conversation.system().size() > 1) {
      losses.changed("system", "several texts were joined with blank lines between them");
    }
    return Json.of(String.join("\n\n", system.stream().map(part -> part.text().text()).toList()));
  }

  /** Returns the messages; upstreams require the first one to be the user's. */
  private Json messages(TurnWriter writer) {
    List<ConversationTurn> turns = conversation.turns();
    var messages = new ArrayList<Json.Obj>();
    if (turns.isEmpty() || turns.getFirst().role() != Message.Role.USER) {
      losses.changed("messages", "the first message must be the user's: one was added");
      messages.add(Json.object().put("role", "user").put("content", "Begin.").build());
    }
    turns.forEach(turn -> messages.add(writer.message(turn)));
    return Json.array(messages);
  }

  private void putOtherMembers() {
    String tier = MemberPolicy.serviceTier(parameters.serviceTier(), call, losses);
    if (tier != null) {
      body.put("service_tier", tier);
    }
    String user = call.endUser();
    if (user != null) {
      body.put("metadata", Json.object().put("user_id", user).build());
    }
    for (Map.Entry<String, Json> member : parameters.dialectMembers().entrySet()) {
      boolean isUserId = member.getKey().equals("metadata") && isUserOnly(member.getValue());
      if (!isUserId) {
        losses.dropped(member.getKey(), "has no form in this dialect");
      }
    }
  }

  private static boolean isUserOnly(Json metadata) {
    return metadata instanceof Json.Obj pairs && pairs.without("user_id").size() == 0;
  }
}
