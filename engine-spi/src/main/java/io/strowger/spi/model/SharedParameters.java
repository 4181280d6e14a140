package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the members of a body that every dialect writes alike into {@link GenerationParameters},
 * and skips those that are not parameters. Immutable and thread-safe.
 *
 * <p>Two kinds of members are not generation parameters: those that a request offers through typed
 * accessors, and those whose only allowed value is what the gateway does anyway.
 */
final class SharedParameters {
  /** The members that a request offers through typed accessors. */
  private static final Set<String> TYPED_MEMBERS =
      Set.of(
          "model",
          "models",
          "messages",
          "tools",
          "stream",
          "user",
          "provider",
          "plugins",
          "session_id");

  private final Map<String, Parameter> parameters = new HashMap<>();
  private final Set<String> ignoredMembers;

  /**
   * @param parameters the parameters of this dialect that every dialect names alike
   * @param ignoredMembers members of this dialect that are not parameters, besides the typed ones
   */
  SharedParameters(List<Parameter> parameters, Set<String> ignoredMembers) {
    parameters.forEach(parameter -> this.parameters.put(parameter.wireName(), parameter));
    this.ignoredMembers = Set.copyOf(ignoredMembers);
  }

  /**
   * Reads a member, or skips one that is an explicit null or not a parameter.
   *
   * @return false when the member is left to the reader of the dialect
   */
  boolean readShared(String name, Json value, GenerationParameters.Builder builder) {
    if (value instanceof Json.Null
        || TYPED_MEMBERS.contains(name)
        || ignoredMembers.contains(name)) {
      return true;
    }
    Parameter parameter = parameters.get(name);
    if (parameter != null) {
      builder.value(parameter, value);
      return true;
    }
    if (name.equals("service_tier") && value instanceof Json.Str tier) {
      builder.serviceTier(tier.text());
      return true;
    }
    if (name.equals("cache_control") && value instanceof Json.Obj cacheControl) {
      builder.cacheControl(cacheControl);
      return true;
    }
    return false;
  }

  /**
   * Returns the tool choice that a word of the chat or the responses dialect stands for; any other
   * value, such as the choice of a function, as {@link ToolChoice.Other}.
   */
  static ToolChoice toolChoice(Json value) {
    return switch (value instanceof Json.Str word ? word.text() : "") {
      case "auto" -> ToolChoice.Mode.AUTO;
      case "none" -> ToolChoice.Mode.NONE;
      case "required" -> ToolChoice.Mode.REQUIRED;
      default -> new ToolChoice.Other(value);
    };
  }

  /** Adds a nested member that no other dialect has, unless it is an explicit null. */
  static void addOther(String path, Json value, GenerationParameters.Builder builder) {
    if (!(value instanceof Json.Null)) {
      builder.dialectMember(path, value);
    }
  }

  /** Returns the texts among the items. */
  static List<String> texts(Json.Arr items) {
    return items.stream()
        .filter(Json.Str.class::isInstance)
        .map(item -> ((Json.Str) item).text())
        .toList();
  }
}
