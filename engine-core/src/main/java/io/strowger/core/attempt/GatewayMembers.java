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
 * Call#request()}). This is the only list of them: adapters have none. {@link GatewayMessages} does
 * the same within messages.
 *
 * <p>The conversation or the tools as the caller sent them are removed too once the typed form
 * differs: after a plugin or a content filter edited it, or after something was removed from it
 * here. So nothing that was removed from a request is left in its members. Decision 43.
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
  private static final Set<String> MESSAGES = with(CHAT, "user", INCLUDE_REASONING);

  /** Without {@code max_tool_calls}: upstreams apply it to the tools they run themselves. */
  private static final Set<String> RESPONSES =
      without(with(CHAT, "cache_control", INCLUDE_REASONING), "max_tool_calls");

  /**
   * Speech providers do not receive the end user. {@code provider} is kept, since it holds what the
   * caller passes to one provider; it is read from there when the adapter is called.
   */
  private static final Set<String> SPEECH = without(with(CHAT, "user"), "provider");

  /** {@code provider} is kept, as for speech: it holds what a caller passes to one provider. */
  private static final Set<String> WITH_OPTIONS = without(CHAT, "provider");

  /** Members that are removed but still read as settings, for adapters of other dialects. */
  private static final List<String> READ_AS_SETTINGS = List.of(INCLUDE_REASONING, "cache_control");

  private final InferenceRequest request;
  private final @Nullable String endUser;
  private final Set<String> own;
  private final List<Message> messages;
  private final List<Tool> tools;
  private boolean hidesSettings; // a member that settings are read from was removed

  private GatewayMembers(InferenceRequest request, @Nullable String endUser) {
    this.request = request;
    this.endUser = endUser;
    this.own =
        switch (request.kind()) {
          case CHAT, EMBEDDINGS, RERANK -> of(request.dialect());
          case SPEECH -> SPEECH;
          case IMAGES, TRANSCRIPTIONS -> WITH_OPTIONS;
        };
    this.messages = GatewayMessages.removedFrom(request.messages(), request.dialect());
    this.tools = withoutOwn(request.tools());
  }

  /** Returns the names of the members of a dialect's body that only the gateway reads. */
  public static Set<String> of(Dialect dialect) {
    return switch (dialect) {
      case CHAT, GEMINI -> CHAT;
      case MESSAGES -> MESSAGES;
      case RESPONSES -> RESPONSES;
    };
  }

  private static Set<String> with(Set<String> names, String... more) {
    var all = new HashSet<>(names);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }

  private static Set<String> without(Set<String> names, String name) {
    var left = new HashSet<>(names);
    left.remove(name);
    return Set.copyOf(left);
  }

  /**
   * Returns a request as an adapter sees it; the same object when nothing has to be removed.
   *
   * @param endUser the hash that replaces the caller's end user wherever the request names one;
   *     null to remove it
   */
  public static InferenceRequest removedFrom(InferenceRequest request, @Nullable String endUser) {
    return new GatewayMembers(request, endUser).removed();
  }

  private InferenceRequest removed() {
    Json.Obj members = members();
    String user = request.user() == null ? null : endUser;
    if (members == request.members()
        && tools == request.tools()
        && messages == request.messages()
        && isBare(user)) {
      return request;
    }
    List<ModelRef> models = request.models();
    InferenceRequest.Builder left =
        request.toBuilder()
            .members(members)
            .parameters(request.parameters())
            .messages(messages)
            .tools(tools)
            .models(models.size() > 1 ? models.subList(0, 1) : models)
            .preferences(ProviderPreferences.NONE)
            .plugins(List.of())
            .sessionId(null)
            .user(user)
            .origin(RequestOrigin.UNKNOWN);
    if (hidesSettings) {
      InferenceRequest whole = request;
      left.parametersReader(kept -> settings(whole, kept));
    }
    return left.build();
  }

  /** Returns whether no field besides members, messages and tools has anything to remove. */
  private boolean isBare(@Nullable String user) {
    return request.models().size() <= 1
        && request.preferences() == ProviderPreferences.NONE
        && request.plugins().isEmpty()
        && request.sessionId() == null
        && request.origin().equals(RequestOrigin.UNKNOWN)
        && Objects.equals(request.user(), user);
  }

  private Json.Obj members() {
    Json.Obj members = request.members();
    Json.Obj.Builder left = null;
    for (int i = 0; i < members.size(); i++) {
      Json value = members.value(i);
      Json kept = kept(members.name(i), value);
      if (kept != value && left == null) {
        left = Json.object(kept == null ? members.size() - 1 : members.size());
        for (int before = 0; before < i; before++) {
          left.put(members.name(before), members.value(before));
        }
      }
      if (left != null && kept != null) {
        left.put(members.name(i), kept);
      }
    }
    return left == null ? members : left.build();
  }

  /** Returns what is kept of a member, usually the same value; null when nothing is kept. */
  private @Nullable Json kept(String name, Json value) {
    if (own.contains(name)) {
      hidesSettings |= READ_AS_SETTINGS.contains(name);
      return null;
    }
    if (!isCurrent(name, value)) {
      return null;
    }
    return switch (name) {
      case "user", "safety_identifier" -> value instanceof Json.Str ? named(value) : value;
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
    boolean items = request.dialect() == Dialect.RESPONSES;
    return switch (name) {
      case "messages" -> items || isSource(value, messages, Message::source);
      case "input" -> !items || isInput(value);
      case "system" -> request.dialect() != Dialect.MESSAGES || areInstructions(value);
      case "instructions" -> !items || areInstructions(value);
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
  private @Nullable Json named(Json value) {
    if (endUser == null) {
      return null;
    }
    return value instanceof Json.Str said && said.is(endUser) ? value : Json.of(endUser);
  }

  private Json metadata(Json value) {
    Json user = value instanceof Json.Obj pairs ? pairs.get(USER_ID) : null;
    if (!(value instanceof Json.Obj pairs) || user == null || user instanceof Json.Null) {
      return value;
    }
    Json named = named(user);
    if (named == null) {
      return pairs.without(USER_ID);
    }
    return named == user ? value : pairs.with(USER_ID, named);
  }

  /** Removes {@code exclude}, which only upstreams of the chat dialect know. */
  private @Nullable Json reasoning(Json value) {
    if (!(value instanceof Json.Obj wish) || !own.contains(INCLUDE_REASONING)) {
      return value;
    }
    Json.Obj left = wish.without(EXCLUDE);
    hidesSettings |= left != wish;
    return left.size() == 0 ? null : left;
  }

  /** Returns the tools without those the gateway runs, since functions have replaced them. */
  private static List<Tool> withoutOwn(List<Tool> tools) {
    for (Tool tool : tools) {
      if (isOwn(tool)) {
        return tools.stream().filter(one -> !isOwn(one)).toList();
      }
    }
    return tools;
  }

  private static boolean isOwn(Tool tool) {
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
   * @param kept the members that are left
   */
  private static GenerationParameters settings(InferenceRequest whole, Json.Obj kept) {
    Set<String> own = of(whole.dialect());
    Json.Obj members = kept;
    for (String name : READ_AS_SETTINGS) {
      Json said = whole.members().get(name);
      if (said != null && own.contains(name) && !members.has(name)) {
        members = members.with(name, said);
      }
    }
    Json.Obj wish = whole.members().object(REASONING);
    Json exclude = wish == null ? null : wish.get(EXCLUDE);
    Json.Obj left = Objects.requireNonNullElse(members.object(REASONING), Json.Obj.EMPTY);
    if (exclude != null && !left.has(EXCLUDE)) {
      members = members.with(REASONING, left.with(EXCLUDE, exclude));
    }
    return whole.toBuilder().members(members).build().generationParameters();
  }
}
