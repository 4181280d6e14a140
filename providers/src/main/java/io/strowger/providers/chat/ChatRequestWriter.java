package io.strowger.providers.chat;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.Metadata;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.providers.upstream.UpstreamCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a request to the upstream. For a request in another dialect {@link
 * TranslatedChatBody} is used. In this dialect the caller's members keep their order, and each is
 * passed on, changed or dropped. Members with a typed form are written from that form, so a changed
 * message replaces the original.
 *
 * <p>Contract: translation fact sheet, section 8. Test: {@code ChatRequestWriterTest}, {@code
 * ChatRequestWriterProperties}.
 */
public final class ChatRequestWriter {
  private static final String MAX_TOKENS = "max_tokens";
  private static final String MAX_COMPLETION_TOKENS = "max_completion_tokens";
  private static final String EFFORT = "reasoning_effort";
  private static final String SHOWN = "include_reasoning";
  private static final String REASONING = "reasoning";
  private static final String UNSUPPORTED = "the endpoint has no such parameter";

  /** The service tiers that have their own endpoints. */
  static final Set<String> TIERS = Set.of("fast", "priority", "flex");

  /**
   * The parameters of which an endpoint must support at least one for a member to be sent; other
   * members are always sent.
   */
  private static final Map<String, Long> OPTIONAL = optional();

  private final Call call;
  private final InferenceRequest request;
  private final List<Tool> tools;
  private final JsonOutput out;
  private final ChatObjectWriter body;
  private final Losses losses;
  private final ReasoningForm reasoning;
  private boolean limitDone;
  private boolean toolUseDone;
  private boolean modelDone;
  private boolean messagesDone;
  private boolean toolsDone;
  private boolean streamDone;
  private boolean usageAsked;
  private boolean userDone;
  private boolean tierDone;

  private ChatRequestWriter(Call call) {
    this.call = call;
    this.request = call.request();
    this.losses = new Losses(call.losses());
    this.tools = tools(call, losses);
    this.out = UpstreamCodec.bodyFor(call);
    this.body = new ChatObjectWriter(out);
    this.reasoning = new ReasoningForm(call, losses);
  }

  private static List<Tool> tools(Call call, Losses losses) {
    List<Tool> leaving = ChatToolWriter.forUpstream(call.request().tools());
    if (leaving.isEmpty() || call.endpoint().supports(Parameter.TOOLS)) {
      return leaving;
    }
    losses.dropped("tools", UNSUPPORTED);
    return List.of();
  }

  private static Map<String, Long> optional() {
    var bits = new HashMap<String, Long>();
    for (Parameter parameter : Parameter.values()) {
      bits.put(parameter.wireName(), parameter.bit());
    }
    bits.put(
        "response_format", Parameter.RESPONSE_FORMAT.bit() | Parameter.STRUCTURED_OUTPUTS.bit());
    return Map.copyOf(bits);
  }

  /** Returns the body of a call, for a request in any dialect. */
  public static JsonOutput of(Call call) {
    return call.request().dialect() == Dialect.CHAT
        ? new ChatRequestWriter(call).write()
        : TranslatedChatBody.of(call);
  }

  private JsonOutput write() {
    Json.Obj members = request.members();
    for (int i = 0; i < members.size(); i++) {
      member(members, i);
    }
    missing();
    body.end();
    return out;
  }

  private void member(Json.Obj members, int index) {
    Json value = members.value(index);
    switch (members.name(index)) {
      case "model" -> model();
      case "messages" -> messages(value);
      case "tools" -> tools();
      case "stream" -> stream();
      case "stream_options" -> streamOptions(value);
      case MAX_TOKENS, MAX_COMPLETION_TOKENS -> limit(members.name(index));
      case "user" -> user();
      case "metadata" -> metadata(value);
      case "service_tier" -> serviceTier(value);
      case "tool_choice" -> toolChoice(members, index);
      case "parallel_tool_calls" -> {
        if (!tools.isEmpty()) {
          optional(members, index);
        }
      }
      case REASONING -> reasoning(value);
      case EFFORT -> reasoningEffort(value);
      case SHOWN -> includeReasoning(members, index);
      case "safety_identifier" -> userAs("safety_identifier", value);
      default -> optional(members, index);
    }
  }

  private void optional(Json.Obj members, int index) {
    Long needed = OPTIONAL.get(members.name(index));
    if (needed == null || (call.endpoint().parameters() & needed) != 0) {
      body.copy(members, index);
    } else if (!(members.value(index) instanceof Json.Null)) {
      losses.dropped(members.name(index), UNSUPPORTED);
    }
  }

  /** Writes the caller's tool choice, or {@code none} when the request forbids tool calls. */
  private void toolChoice(Json.Obj members, int index) {
    if (!request.mayCallTools()) {
      noToolUse();
    } else if (!tools.isEmpty() && ChatToolWriter.isUpstreamChoice(members.value(index), tools)) {
      optional(members, index);
    }
  }

  private void noToolUse() {
    if (!tools.isEmpty() && !toolUseDone) {
      toolUseDone = true;
      if (call.endpoint().supports(Parameter.TOOL_CHOICE)) {
        body.put("tool_choice", "none");
      } else {
        losses.dropped("tool_choice", UNSUPPORTED);
      }
    }
  }

  private void reasoning(Json value) {
    if (!reasoning.takesObject()) {
      if (effortOfObject()) {
        onlyEffort();
      }
    } else if (value instanceof Json.Obj object) {
      wish(object);
    } else {
      body.put(REASONING, value);
    }
  }

  /**
   * Returns whether the effort of the caller's {@code reasoning} object is sent as {@code
   * reasoning_effort}; if the caller sent that member too, it takes precedence.
   */
  private boolean effortOfObject() {
    return !reasoning.takesObject()
        && hasObject()
        && !(request.members().get(EFFORT) instanceof Json.Str);
  }

  /**
   * Writes {@code reasoning}, including the effort and visibility if the endpoint supports them
   * only inside the object.
   */
  private void wish(Json.Obj object) {
    Json.Obj wish = object;
    if (request.members().get(EFFORT) instanceof Json.Str effort
        && !object.has("effort")
        && !call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      wish = wish.with("effort", effort);
    }
    if (Json.FALSE.equals(request.members().get(SHOWN))
        && !object.has("exclude")
        && !call.endpoint().supports(Parameter.INCLUDE_REASONING)) {
      wish = wish.with("exclude", Json.TRUE);
    }
    body.put(REASONING, reasoning.ofOwn(wish));
  }

  /** Writes the effort as a member or inside the object, depending on the endpoint, or drops it. */
  private void reasoningEffort(Json value) {
    if (effortOfObject()) {
      return;
    }
    if (call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      body.put(EFFORT, reasoning.ofOwn(value));
    } else if (!reasoning.takesObject()) {
      if (value instanceof Json.Str) {
        losses.dropped(EFFORT, UNSUPPORTED);
      }
    } else if (!hasObject() && value instanceof Json.Str) {
      wish(Json.Obj.EMPTY);
    }
  }

  private boolean hasObject() {
    return request.members().get(REASONING) instanceof Json.Obj;
  }

  /** Writes {@code include_reasoning}, or the object for endpoints that support only that. */
  private void includeReasoning(Json.Obj members, int index) {
    boolean effort =
        members.get(EFFORT) instanceof Json.Str
            && !call.endpoint().supports(Parameter.REASONING_EFFORT);
    if (call.endpoint().supports(Parameter.INCLUDE_REASONING) || !reasoning.takesObject()) {
      optional(members, index);
    } else if (!hasObject() && !effort) {
      wish(Json.Obj.EMPTY);
    }
  }

  private void onlyEffort() {
    if (call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      Json effort = reasoning.asEffort(request.generationParameters().reasoning());
      if (effort != null) {
        body.put(EFFORT, effort);
      }
    } else {
      losses.dropped(REASONING, UNSUPPORTED);
    }
  }

  /** Writes the members that are needed and that the caller did not send. */
  private void missing() {
    if (!request.mayCallTools()) {
      noToolUse();
    }
    if (!modelDone) {
      model();
    }
    if (!messagesDone) {
      messages(null);
    }
    if (!toolsDone) {
      tools();
    }
    if (!streamDone && request.streaming()) {
      stream();
    }
    if (!usageAsked) {
      streamOptions(Json.NULL);
    }
    if (!limitDone) {
      limit(MAX_TOKENS);
    }
    if (!userDone) {
      user();
    }
    UpstreamSearch search = UpstreamSearch.among(request.tools());
    if (search != null && !request.members().has(SearchOptions.MEMBER)) {
      body.put(SearchOptions.MEMBER, SearchOptions.of(search, losses));
    }
    if (!tierDone && call.endpoint().serviceTier() != null) {
      serviceTier(Json.NULL);
    }
  }

  private void model() {
    modelDone = true;
    body.put("model", call.endpoint().upstreamModel());
  }

  /**
   * @param came the caller's messages; null when there are none
   */
  private void messages(@Nullable Json came) {
    messagesDone = true;
    List<Message> messages = request.messages();
    if (came instanceof Json.Arr list && MessageWriter.areAsTheyCame(messages, list)) {
      list.writeTo(body.name("messages"));
      return;
    }
    body.name("messages").raw('[');
    for (int i = 0; i < messages.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      MessageWriter.write(messages.get(i), out);
    }
    out.raw(']');
  }

  private void tools() {
    toolsDone = true;
    if (!tools.isEmpty()) {
      ChatToolWriter.write(tools, body.name("tools"));
    }
  }

  private void stream() {
    streamDone = true;
    body.put("stream", Json.of(request.streaming()));
  }

  /**
   * Writes the stream options, always with usage; writes nothing for a request without streaming.
   */
  private void streamOptions(Json value) {
    usageAsked = true;
    if (request.streaming()) {
      Json.Obj options = value instanceof Json.Obj given ? given : Json.Obj.EMPTY;
      body.put(
          "stream_options",
          Json.TRUE.equals(options.get("include_usage"))
              ? options
              : options.with("include_usage", Json.TRUE));
    }
  }

  /**
   * Writes the output limit, once. A caller's limit keeps its name unless the endpoint supports
   * only the other name; a limit that is set by the budget alone gets a name that the endpoint
   * supports.
   */
  private void limit(String name) {
    int limit = call.outputCap() > 0 ? call.outputCap() : request.maxOutputTokens();
    if (limitDone || limit <= 0) {
      return;
    }
    limitDone = true;
    boolean own = request.maxOutputTokens() > 0;
    body.put(limitName(call.endpoint(), own ? name : null), Json.of(limit));
  }

  /**
   * Returns the name of the output limit.
   *
   * @param own the caller's name for the limit; null when the caller's dialect has another name, or
   *     when the caller set no limit
   */
  static String limitName(Endpoint endpoint, @Nullable String own) {
    boolean plain = endpoint.supports(Parameter.MAX_TOKENS);
    boolean completion = endpoint.supports(Parameter.MAX_COMPLETION_TOKENS);
    if (plain != completion) {
      return plain ? MAX_TOKENS : MAX_COMPLETION_TOKENS;
    }
    if (own != null) {
      return own;
    }
    // an endpoint without a parameter list probably supports only the older name
    return completion && isListed(endpoint) ? MAX_COMPLETION_TOKENS : MAX_TOKENS;
  }

  /** Returns whether the parameters of the endpoint are listed in the catalog. */
  static boolean isListed(Endpoint endpoint) {
    return endpoint.parameters() != Parameter.ALL;
  }

  /** Writes the end user as a hash; nothing when there is none. */
  private void user() {
    userDone = true;
    String hash = call.endUser();
    if (hash != null) {
      body.put("user", hash);
    }
  }

  private void metadata(Json value) {
    if (value instanceof Json.Obj pairs && pairs.has("user_id")) {
      userDone = userDone || !request.members().has("user");
    }
    body.put("metadata", Metadata.of(value, call.endUser()));
  }

  /**
   * Writes the end user's hash under another name; {@code user} is not added then, unless the
   * caller sent it.
   */
  private void userAs(String name, Json value) {
    if (value instanceof Json.Null) {
      body.put(name, value);
    } else if (call.endUser() instanceof String hash) {
      userDone = userDone || !request.members().has("user");
      body.put(name, hash);
    }
  }

  /**
   * Writes the service tier of the chosen endpoint. For an endpoint without a tier, a requested
   * tier that has its own endpoints is not sent, since the upstream would serve and bill that tier.
   */
  private void serviceTier(Json value) {
    tierDone = true;
    String own = call.endpoint().serviceTier();
    if (own != null) {
      body.put("service_tier", own);
      return;
    }
    if (!(value instanceof Json.Str tier) || !TIERS.contains(tier.text())) {
      body.put("service_tier", value);
    }
  }
}
