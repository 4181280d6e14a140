package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body for a request in this dialect. The caller's members keep their order, and each is
 * passed on, changed or dropped. Members with a typed form are written from that form, so a changed
 * message replaces the original; unchanged values keep their bytes.
 *
 * <p>Contract: translation fact sheet, section 8. Test: {@code MessagesPassThroughBodyTest}.
 */
final class MessagesPassThroughBody {
  /**
   * The bit of the parameter that an endpoint must support for a member to be sent, by the member's
   * name. A member without an entry is always sent.
   */
  private static final Map<String, Long> BITS_BY_MEMBER =
      Map.of(
          "temperature",
          Parameter.TEMPERATURE.bit(),
          "top_p",
          Parameter.TOP_P.bit(),
          "top_k",
          Parameter.TOP_K.bit(),
          "stop_sequences",
          Parameter.STOP.bit());

  private static final long FORMAT_PARAMETERS =
      Parameter.RESPONSE_FORMAT.bit() | Parameter.STRUCTURED_OUTPUTS.bit();

  /** The members with a typed form, in the order they are added if the caller did not send them. */
  private static final List<String> TYPED_MEMBERS =
      List.of("model", "system", "messages", "tools", "max_tokens", "stream", "metadata");

  private final Call call;
  private final InferenceRequest request;
  private final ContentBlockWriter blocks;
  private final Losses losses;
  private final PassThroughMessages messages;
  private final List<Tool> tools;
  private final int limit;
  private final ThinkingPlan plan;
  private final Json.Obj.Builder body = Json.object();

  private MessagesPassThroughBody(Call call, ContentBlockWriter blocks) {
    this.call = call;
    this.request = call.request();
    this.blocks = blocks;
    this.losses = new Losses(call.losses());
    this.messages = new PassThroughMessages(blocks, losses);
    this.tools = tools(call, losses);
    this.limit = MemberPolicy.outputLimit(call, losses);
    List<Message> sentMessages = messages.sentMessages(request.messages());
    this.plan =
        request.members().object("thinking") == null
            ? ThinkingPlan.UNSET
            : ThinkingPlan.of(
                call, limit, PassThroughMessages.lacksThinkingBeforeTools(sentMessages), losses);
  }

  /**
   * @param call a call whose request is in the messages dialect
   */
  static Json.Obj of(Call call, ContentBlockWriter blocks) {
    return new MessagesPassThroughBody(call, blocks).write();
  }

  private static List<Tool> tools(Call call, Losses losses) {
    boolean acceptsTools = call.endpoint().supports(Parameter.TOOLS);
    List<Tool> requestedTools = call.request().tools();
    List<Tool> sentTools =
        requestedTools.stream().filter(tool -> isSent(tool, acceptsTools)).toList();
    if (sentTools.size() < requestedTools.stream().filter(tool -> isSent(tool, true)).count()) {
      losses.dropped("tools", "the endpoint has no such parameter");
    }
    return sentTools;
  }

  private static boolean isSent(Tool tool, boolean acceptsTools) {
    return switch (tool) {
      case Tool.Function function -> acceptsTools;
      case Tool.Server server -> server.isUpstreamSearch();
      case Tool.Unknown unknown -> acceptsTools && !unknown.type().startsWith("router:");
    };
  }

  private Json.Obj write() {
    Json.Obj members = request.members();
    for (int i = 0; i < members.size(); i++) {
      put(members.name(i), member(members.name(i), members.value(i)));
    }
    for (String name : TYPED_MEMBERS) {
      if (!members.has(name)) {
        put(name, member(name, Json.NULL));
      }
    }
    if (!members.has("tool_choice")) {
      put("tool_choice", toolChoice(Json.NULL));
    }
    if (!members.has("output_config")) {
      put("output_config", outputConfig(Json.Obj.EMPTY));
    }
    if (!members.has("service_tier")) {
      put("service_tier", tier(Json.NULL));
    }
    return body.build();
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  /** Returns the value to send under this name; null to leave the member out. */
  private @Nullable Json member(String name, Json value) {
    return switch (name) {
      case "model" -> Json.of(call.endpoint().upstreamModel());
      case "system" -> system();
      case "messages" -> messages.write(request.messages(), value);
      case "tools" -> tools();
      case "tool_choice" -> toolChoice(value);
      case "max_tokens" -> withNumber(value, limit);
      case "stream" -> request.streaming() || value instanceof Json.Bool ? stream(value) : null;
      case "metadata" -> metadata(value);
      case "service_tier" -> tier(value);
      case "speed" -> speed(value);
      case "thinking" -> thinking(value);
      case "output_config" ->
          outputConfig(value instanceof Json.Obj config ? config : Json.Obj.EMPTY);
      default -> valueIfSupported(name, value);
    };
  }

  private @Nullable Json valueIfSupported(String name, Json value) {
    Long requiredBit = BITS_BY_MEMBER.get(name);
    if (requiredBit == null || (call.endpoint().parameterMask() & requiredBit) != 0) {
      return value;
    }
    losses.dropped(name, "the endpoint has no such parameter");
    return null;
  }

  private @Nullable Json system() {
    Message system = request.instructions();
    if (system == null) {
      return null;
    }
    return system.source() == null
        ? blocks.content(system.parts(), system.contentForm())
        : system.source();
  }

  private static Json withNumber(Json value, int number) {
    boolean isUnchanged = value instanceof Json.Num count && count.asLong().orElse(0) == number;
    return isUnchanged ? value : Json.of(number);
  }

  private Json stream(Json value) {
    Json.Bool streaming = Json.of(request.streaming());
    return streaming.equals(value) ? value : streaming;
  }

  private @Nullable Json tools() {
    if (tools.isEmpty()) {
      return null;
    }
    boolean strict = MemberPolicy.allowsStrictTools(request);
    return Json.array(tools.stream().map(tool -> tool(tool, strict)).toList());
  }

  /** Returns the tool; functions lose {@code strict} unless the caller requested its feature. */
  private Json tool(Tool tool, boolean strict) {
    Json json = MessagesToolWriter.json(tool);
    if (strict
        || !(tool instanceof Tool.Function)
        || !(json instanceof Json.Obj function)
        || !function.has("strict")) {
      return json;
    }
    if (Json.TRUE.equals(function.get("strict"))) {
      losses.dropped("strict", "the caller did not request the beta feature structured-outputs");
    }
    return function.without("strict");
  }

  /** Returns the tool choice; null without tools or when it names a tool that is not sent. */
  private @Nullable Json toolChoice(Json value) {
    if (tools.isEmpty()) {
      return null;
    }
    if (!request.mayCallTools()) {
      return Json.object().put("type", "none").build();
    }
    if (!(value instanceof Json.Obj choice)) {
      return null;
    }
    String name = "tool".equals(choice.text("type")) ? choice.text("name") : null;
    if (name != null && tools.stream().noneMatch(tool -> name.equals(nameOf(tool)))) {
      losses.dropped("tool_choice", "names a tool that is not sent upstream");
      return null;
    }
    if (!call.endpoint().supports(Parameter.TOOL_CHOICE)) {
      losses.dropped("tool_choice", "the endpoint has no such parameter");
      return null;
    }
    return choice;
  }

  private static @Nullable String nameOf(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function.name();
      case Tool.Server server -> MessagesToolWriter.SEARCH;
      case Tool.Unknown unknown ->
          unknown.source() instanceof Json.Obj source ? source.text("name") : null;
    };
  }

  /** Returns the metadata with the end user as a hash; null when nothing is left. */
  private @Nullable Json metadata(Json value) {
    Json.Obj metadata = value instanceof Json.Obj pairs ? pairs : Json.Obj.EMPTY;
    String hash = call.endUser();
    if (hash != null) {
      return metadata.with("user_id", Json.of(hash));
    }
    Json.Obj withoutUser = metadata.without("user_id");
    return withoutUser.size() == 0 ? null : withoutUser;
  }

  private @Nullable Json tier(Json value) {
    String requested = value instanceof Json.Str word ? word.text() : null;
    String tier = MemberPolicy.serviceTier(requested, call, losses);
    if (tier == null) {
      return null;
    }
    return tier.equals(requested) ? value : Json.of(tier);
  }

  private @Nullable Json speed(Json value) {
    if (MemberPolicy.isPriority(call)) {
      return value;
    }
    if (value instanceof Json.Str word && word.is("fast")) {
      losses.dropped("speed", "the endpoint is not of the priority tier");
    }
    return null;
  }

  private @Nullable Json thinking(Json value) {
    if (!(value instanceof Json.Obj thinking)) {
      return null;
    }
    return plan.matches(thinking) ? thinking : plan.thinking();
  }

  /** Returns the config with the effort of the plan or of the caller; null when empty. */
  private @Nullable Json outputConfig(Json.Obj source) {
    Json.Obj config = source;
    String effort = source.text("effort");
    String supported = effort(effort);
    if (supported == null) {
      config = config.without("effort");
    } else if (!supported.equals(effort)) {
      config = config.with("effort", Json.of(supported));
    }
    if (config.has("format") && (call.endpoint().parameterMask() & FORMAT_PARAMETERS) == 0) {
      losses.dropped("output_config.format", "the endpoint has no such parameter");
      config = config.without("format");
    }
    return config.size() == 0 ? null : config;
  }

  private @Nullable String effort(@Nullable String requested) {
    if (plan.effort() != null) {
      return plan.effort().wireName();
    }
    if (requested == null) {
      return null;
    }
    if (!call.endpoint().supports(Parameter.REASONING_EFFORT)
        && !call.endpoint().supports(Parameter.REASONING)) {
      losses.dropped("output_config.effort", "the endpoint has no such parameter");
      return null;
    }
    Effort nearest =
        Effort.ofWireName(requested).map(e -> e.nearest(call.reasoning().efforts())).orElse(null);
    if (nearest == null || nearest.wireName().equals(requested)) {
      return requested;
    }
    losses.changed(
        "output_config.effort",
        requested + " is not supported: " + nearest.wireName() + " was sent");
    return nearest.wireName();
  }
}
