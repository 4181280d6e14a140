package io.strowger.core.attempt;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Removes the members of a request that only the gateway reads, before an adapter sees it ({@link
 * Call#request()}). This class has the only list of such members: adapters have none. {@link
 * GatewayMessages} does the same within messages.
 *
 * <p>The conversation or the tools as the caller sent them are removed too once the typed form
 * differs: after a plugin or a content filter edited the conversation or the tools, or after this
 * class removed something from them. So nothing that was removed from a request is left in its
 * members. Decision 43.
 *
 * <p>A request from which nothing is removed stays the same object. Members that are kept keep
 * their bytes.
 *
 * <p>Contract: translation fact sheet, section 8. Test: {@code GatewayMembersTest}.
 */
public final class GatewayMembers {
  private static final String REASONING = "reasoning";
  private static final String INCLUDE_REASONING = "include_reasoning";
  private static final String EXCLUDE = "exclude";
  private static final String USER_ID = "user_id";
  private static final String GATEWAY_TOOL = "router:";

  private static final Set<String> CHAT =
      Set.of(
          "provider",
          "models",
          "fallbacks",
          "plugins",
          "route",
          "preset",
          "session_id",
          "trace",
          "debug",
          "stop_server_tools_when",
          "max_tool_calls");

  /** Includes {@code user}: upstreams of the dialect use {@code metadata.user_id} instead. */
  private static final Set<String> MESSAGES = plus(CHAT, "user", INCLUDE_REASONING);

  /** Without {@code max_tool_calls}: upstreams apply it to the tools they run themselves. */
  private static final Set<String> RESPONSES =
      minus(plus(CHAT, "cache_control", INCLUDE_REASONING), "max_tool_calls");

  /**
   * Speech providers do not receive the end user. {@code provider} is kept, since it holds what the
   * caller passes to one provider; the engine reads this when it calls the adapter.
   */
  private static final Set<String> SPEECH = minus(plus(CHAT, "user"), "provider");

  /** {@code provider} is kept, as for speech: it holds what a caller passes to one provider. */
  private static final Set<String> IMAGES_AND_TRANSCRIPTIONS = minus(CHAT, "provider");

  /** Members that are removed but still read as settings, for adapters of other dialects. */
  private static final List<String> READ_AS_SETTINGS = List.of(INCLUDE_REASONING, "cache_control");

  private final InferenceRequest request;
  private final @Nullable String endUser;
  private final Set<String> gatewayMembers;
  private final List<Message> messages;
  private final List<Tool> tools;
  private boolean hidesSettings; // a member that settings are read from was removed

  private GatewayMembers(InferenceRequest request, @Nullable String endUser) {
    this.request = request;
    this.endUser = endUser;
    this.gatewayMembers =
        switch (request.kind()) {
          case CHAT, EMBEDDINGS, RERANK -> names(request.dialect());
          case SPEECH -> SPEECH;
          case IMAGES, TRANSCRIPTIONS -> IMAGES_AND_TRANSCRIPTIONS;
        };
    this.messages = GatewayMessages.removeFrom(request.messages(), request.dialect());
    this.tools = withoutGatewayTools(request.tools());
  }

  /** Returns the names of the members of a dialect's body that only the gateway reads. */
  public static Set<String> names(Dialect dialect) {
    return switch (dialect) {
      case CHAT, GEMINI -> CHAT;
      case MESSAGES -> MESSAGES;
      case RESPONSES -> RESPONSES;
    };
  }

  private static Set<String> plus(Set<String> names, String... additions) {
    var result = new HashSet<>(names);
    result.addAll(List.of(additions));
    return Set.copyOf(result);
  }

  private static Set<String> minus(Set<String> names, String name) {
    var result = new HashSet<>(names);
    result.remove(name);
    return Set.copyOf(result);
  }

  /**
   * Returns a request as an adapter sees it; the same object when nothing has to be removed.
   *
   * @param endUser the hash that replaces the caller's end user wherever the request names one;
   *     null to remove it
   */
  public static InferenceRequest removeFrom(InferenceRequest request, @Nullable String endUser) {
    return new GatewayMembers(request, endUser).remove();
  }

  private InferenceRequest remove() {
    Json.Obj members = strippedMembers();
    String user = request.user() == null ? null : endUser;
    if (members == request.members()
        && tools == request.tools()
        && messages == request.messages()
        && hasNoGatewayFields(user)) {
      return request;
    }
    List<ModelRef> models = request.models();
    InferenceRequest.Builder builder =
        request.toBuilder()
            .members(members)
            .parameters(request.parameterMask())
            .messages(messages)
            .tools(tools)
            .models(models.size() > 1 ? models.subList(0, 1) : models)
            .preferences(ProviderPreferences.NONE)
            .plugins(List.of())
            .sessionId(null)
            .user(user)
            .origin(RequestOrigin.UNKNOWN);
    if (hidesSettings) {
      InferenceRequest original = request;
      builder.parametersReader(remainingMembers -> settings(original, remainingMembers));
    }
    return builder.build();
  }

  /** Returns whether no field besides members, messages and tools has anything to remove. */
  private boolean hasNoGatewayFields(@Nullable String user) {
    return request.models().size() <= 1
        && request.preferences() == ProviderPreferences.NONE
        && request.plugins().isEmpty()
        && request.sessionId() == null
        && request.origin().equals(RequestOrigin.UNKNOWN)
        && Objects.equals(request.user(), user);
  }

  private Json.Obj strippedMembers() {
    Json.Obj members = request.members();
    Json.Obj.Builder builder = null;
    for (int i = 0; i < members.size(); i++) {
      Json value = members.value(i);
      Json keptValue = stripMember(members.name(i), value);
      if (keptValue != value && builder == null) {
        builder = Json.object(keptValue == null ? members.size() - 1 : members.size());
        for (int j = 0; j < i; j++) {
          builder.put(members.name(j), members.value(j));
        }
      }
      if (builder != null && keptValue != null) {
        builder.put(members.name(i), keptValue);
      }
    }
    return builder == null ? members : builder.build();
  }

  /** Returns what is kept of a member, usually the same value; null when nothing is kept. */
  private @Nullable Json stripMember(String name, Json value) {
    if (gatewayMembers.contains(name)) {
      hidesSettings |= READ_AS_SETTINGS.contains(name);
      return null;
    }
    if (!isCurrent(name, value)) {
      return null;
    }
    return switch (name) {
      case "user", "safety_identifier" -> value instanceof Json.Str ? replacedName(value) : value;
      case "metadata" -> metadata(value);
      case REASONING -> reasoning(value);
      default -> value;
    };
  }

  /**
   * Returns whether a member equals its typed form, which was read from it. Members that are
   * neither the conversation nor the tools are always current.
   */
  private boolean isCurrent(String name, Json value) {
    boolean isResponses = request.dialect() == Dialect.RESPONSES;
    return switch (name) {
      case "messages" -> isResponses || isSource(value, messages, Message::source);
      case "input" -> !isResponses || isInput(value);
      case "system" -> request.dialect() != Dialect.MESSAGES || areInstructions(value);
      case "instructions" -> !isResponses || areInstructions(value);
      case "tools" -> isSource(value, tools, Tool::source);
      default -> true;
    };
  }

  private boolean isInput(Json value) {
    return value instanceof Json.Str
        ? messages.size() == 1 && messages.getFirst().source() == value
        : isSource(value, messages, Message::source);
  }

  private boolean areInstructions(Json value) {
    Message instructions = request.instructions();
    return instructions == null ? value instanceof Json.Null : instructions.source() == value;
  }

  private static <T> boolean isSource(
      Json value, List<T> items, Function<T, @Nullable Json> source) {
    if (!(value instanceof Json.Arr list)) {
      return value instanceof Json.Null && items.isEmpty();
    }
    if (list.size() != items.size()) {
      return false;
    }
    for (int i = 0; i < list.size(); i++) {
      if (source.apply(items.get(i)) != list.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the hash that replaces a name, or the value itself when it is that hash. */
  private @Nullable Json replacedName(Json value) {
    if (endUser == null) {
      return null;
    }
    return value instanceof Json.Str text && text.is(endUser) ? value : Json.of(endUser);
  }

  private Json metadata(Json value) {
    Json user = value instanceof Json.Obj pairs ? pairs.get(USER_ID) : null;
    if (!(value instanceof Json.Obj pairs) || user == null || user instanceof Json.Null) {
      return value;
    }
    Json replacement = replacedName(user);
    if (replacement == null) {
      return pairs.without(USER_ID);
    }
    return replacement == user ? value : pairs.with(USER_ID, replacement);
  }

  /** Removes {@code exclude}, which only upstreams of the chat dialect know. */
  private @Nullable Json reasoning(Json value) {
    if (!(value instanceof Json.Obj options) || !gatewayMembers.contains(INCLUDE_REASONING)) {
      return value;
    }
    Json.Obj remaining = options.without(EXCLUDE);
    hidesSettings |= remaining != options;
    return remaining.size() == 0 ? null : remaining;
  }

  /**
   * Returns the tools without the tools that the gateway runs, since functions have replaced those.
   */
  private static List<Tool> withoutGatewayTools(List<Tool> tools) {
    for (Tool tool : tools) {
      if (isGatewayTool(tool)) {
        return tools.stream().filter(candidate -> !isGatewayTool(candidate)).toList();
      }
    }
    return tools;
  }

  private static boolean isGatewayTool(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> false;
      case Tool.Server server -> !server.isUpstreamSearch();
      case Tool.Unknown unknown -> unknown.type().startsWith(GATEWAY_TOOL);
    };
  }

  /**
   * Reads the settings of a request as if nothing had been removed from it: other dialects have
   * members of their own for hidden reasoning and for caching.
   *
   * @param remainingMembers the members that are left
   */
  private static GenerationParameters settings(
      InferenceRequest original, Json.Obj remainingMembers) {
    Set<String> names = names(original.dialect());
    Json.Obj members = remainingMembers;
    for (String name : READ_AS_SETTINGS) {
      Json value = original.members().get(name);
      if (value != null && names.contains(name) && !members.has(name)) {
        members = members.with(name, value);
      }
    }
    Json.Obj reasoning = original.members().object(REASONING);
    Json exclude = reasoning == null ? null : reasoning.get(EXCLUDE);
    Json.Obj remainingReasoning =
        Objects.requireNonNullElse(members.object(REASONING), Json.Obj.EMPTY);
    if (exclude != null && !remainingReasoning.has(EXCLUDE)) {
      members = members.with(REASONING, remainingReasoning.with(EXCLUDE, exclude));
    }
    return original.toBuilder().members(members).build().generationParameters();
  }
}
