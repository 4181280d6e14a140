package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a responses body; what no other dialect has a form for within {@code reasoning}
 * and {@code text} is named with them: {@code reasoning.mode}. Responses fact sheet, "Request".
 */
final class ResponsesSettings {
  static final Settings.Reader READER = ResponsesSettings::read;

  private static final PlainSettings PLAIN =
      new PlainSettings(
          List.of(
              Parameter.TEMPERATURE,
              Parameter.TOP_P,
              Parameter.TOP_K,
              Parameter.FREQUENCY_PENALTY,
              Parameter.PRESENCE_PENALTY,
              Parameter.TOP_LOGPROBS),
          Set.of(
              "input",
              "instructions",
              "max_output_tokens",
              // can only say what is so anyway
              "store",
              "previous_response_id",
              "background",
              // of tools the upstream runs, which leave in no other dialect
              "max_tool_calls",
              // read with reasoning
              "include_reasoning",
              // who the user is has a way of its own
              "safety_identifier"));

  private static final Set<String> OF_REASONING =
      Set.of("effort", "summary", "enabled", "max_tokens", "exclude");

  private ResponsesSettings() {}

  private static Settings read(Json.Obj members) {
    var settings = Settings.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!PLAIN.take(members.name(i), members.value(i), settings)) {
        own(members, i, settings);
      }
    }
    Boolean included = ReasoningObject.bool(members, "include_reasoning");
    if (included != null && members.object("reasoning") == null) {
      settings.reasoning(ReasoningObject.wish(Json.Obj.EMPTY, null, included));
    }
    if (members.whole("top_logprobs", 0) > 0) {
      settings.value(Parameter.LOGPROBS, Json.TRUE); // elsewhere nothing is without this switch
    }
    return settings.build();
  }

  private static void own(Json.Obj members, int index, Settings.Builder settings) {
    String name = members.name(index);
    Json value = members.value(index);
    switch (name) {
      case "tool_choice" -> settings.toolChoice(toolChoice(value));
      case "parallel_tool_calls" ->
          settings.parallelToolCalls(value instanceof Json.Bool said ? said.value() : null);
      case "text" -> text(value, settings);
      case "reasoning" ->
          reasoning(value, ReasoningObject.bool(members, "include_reasoning"), settings);
      default -> settings.other(name, value);
    }
  }

  /** A function is named flat. */
  private static ToolChoice toolChoice(Json value) {
    boolean function = value instanceof Json.Obj one && "function".equals(one.text("type"));
    String name = function && value instanceof Json.Obj one ? one.text("name") : null;
    return name == null ? PlainSettings.toolChoice(value) : new ToolChoice.Named(name);
  }

  private static void text(Json value, Settings.Builder settings) {
    if (value instanceof Json.Obj text) {
      for (int i = 0; i < text.size(); i++) {
        String name = text.name(i);
        Json given = text.value(i);
        if (name.equals("format") && given instanceof Json.Obj format) {
          settings.format(SchemaFormat.of(format, format));
        } else if (name.equals("verbosity") && given instanceof Json.Str) {
          settings.value(Parameter.VERBOSITY, given);
        } else {
          PlainSettings.other("text." + name, given, settings);
        }
      }
    }
  }

  private static void reasoning(Json value, @Nullable Boolean included, Settings.Builder settings) {
    if (value instanceof Json.Obj reasoning) {
      settings.reasoning(ReasoningObject.wish(reasoning, null, included));
      for (int i = 0; i < reasoning.size(); i++) {
        if (!OF_REASONING.contains(reasoning.name(i))) {
          PlainSettings.other("reasoning." + reasoning.name(i), reasoning.value(i), settings);
        }
      }
    }
  }
}
