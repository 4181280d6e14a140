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
 * <p>Members with a typed form in a request, and those that can only ask for what happens anyway,
 * are not generation parameters.
 */
final class SharedParameters {
  /** Members that are read from their typed form. */
  private static final Set<String> TYPED =
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
  private final Set<String> besides;

  /**
   * @param parameters the parameters of this dialect that every dialect names alike
   * @param besides members of this dialect that are not parameters, besides the typed ones
   */
  SharedParameters(List<Parameter> parameters, Set<String> besides) {
    parameters.forEach(parameter -> this.parameters.put(parameter.wireName(), parameter));
    this.besides = Set.copyOf(besides);
  }

  /**
   * Reads a member, or skips one that is an explicit null or not a parameter.
   *
   * @return false when the member is left to the reader of the dialect
   */
  boolean take(String name, Json value, GenerationParameters.Builder collected) {
    if (value instanceof Json.Null || TYPED.contains(name) || besides.contains(name)) {
      return true;
    }
    Parameter parameter = parameters.get(name);
    if (parameter != null) {
      collected.value(parameter, value);
      return true;
    }
    if (name.equals("service_tier") && value instanceof Json.Str tier) {
      collected.serviceTier(tier.text());
      return true;
    }
    if (name.equals("cache_control") && value instanceof Json.Obj mark) {
      collected.cacheControl(mark);
      return true;
    }
    return false;
  }

  /**
   * Returns a tool choice of the chat or the responses dialect, except a function, which each of
   * them names in its own way.
   */
  static ToolChoice toolChoice(Json value) {
    return switch (value instanceof Json.Str word ? word.text() : "") {
      case "auto" -> ToolChoice.Plain.AUTO;
      case "none" -> ToolChoice.Plain.NONE;
      case "required" -> ToolChoice.Plain.REQUIRED;
      default -> new ToolChoice.Other(value);
    };
  }

  /** Adds a nested member that no other dialect has, unless it is an explicit null. */
  static void other(String path, Json value, GenerationParameters.Builder collected) {
    if (!(value instanceof Json.Null)) {
      collected.other(path, value);
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
