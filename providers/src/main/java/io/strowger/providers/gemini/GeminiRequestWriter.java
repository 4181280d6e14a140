package io.strowger.providers.gemini;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationRules;
import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes the upstream's body from the typed request. Whatever the dialect cannot express is
 * reported as a loss.
 *
 * <p>Translation fact sheet, section 1. Tests: {@code GeminiConversationTest} and the other writer
 * tests.
 */
final class GeminiRequestWriter {
  private static final ConversationRules CONVERSATION_RULES =
      new ConversationRules(false, false, GeminiCodec.FORMAT);

  /** The service tiers that are selected by choosing an endpoint. */
  private static final Set<String> ROUTED_TIERS =
      Set.of("auto", "default", "standard", "standard_only", "fast", "priority", "flex");

  private final GeminiWriteContext context;
  private final InferenceRequest request;
  private final Conversation conversation;

  private GeminiRequestWriter(Call call, JsonCodec codec) {
    var losses = new Losses(call.losses());
    this.context = new GeminiWriteContext(call, codec, losses, GeminiCodec.names(call));
    this.request = call.request();
    this.conversation = Conversation.of(request, CONVERSATION_RULES, losses);
  }

  /**
   * Returns the body.
   *
   * @param call a call with a request in any dialect
   * @param codec parses tool arguments and results that are given as text
   */
  static JsonOutput of(Call call, JsonCodec codec) {
    return UpstreamCodec.toOutput(call, document(call, codec));
  }

  static Json.Obj document(Call call, JsonCodec codec) {
    return new GeminiRequestWriter(call, codec).body();
  }

  private Json.Obj body() {
    var body = Json.object();
    List<Json> system = system();
    List<ConversationTurn> turns = conversation.turns();
    var media = new MediaPartWriter(context);
    if (turns.isEmpty()) {
      body.put("contents", systemAsUserTurn(system));
    } else {
      if (!system.isEmpty()) {
        body.put("systemInstruction", Json.object().put("parts", Json.array(system)).build());
      }
      body.put("contents", new GeminiContentsWriter(context, media, turns).toJson());
    }
    new FunctionDeclarationWriter(context).addTo(body);
    Json.Obj generation = new GenerationConfigWriter(context).json(media.resolution());
    if (generation.size() > 0) {
      body.put("generationConfig", generation);
    }
    addTier(body);
    reportUnsupported();
    return body.build();
  }

  private List<Json> system() {
    var parts = new ArrayList<Json>();
    for (Part.Text text : conversation.system()) {
      context.dropCacheMarks(text.extras());
      parts.add(Json.object().put("text", text.text()).build());
    }
    return parts;
  }

  /** Writes the system text as a user turn, since {@code contents} must not be empty. */
  private Json systemAsUserTurn(List<Json> system) {
    if (!system.isEmpty()) {
      context.losses().changed("system", "was sent as a user turn, since there is no other turn");
    }
    return Json.array(GeminiContentsWriter.content(Message.Role.USER, system));
  }

  /** Writes the tier of the endpoint, if it has one. */
  private void addTier(Json.Obj.Builder body) {
    String endpointTier = context.call().endpoint().serviceTier();
    String requestedTier = request.generationParameters().serviceTier();
    if (endpointTier != null) {
      body.put("serviceTier", endpointTier.equals("fast") ? "priority" : endpointTier);
    } else if (requestedTier != null && !ROUTED_TIERS.contains(requestedTier)) {
      context.losses().dropped("service_tier", "the upstream has no such tier");
    }
  }

  /** Reports members that this dialect cannot express. */
  private void reportUnsupported() {
    Losses losses = context.losses();
    if (context.call().endUser() != null) {
      losses.dropped("user", "has no form in this dialect");
    }
    if (request.generationParameters().cacheControl() != null) {
      losses.dropped("cache_control", "the upstream decides itself what it caches");
    }
    if (Boolean.FALSE.equals(request.generationParameters().parallelToolCalls())) {
      losses.dropped("parallel_tool_calls", "several calls at once cannot be forbidden");
    }
    for (String name : request.generationParameters().dialectMembers().keySet()) {
      if (!name.equals(GenerationConfigWriter.MODALITIES)) {
        losses.dropped(name, "has no form in this dialect");
      }
    }
  }
}
