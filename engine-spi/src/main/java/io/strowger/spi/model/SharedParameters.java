package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sorts the members of a body for its {@link GenerationParameters}: takes those every dialect
 * spells alike, and those that are no parameters. Immutable, safe on any thread.
 *
 * <p>Members with a typed form in a request, and those that can only ask for what happens anyway,
 * are no parameters of generation.
 */
final class SharedParameters {
  /** Read from their typed form. */
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
   * @param parameters what the dialect has under its own name in every dialect
   * @param besides members of the dialect that are no parameters, beside those of every dialect
   */
  SharedParameters(List<Parameter> parameters, Set<String> besides) {
    parameters.forEach(parameter -> this.parameters.put(parameter.wireName(), parameter));
    this.besides = Set.copyOf(besides);
  }

  /**
   * Takes a member, or passes it over for good; an explicit null says nothing.
   *
   * @return false when only the dialect knows what the member is
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
   * A choice as the chat and the responses dialect have it, but for that of a function, which each
   * names in its own way.
   */
  static ToolChoice toolChoice(Json value) {
    return switch (value instanceof Json.Str word ? word.text() : "") {
      case "auto" -> ToolChoice.Plain.AUTO;
      case "none" -> ToolChoice.Plain.NONE;
      case "required" -> ToolChoice.Plain.REQUIRED;
      default -> new ToolChoice.Other(value);
    };
  }

  /** A member within another that has no form elsewhere; an explicit null says nothing. */
  static void other(String path, Json value, GenerationParameters.Builder collected) {
    if (!(value instanceof Json.Null)) {
      collected.other(path, value);
    }
  }

  /** The texts among the items. */
  static List<String> texts(Json.Arr items) {
    return items.stream()
        .filter(Json.Str.class::isInstance)
        .map(item -> ((Json.Str) item).text())
        .toList();
  }
}
