package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.Metadata;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a request in this dialect. The caller's members keep their order, and each is
 * passed on, changed or dropped. Members with a typed form are written from that form, so a changed
 * item replaces the original.
 *
 * <p>Contract: responses fact sheet, "Request"; translation fact sheet, section 8. Test: {@code
 * ResponsesPassThroughBodyTest}.
 */
final class ResponsesPassThroughBody {
  private final Call call;
  private final InferenceRequest request;
  private final Losses losses;
  private final List<Tool> tools;
  private final ReasoningMember reasoning;
  private final Json.Obj.Builder body = Json.object();

  private ResponsesPassThroughBody(Call call, Losses losses) {
    this.call = call;
    this.losses = losses;
    this.tools = tools(call, losses);
    ResponsesToolWriter.reportSearchLosses(tools, losses);
    this.request = call.request().toBuilder().tools(tools).build();
    this.reasoning = new ReasoningMember(call, losses);
  }

  /**
   * @param call a call whose request is in the responses dialect
   */
  static Json.Obj of(Call call, Losses losses) {
    return new ResponsesPassThroughBody(call, losses).write();
  }

  private static List<Tool> tools(Call call, Losses losses) {
    List<Tool> sentTools = ResponsesToolWriter.forEndpoint(call);
    if (sentTools.size() < ResponsesToolWriter.forUpstream(call.request().tools()).size()) {
      losses.dropped("tools", "the endpoint has no such parameter");
    }
    return sentTools;
  }

  private Json.Obj write() {
    Json.Obj document = ResponsesRequestWriter.document(request);
    for (int i = 0; i < document.size(); i++) {
      putMember(document.name(i), document.value(i));
    }
    putMissing(document);
    return body.build();
  }

  private void putMember(String name, Json value) {
    switch (name) {
      case "model" -> body.put(name, call.endpoint().upstreamModel());
      case "input" -> body.put(name, input(value));
      case "max_output_tokens" -> putLimit(value);
      case "user" -> putUser();
      case "safety_identifier" -> put(name, value instanceof Json.Null ? value : hash());
      case "metadata" -> body.put(name, Metadata.of(value, call.endUser()));
      case "service_tier" -> put(name, MemberPolicy.tier(call, value));
      case "store" -> body.put(name, Json.FALSE);
      case "include" -> put(name, include(value));
      case "reasoning" -> putReasoning(value);
      case "text" -> put(name, text(value));
      default -> putToolMember(name, value);
    }
  }

  private void putToolMember(String name, Json value) {
    switch (name) {
      case "tools" -> {
        if (!tools.isEmpty()) {
          body.put(name, value);
        }
      }
      case "max_tool_calls" -> {
        if (tools.stream().anyMatch(tool -> !(tool instanceof Tool.Function))) {
          body.put(name, value); // limits the tools that the upstream runs
        }
      }
      case "tool_choice" -> put(name, choice(value));
      case "parallel_tool_calls" -> {
        if (!tools.isEmpty()) {
          putOptional(name, value);
        }
      }
      case "stream_options" -> {
        if (request.streaming()) {
          body.put(name, value);
        }
      }
      default -> putOptional(name, value);
    }
  }

  private void putOptional(String name, Json value) {
    if (MemberPolicy.accepts(call, name)) {
      body.put(name, value);
    } else {
      reportUnsupported(name, value);
    }
  }

  private void reportUnsupported(String name, Json value) {
    if (!(value instanceof Json.Null)) {
      losses.dropped(name, "the endpoint has no such parameter");
    }
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  /** Writes the members that must be sent even when the caller did not set them. */
  private void putMissing(Json.Obj document) {
    if (!document.has("model")) {
      putMember("model", Json.NULL);
    }
    if (!document.has("store")) {
      putMember("store", Json.FALSE);
    }
    if (!document.has("include")) {
      put("include", include(null));
    }
    if (!document.has("max_output_tokens") && MemberPolicy.limit(call) > 0) {
      putLimit(Json.NULL);
    }
    if (!document.has("user")) {
      putUser();
    }
    if (!document.has("service_tier")) {
      put("service_tier", MemberPolicy.tier(call, null));
    }
    if (!document.has("tool_choice") && !request.mayCallTools()) {
      put("tool_choice", choice(Json.NULL));
    }
  }

  /** Returns the items to send; the same list when nothing changes. */
  private Json input(Json original) {
    if (!(original instanceof Json.Arr items)) {
      return original;
    }
    List<Json> sentItems = new ArrayList<>(items.size());
    boolean isUnchanged = true;
    for (Json item : items) {
      Json sentItem = item(item);
      isUnchanged = isUnchanged && sentItem == item;
      if (sentItem != null) {
        sentItems.add(sentItem);
      }
    }
    return isUnchanged ? items : Json.array(sentItems);
  }

  private @Nullable Json item(Json original) {
    return original instanceof Json.Obj item && "reasoning".equals(item.text("type"))
        ? ResponsesReasoningItem.forUpstream(item, losses)
        : original;
  }

  private void putLimit(Json original) {
    int limit = MemberPolicy.limit(call);
    boolean isUnchanged = original instanceof Json.Num num && num.asLong().orElse(-1) == limit;
    body.put("max_output_tokens", limit <= 0 || isUnchanged ? original : Json.of(limit));
  }

  /** Writes the end user as a hash; nothing when there is none. */
  private void putUser() {
    Json hash = hash();
    Json.Obj pairs = request.members().object("metadata");
    boolean isSentElsewhere =
        pairs != null && pairs.has("user_id")
            || request.members().text("safety_identifier") != null;
    if (hash != null && !(isSentElsewhere && request.user() == null)) {
      body.put("user", hash);
    }
  }

  private @Nullable Json hash() {
    return call.endUser() == null ? null : Json.of(call.endUser());
  }

  /** Requests reasoning in a form that can be sent back, whenever the model may reason. */
  private @Nullable Json include(@Nullable Json original) {
    Json.Obj member = request.members().object("reasoning");
    ReasoningOptions options =
        member == null ? ReasoningOptions.NONE : ReasoningMember.parseOptions(member);
    return reasoning.mayReason(options)
        ? MemberPolicy.withValue(original, MemberPolicy.ENCRYPTED)
        : original;
  }

  private void putReasoning(Json original) {
    if (reasoning.isAccepted()) {
      body.put(
          "reasoning", original instanceof Json.Obj member ? reasoning.rewrite(member) : original);
    } else {
      reportUnsupported("reasoning", original);
    }
  }

  private @Nullable Json text(Json original) {
    if (!(original instanceof Json.Obj member)) {
      return original;
    }
    Json.Obj text = withoutUnaccepted(member, "verbosity", MemberPolicy.accepts(call, "verbosity"));
    text = withoutUnaccepted(text, "format", MemberPolicy.acceptsFormat(call));
    return text.size() == 0 && member.size() > 0 ? null : text;
  }

  /**
   * Removes a member that the endpoint does not accept; records a loss unless it is null or the
   * default.
   */
  private Json.Obj withoutUnaccepted(Json.Obj text, String name, boolean isAccepted) {
    if (isAccepted || !text.has(name)) {
      return text;
    }
    boolean isDefault =
        text.get(name) instanceof Json.Obj format && "text".equals(format.text("type"));
    if (!isDefault && !(text.get(name) instanceof Json.Null)) {
      losses.dropped("text." + name, "the endpoint has no such parameter");
    }
    return text.without(name);
  }

  private @Nullable Json choice(Json original) {
    if (tools.isEmpty()) {
      return null;
    }
    if (!request.mayCallTools()) {
      return Json.of("none");
    }
    if (!MemberPolicy.accepts(call, "tool_choice")) {
      reportUnsupported("tool_choice", original);
      return null;
    }
    return ResponsesToolWriter.choice(original, tools);
  }
}
