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
  private static final String INCLUDE_REASONING = "include_reasoning";
  private static final String REASONING = "reasoning";
  private static final String UNSUPPORTED = "the endpoint has no such parameter";

  /** The service tiers that have their own endpoints. */
  static final Set<String> TIERS = Set.of("fast", "priority", "flex");

  /**
   * The {@link Parameter#bit bits} of the parameters that a member of a request depends on, by the
   * member's name. A member is sent if the endpoint supports at least one of its parameters;
   * members without an entry are always sent.
   */
  private static final Map<String, Long> BITS_BY_MEMBER = bitsByMember();

  private final Call call;
  private final InferenceRequest request;
  private final List<Tool> tools;
  private final JsonOutput out;
  private final ChatObjectWriter body;
  private final Losses losses;
  private final ReasoningForm reasoningForm;
  private boolean isLimitWritten;
  private boolean isToolChoiceWritten;
  private boolean isModelWritten;
  private boolean areMessagesWritten;
  private boolean areToolsWritten;
  private boolean isStreamWritten;
  private boolean areStreamOptionsWritten;
  private boolean isUserWritten;
  private boolean isTierWritten;

  private ChatRequestWriter(Call call) {
    this.call = call;
    this.request = call.request();
    this.losses = new Losses(call.losses());
    this.tools = tools(call, losses);
    this.out = UpstreamCodec.newOutput(call);
    this.body = new ChatObjectWriter(out);
    this.reasoningForm = new ReasoningForm(call, losses);
  }

  private static List<Tool> tools(Call call, Losses losses) {
    List<Tool> upstreamTools = ChatToolWriter.forUpstream(call.request().tools());
    if (upstreamTools.isEmpty() || call.endpoint().supports(Parameter.TOOLS)) {
      return upstreamTools;
    }
    losses.dropped("tools", UNSUPPORTED);
    return List.of();
  }

  private static Map<String, Long> bitsByMember() {
    var bitsByMember = new HashMap<String, Long>();
    for (Parameter parameter : Parameter.values()) {
      bitsByMember.put(parameter.wireName(), parameter.bit());
    }
    bitsByMember.put(
        "response_format", Parameter.RESPONSE_FORMAT.bit() | Parameter.STRUCTURED_OUTPUTS.bit());
    return Map.copyOf(bitsByMember);
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
      writeMember(members, i);
    }
    writeMissing();
    body.end();
    return out;
  }

  private void writeMember(Json.Obj members, int index) {
    Json value = members.value(index);
    switch (members.name(index)) {
      case "model" -> writeModel();
      case "messages" -> writeMessages(value);
      case "tools" -> writeTools();
      case "stream" -> writeStream();
      case "stream_options" -> writeStreamOptions(value);
      case MAX_TOKENS, MAX_COMPLETION_TOKENS -> writeLimit(members.name(index));
      case "user" -> writeUser();
      case "metadata" -> writeMetadata(value);
      case "service_tier" -> writeServiceTier(value);
      case "tool_choice" -> writeToolChoice(members, index);
      case "parallel_tool_calls" -> {
        if (!tools.isEmpty()) {
          writeIfSupported(members, index);
        }
      }
      case REASONING -> writeReasoning(value);
      case EFFORT -> writeReasoningEffort(value);
      case INCLUDE_REASONING -> writeIncludeReasoning(members, index);
      case "safety_identifier" -> writeUserAs("safety_identifier", value);
      default -> writeIfSupported(members, index);
    }
  }

  private void writeIfSupported(Json.Obj members, int index) {
    Long requiredBits = BITS_BY_MEMBER.get(members.name(index));
    if (requiredBits == null || (call.endpoint().parameterMask() & requiredBits) != 0) {
      body.copy(members, index);
    } else if (!(members.value(index) instanceof Json.Null)) {
      losses.dropped(members.name(index), UNSUPPORTED);
    }
  }

  /** Writes the caller's tool choice, or {@code none} when the request forbids tool calls. */
  private void writeToolChoice(Json.Obj members, int index) {
    if (!request.mayCallTools()) {
      writeNoToolChoice();
    } else if (!tools.isEmpty() && ChatToolWriter.isUpstreamChoice(members.value(index), tools)) {
      writeIfSupported(members, index);
    }
  }

  private void writeNoToolChoice() {
    if (!tools.isEmpty() && !isToolChoiceWritten) {
      isToolChoiceWritten = true;
      if (call.endpoint().supports(Parameter.TOOL_CHOICE)) {
        body.put("tool_choice", "none");
      } else {
        losses.dropped("tool_choice", UNSUPPORTED);
      }
    }
  }

  private void writeReasoning(Json value) {
    if (!reasoningForm.takesObject()) {
      if (isObjectSentAsEffort()) {
        writeEffortOnly();
      }
    } else if (value instanceof Json.Obj object) {
      writeReasoningObject(object);
    } else {
      body.put(REASONING, value);
    }
  }

  /**
   * Returns whether the effort in the caller's {@code reasoning} object is sent as {@code
   * reasoning_effort}. If the caller sent {@code reasoning_effort} too, that member is sent
   * instead.
   */
  private boolean isObjectSentAsEffort() {
    return !reasoningForm.takesObject()
        && hasObject()
        && !(request.members().get(EFFORT) instanceof Json.Str);
  }

  /**
   * Writes {@code reasoning}. The object includes the effort and the visibility if the endpoint
   * supports these only inside the object.
   */
  private void writeReasoningObject(Json.Obj object) {
    Json.Obj options = object;
    if (request.members().get(EFFORT) instanceof Json.Str effort
        && !object.has("effort")
        && !call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      options = options.with("effort", effort);
    }
    if (Json.FALSE.equals(request.members().get(INCLUDE_REASONING))
        && !object.has("exclude")
        && !call.endpoint().supports(Parameter.INCLUDE_REASONING)) {
      options = options.with("exclude", Json.TRUE);
    }
    body.put(REASONING, reasoningForm.adapt(options));
  }

  /** Writes the effort as a member or inside the object, depending on the endpoint, or drops it. */
  private void writeReasoningEffort(Json value) {
    if (isObjectSentAsEffort()) {
      return;
    }
    if (call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      body.put(EFFORT, reasoningForm.adapt(value));
    } else if (!reasoningForm.takesObject()) {
      if (value instanceof Json.Str) {
        losses.dropped(EFFORT, UNSUPPORTED);
      }
    } else if (!hasObject() && value instanceof Json.Str) {
      writeReasoningObject(Json.Obj.EMPTY);
    }
  }

  private boolean hasObject() {
    return request.members().get(REASONING) instanceof Json.Obj;
  }

  /** Writes {@code include_reasoning}, or {@code reasoning} if only that is supported. */
  private void writeIncludeReasoning(Json.Obj members, int index) {
    boolean isEffortSentInObject =
        members.get(EFFORT) instanceof Json.Str
            && !call.endpoint().supports(Parameter.REASONING_EFFORT);
    if (call.endpoint().supports(Parameter.INCLUDE_REASONING) || !reasoningForm.takesObject()) {
      writeIfSupported(members, index);
    } else if (!hasObject() && !isEffortSentInObject) {
      writeReasoningObject(Json.Obj.EMPTY);
    }
  }

  private void writeEffortOnly() {
    if (call.endpoint().supports(Parameter.REASONING_EFFORT)) {
      Json effort = reasoningForm.asEffort(request.generationParameters().reasoning());
      if (effort != null) {
        body.put(EFFORT, effort);
      }
    } else {
      losses.dropped(REASONING, UNSUPPORTED);
    }
  }

  /** Writes the members that are needed and that the caller did not send. */
  private void writeMissing() {
    if (!request.mayCallTools()) {
      writeNoToolChoice();
    }
    if (!isModelWritten) {
      writeModel();
    }
    if (!areMessagesWritten) {
      writeMessages(null);
    }
    if (!areToolsWritten) {
      writeTools();
    }
    if (!isStreamWritten && request.streaming()) {
      writeStream();
    }
    if (!areStreamOptionsWritten) {
      writeStreamOptions(Json.NULL);
    }
    if (!isLimitWritten) {
      writeLimit(MAX_TOKENS);
    }
    if (!isUserWritten) {
      writeUser();
    }
    UpstreamSearch search = UpstreamSearch.findIn(request.tools());
    if (search != null && !request.members().has(SearchOptions.MEMBER)) {
      body.put(SearchOptions.MEMBER, SearchOptions.of(search, losses));
    }
    if (!isTierWritten && call.endpoint().serviceTier() != null) {
      writeServiceTier(Json.NULL);
    }
  }

  private void writeModel() {
    isModelWritten = true;
    body.put("model", call.endpoint().upstreamModel());
  }

  /**
   * @param original the caller's messages; null when there are none
   */
  private void writeMessages(@Nullable Json original) {
    areMessagesWritten = true;
    List<Message> messages = request.messages();
    if (original instanceof Json.Arr list && MessageWriter.areUnchanged(messages, list)) {
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

  private void writeTools() {
    areToolsWritten = true;
    if (!tools.isEmpty()) {
      ChatToolWriter.write(tools, body.name("tools"));
    }
  }

  private void writeStream() {
    isStreamWritten = true;
    body.put("stream", Json.of(request.streaming()));
  }

  /**
   * Writes the stream options, always with usage; writes nothing for a request without streaming.
   */
  private void writeStreamOptions(Json value) {
    areStreamOptionsWritten = true;
    if (request.streaming()) {
      Json.Obj options = value instanceof Json.Obj object ? object : Json.Obj.EMPTY;
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
  private void writeLimit(String name) {
    int limit = call.outputCap() > 0 ? call.outputCap() : request.maxOutputTokens();
    if (isLimitWritten || limit <= 0) {
      return;
    }
    isLimitWritten = true;
    boolean hasCallerLimit = request.maxOutputTokens() > 0;
    body.put(limitName(call.endpoint(), hasCallerLimit ? name : null), Json.of(limit));
  }

  /**
   * Returns the name of the output limit.
   *
   * @param callerName the caller's name for the limit; null when the caller's dialect has another
   *     name, or when the caller set no limit
   */
  static String limitName(Endpoint endpoint, @Nullable String callerName) {
    boolean supportsMaxTokens = endpoint.supports(Parameter.MAX_TOKENS);
    boolean supportsMaxCompletionTokens = endpoint.supports(Parameter.MAX_COMPLETION_TOKENS);
    if (supportsMaxTokens != supportsMaxCompletionTokens) {
      return supportsMaxTokens ? MAX_TOKENS : MAX_COMPLETION_TOKENS;
    }
    if (callerName != null) {
      return callerName;
    }
    // an endpoint without a parameter list probably supports only the older name
    return supportsMaxCompletionTokens && hasParameterList(endpoint)
        ? MAX_COMPLETION_TOKENS
        : MAX_TOKENS;
  }

  /** Returns whether the parameters of the endpoint are listed in the catalog. */
  static boolean hasParameterList(Endpoint endpoint) {
    return endpoint.parameterMask() != Parameter.ALL;
  }

  /** Writes the end user as a hash; nothing when there is none. */
  private void writeUser() {
    isUserWritten = true;
    String hash = call.endUser();
    if (hash != null) {
      body.put("user", hash);
    }
  }

  private void writeMetadata(Json value) {
    if (value instanceof Json.Obj pairs && pairs.has("user_id")) {
      isUserWritten = isUserWritten || !request.members().has("user");
    }
    body.put("metadata", Metadata.of(value, call.endUser()));
  }

  /**
   * Writes the end user's hash under another name. {@code user} is then written only if the caller
   * sent {@code user} too.
   */
  private void writeUserAs(String name, Json value) {
    if (value instanceof Json.Null) {
      body.put(name, value);
    } else if (call.endUser() instanceof String hash) {
      isUserWritten = isUserWritten || !request.members().has("user");
      body.put(name, hash);
    }
  }

  /**
   * Writes the service tier of the chosen endpoint. For an endpoint without a tier, a requested
   * tier that has its own endpoints is not sent, since the upstream would serve and bill that tier.
   */
  private void writeServiceTier(Json value) {
    isTierWritten = true;
    String endpointTier = call.endpoint().serviceTier();
    if (endpointTier != null) {
      body.put("service_tier", endpointTier);
      return;
    }
    if (!(value instanceof Json.Str requested) || !TIERS.contains(requested.text())) {
      body.put("service_tier", value);
    }
  }
}
