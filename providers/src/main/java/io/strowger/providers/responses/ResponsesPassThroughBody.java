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
 * Writes the body of a request in this dialect: the caller's members in their order, each passed,
 * changed or dropped. Members with a typed form are written from that form, so a changed item
 * replaces the original.
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
    ResponsesToolWriter.tellSearch(tools, losses);
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
    List<Tool> leaving = ResponsesToolWriter.forEndpoint(call);
    if (leaving.size() < ResponsesToolWriter.forUpstream(call.request().tools()).size()) {
      losses.dropped("tools", "the endpoint takes none");
    }
    return leaving;
  }

  private Json.Obj write() {
    Json.Obj given = ResponsesRequestWriter.document(request);
    for (int i = 0; i < given.size(); i++) {
      member(given.name(i), given.value(i));
    }
    missing(given);
    return body.build();
  }

  private void member(String name, Json value) {
    switch (name) {
      case "model" -> body.put(name, call.endpoint().upstreamModel());
      case "input" -> body.put(name, input(value));
      case "max_output_tokens" -> limit(value);
      case "user" -> user();
      case "safety_identifier" -> put(name, value instanceof Json.Null ? value : hash());
      case "metadata" -> body.put(name, Metadata.of(value, call.endUser()));
      case "service_tier" -> put(name, MemberPolicy.tier(call, value));
      case "store" -> body.put(name, Json.FALSE);
      case "include" -> put(name, include(value));
      case "reasoning" -> reasoning(value);
      case "text" -> put(name, text(value));
      default -> aboutTools(name, value);
    }
  }

  private void aboutTools(String name, Json value) {
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
          optional(name, value);
        }
      }
      case "stream_options" -> {
        if (request.streaming()) {
          body.put(name, value);
        }
      }
      default -> optional(name, value);
    }
  }

  private void optional(String name, Json value) {
    if (MemberPolicy.takes(call, name)) {
      body.put(name, value);
    } else if (!(value instanceof Json.Null)) {
      losses.dropped(name, "the endpoint takes none");
    }
  }

  private void put(String name, @Nullable Json value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  /** Writes the members that must be sent even when the caller did not set them. */
  private void missing(Json.Obj given) {
    if (!given.has("model")) {
      member("model", Json.NULL);
    }
    if (!given.has("store")) {
      member("store", Json.FALSE);
    }
    if (!given.has("include")) {
      put("include", include(null));
    }
    if (!given.has("max_output_tokens") && MemberPolicy.limit(call) > 0) {
      limit(Json.NULL);
    }
    if (!given.has("user")) {
      user();
    }
    if (!given.has("service_tier")) {
      put("service_tier", MemberPolicy.tier(call, null));
    }
    if (!given.has("tool_choice") && !request.mayCallTools()) {
      put("tool_choice", choice(Json.NULL));
    }
  }

  /** Returns the items to send; the same list when nothing changes. */
  private Json input(Json given) {
    if (!(given instanceof Json.Arr items)) {
      return given;
    }
    List<Json> leaving = new ArrayList<>(items.size());
    boolean same = true;
    for (Json item : items) {
      Json left = item(item);
      same = same && left == item;
      if (left != null) {
        leaving.add(left);
      }
    }
    return same ? items : Json.array(leaving);
  }

  private @Nullable Json item(Json given) {
    return given instanceof Json.Obj item && "reasoning".equals(item.text("type"))
        ? ResponsesReasoningItem.forUpstream(item, losses)
        : given;
  }

  private void limit(Json given) {
    int limit = MemberPolicy.limit(call);
    boolean same = given instanceof Json.Num num && num.asLong().orElse(-1) == limit;
    body.put("max_output_tokens", limit <= 0 || same ? given : Json.of(limit));
  }

  /** Writes the end user as a hash; nothing when there is none. */
  private void user() {
    Json hash = hash();
    Json.Obj pairs = request.members().object("metadata");
    boolean elsewhere =
        pairs != null && pairs.has("user_id")
            || request.members().text("safety_identifier") != null;
    if (hash != null && !(elsewhere && request.user() == null)) {
      body.put("user", hash);
    }
  }

  private @Nullable Json hash() {
    return call.endUser() == null ? null : Json.of(call.endUser());
  }

  /** Requests reasoning in a form that can be sent back, whenever the model may reason. */
  private @Nullable Json include(@Nullable Json given) {
    Json.Obj said = request.members().object("reasoning");
    ReasoningOptions wish = said == null ? ReasoningOptions.NONE : ReasoningMember.wish(said);
    return reasoning.thinks(wish) ? MemberPolicy.including(given, MemberPolicy.ENCRYPTED) : given;
  }

  private void reasoning(Json given) {
    if (reasoning.taken()) {
      body.put("reasoning", given instanceof Json.Obj said ? reasoning.own(said) : given);
    }
  }

  private @Nullable Json text(Json given) {
    if (!(given instanceof Json.Obj said)) {
      return given;
    }
    Json.Obj text = kept(said, "verbosity", MemberPolicy.takes(call, "verbosity"));
    text = kept(text, "format", MemberPolicy.takesFormat(call));
    return text.size() == 0 && said.size() > 0 ? null : text;
  }

  /**
   * Removes a member that the endpoint does not accept; records a loss unless it is null or the
   * default.
   */
  private Json.Obj kept(Json.Obj text, String name, boolean taken) {
    if (taken || !text.has(name)) {
      return text;
    }
    boolean plain = text.get(name) instanceof Json.Obj format && "text".equals(format.text("type"));
    if (!plain && !(text.get(name) instanceof Json.Null)) {
      losses.dropped("text." + name, "the endpoint takes none");
    }
    return text.without(name);
  }

  private @Nullable Json choice(Json given) {
    if (tools.isEmpty()) {
      return null;
    }
    if (!request.mayCallTools()) {
      return Json.of("none");
    }
    return MemberPolicy.takes(call, "tool_choice")
        ? ResponsesToolWriter.choice(given, tools)
        : null;
  }
}
