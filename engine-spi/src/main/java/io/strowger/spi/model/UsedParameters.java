package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the parameters that a request requires of an endpoint, by the members of its dialect. An
 * explicit null requires nothing. Routing fact sheet, section 7.
 */
final class UsedParameters {
  /** The parameters of chat, except those that a member's name alone does not decide. */
  private static final Set<Parameter> CHAT_PARAMETERS =
      EnumSet.complementOf(
          EnumSet.of(Parameter.TOOLS, Parameter.RESPONSE_FORMAT, Parameter.STRUCTURED_OUTPUTS));

  private static final Set<Parameter> MESSAGES_PARAMETERS =
      EnumSet.of(Parameter.TEMPERATURE, Parameter.TOP_P, Parameter.TOP_K, Parameter.MAX_TOKENS);

  private static final Set<Parameter> RESPONSES_PARAMETERS =
      EnumSet.of(
          Parameter.TEMPERATURE,
          Parameter.TOP_P,
          Parameter.TOP_K,
          Parameter.FREQUENCY_PENALTY,
          Parameter.PRESENCE_PENALTY,
          Parameter.TOP_LOGPROBS,
          Parameter.TOOL_CHOICE,
          Parameter.PARALLEL_TOOL_CALLS,
          Parameter.REASONING);

  private UsedParameters() {}

  /**
   * Returns the mask of a whole request.
   *
   * @param hasTools whether the request declares tools
   * @param hasOutputLimit whether the request limits its output tokens
   */
  static long of(Dialect dialect, Json.Obj members, boolean hasTools, boolean hasOutputLimit) {
    long mask = hasTools ? Parameter.TOOLS.bit() : 0;
    for (int i = 0; i < members.size(); i++) {
      mask |= ofMember(dialect, members.name(i), members.value(i));
    }
    long limits = Parameter.MAX_TOKENS.bit() | Parameter.MAX_COMPLETION_TOKENS.bit();
    return hasOutputLimit && (mask & limits) == 0 ? mask | limitParameter(dialect).bit() : mask;
  }

  private static Parameter limitParameter(Dialect dialect) {
    return dialect == Dialect.MESSAGES ? Parameter.MAX_TOKENS : Parameter.MAX_COMPLETION_TOKENS;
  }

  /** Returns the mask of one member. */
  static long ofMember(Dialect dialect, String name, Json value) {
    if (value instanceof Json.Null) {
      return 0;
    }
    return switch (dialect) {
      case CHAT -> name.equals("response_format") ? ofFormat(value) : bitOf(name, CHAT_PARAMETERS);
      case MESSAGES -> ofMessages(name, value);
      case RESPONSES ->
          switch (name) {
            case "text" -> ofText(value);
            case "max_output_tokens" -> Parameter.MAX_COMPLETION_TOKENS.bit();
            default -> bitOf(name, RESPONSES_PARAMETERS);
          };
      case GEMINI -> 0;
    };
  }

  private static long bitOf(String name, Set<Parameter> parameters) {
    for (Parameter parameter : parameters) {
      if (parameter.wireName().equals(name)) {
        return parameter.bit();
      }
    }
    return 0;
  }

  private static long ofFormat(Json value) {
    String type = value instanceof Json.Obj format ? format.text("type") : null;
    return switch (Objects.requireNonNullElse(type, "text")) {
      case "text" -> 0;
      case "json_schema" -> Parameter.STRUCTURED_OUTPUTS.bit();
      default -> Parameter.RESPONSE_FORMAT.bit();
    };
  }

  private static long ofMessages(String name, Json value) {
    return switch (name) {
      case "stop_sequences" -> Parameter.STOP.bit();
      case "thinking" -> Parameter.REASONING.bit();
      case "tool_choice" ->
          Parameter.TOOL_CHOICE.bit()
              | (isTrue(value, "disable_parallel_tool_use")
                  ? Parameter.PARALLEL_TOOL_CALLS.bit()
                  : 0);
      case "output_config" -> ofOutputConfig(value);
      default -> bitOf(name, MESSAGES_PARAMETERS);
    };
  }

  private static boolean isTrue(Json value, String name) {
    return value instanceof Json.Obj object && Json.TRUE.equals(object.get(name));
  }

  private static long ofOutputConfig(Json value) {
    if (!(value instanceof Json.Obj config)) {
      return 0;
    }
    long format = config.object("format") == null ? 0 : Parameter.STRUCTURED_OUTPUTS.bit();
    return config.text("effort") == null ? format : format | Parameter.REASONING_EFFORT.bit();
  }

  private static long ofText(Json value) {
    if (!(value instanceof Json.Obj text)) {
      return 0;
    }
    Json.Obj format = text.object("format");
    String type = format == null ? null : format.text("type");
    long mask =
        switch (Objects.requireNonNullElse(type, "text")) {
          case "json_schema" -> Parameter.STRUCTURED_OUTPUTS.bit();
          case "json_object" -> Parameter.RESPONSE_FORMAT.bit();
          default -> 0;
        };
    return text.get("verbosity") instanceof Json.Str ? mask | Parameter.VERBOSITY.bit() : mask;
  }
}
