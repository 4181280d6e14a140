package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The settings of a chat body. Chat fact sheet, sections 2, 4, 5 and 6. */
final class ChatSettings {
  static final Settings.Reader READER = ChatSettings::read;

  private static final PlainSettings PLAIN =
      new PlainSettings(
          List.of(
              Parameter.TEMPERATURE,
              Parameter.TOP_P,
              Parameter.TOP_K,
              Parameter.MIN_P,
              Parameter.TOP_A,
              Parameter.FREQUENCY_PENALTY,
              Parameter.PRESENCE_PENALTY,
              Parameter.REPETITION_PENALTY,
              Parameter.LOGIT_BIAS,
              Parameter.LOGPROBS,
              Parameter.TOP_LOGPROBS,
              Parameter.PREDICTION,
              Parameter.SEED,
              Parameter.VERBOSITY,
              Parameter.WEB_SEARCH_OPTIONS),
          Set.of(
              "max_tokens",
              "max_completion_tokens",
              // read together
              "reasoning",
              "reasoning_effort",
              "include_reasoning",
              // usage is always sent, and one answer is all that is given
              "stream_options",
              "n"));

  private ChatSettings() {}

  private static Settings read(Json.Obj members) {
    var settings = Settings.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!PLAIN.take(members.name(i), members.value(i), settings)) {
        own(members.name(i), members.value(i), settings);
      }
    }
    return settings.reasoning(reasoning(members)).build();
  }

  private static void own(String name, Json value, Settings.Builder settings) {
    switch (name) {
      case "stop" -> stop(value, settings);
      case "tool_choice" -> settings.toolChoice(toolChoice(value));
      case "parallel_tool_calls" ->
          settings.parallelToolCalls(value instanceof Json.Bool said ? said.value() : null);
      case "response_format" -> {
        if (value instanceof Json.Obj format) {
          Json.Obj schema = format.object("json_schema");
          settings.format(
              SchemaFormat.of(format, Objects.requireNonNullElse(schema, Json.Obj.EMPTY)));
        }
      }
      default -> settings.other(name, value);
    }
  }

  private static void stop(Json value, Settings.Builder settings) {
    if (value instanceof Json.Str one) {
      settings.stop(List.of(one.text()));
    } else if (value instanceof Json.Arr several) {
      settings.stop(PlainSettings.texts(several));
    }
  }

  private static ToolChoice toolChoice(Json value) {
    Json.Obj function = value instanceof Json.Obj choice ? choice.object("function") : null;
    String name = function == null ? null : function.text("name");
    return name == null ? PlainSettings.toolChoice(value) : new ToolChoice.Named(name);
  }

  private static ReasoningWish reasoning(Json.Obj members) {
    return ReasoningObject.wish(
        Objects.requireNonNullElse(members.object("reasoning"), Json.Obj.EMPTY),
        members.text("reasoning_effort"),
        ReasoningObject.bool(members, "include_reasoning"));
  }
}
