package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a messages body; what no other dialect has a form for within {@code
 * output_config}, {@code thinking} and {@code metadata} is named with them: {@code
 * output_config.task_budget}. Messages fact sheet, section 1.
 */
final class MessagesSettings {
  static final Settings.Reader READER = MessagesSettings::read;

  private static final PlainSettings PLAIN =
      new PlainSettings(
          List.of(Parameter.TEMPERATURE, Parameter.TOP_P, Parameter.TOP_K),
          Set.of("system", "fallbacks", "max_tokens", "include_reasoning"));

  private static final Set<String> OF_THINKING = Set.of("type", "budget_tokens", "display");

  private MessagesSettings() {}

  private static Settings read(Json.Obj members) {
    var settings = Settings.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!PLAIN.take(members.name(i), members.value(i), settings)) {
        own(members.name(i), members.value(i), settings);
      }
    }
    speed(members, settings);
    return settings.reasoning(reasoning(members)).build();
  }

  private static void own(String name, Json value, Settings.Builder settings) {
    switch (name) {
      case "stop_sequences" ->
          settings.stop(value instanceof Json.Arr texts ? PlainSettings.texts(texts) : List.of());
      case "tool_choice" -> toolChoice(value, settings);
      case "output_config" -> outputConfig(value, settings);
      case "thinking" -> rest(name, value, OF_THINKING, settings);
      // who the user is has a way of its own
      case "metadata" -> rest(name, value, Set.of("user_id"), settings);
      case "speed" -> {
        // read together with the service tier
      }
      case "reasoning" -> rest(name, value, Set.of("exclude"), settings);
      default -> settings.other(name, value);
    }
  }

  private static void rest(String name, Json value, Set<String> read, Settings.Builder settings) {
    if (value instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        if (!read.contains(object.name(i))) {
          PlainSettings.other(name + "." + object.name(i), object.value(i), settings);
        }
      }
    }
  }

  private static void toolChoice(Json value, Settings.Builder settings) {
    if (value instanceof Json.Obj choice) {
      settings.toolChoice(chosen(choice));
      Boolean one = ReasoningObject.bool(choice, "disable_parallel_tool_use");
      settings.parallelToolCalls(one == null ? null : !one);
    }
  }

  private static ToolChoice chosen(Json.Obj choice) {
    String type = Objects.requireNonNullElse(choice.text("type"), "");
    String name = choice.text("name");
    return switch (type) {
      case "auto" -> ToolChoice.Plain.AUTO;
      case "any" -> ToolChoice.Plain.REQUIRED;
      case "none" -> ToolChoice.Plain.NONE;
      case "tool" -> name == null ? new ToolChoice.Other(choice) : new ToolChoice.Named(name);
      default -> new ToolChoice.Other(choice);
    };
  }

  private static void outputConfig(Json value, Settings.Builder settings) {
    rest("output_config", value, Set.of("effort", "format"), settings);
    Json.Obj format = value instanceof Json.Obj config ? config.object("format") : null;
    if (format != null) {
      String type = Objects.requireNonNullElse(format.text("type"), "");
      settings.format(
          type.equals("json_schema")
              ? new OutputFormat.JsonSchema(null, null, format.object("schema"), null)
              : new OutputFormat.Other(type, format));
    }
  }

  /** Fast is a tier elsewhere, and said by one it need not be said again. */
  private static void speed(Json.Obj members, Settings.Builder settings) {
    String tier = Objects.requireNonNullElse(members.text("service_tier"), "auto");
    if (tier.equals("auto") && "fast".equals(members.text("speed"))) {
      settings.serviceTier("fast");
    }
  }

  private static ReasoningWish reasoning(Json.Obj members) {
    Json.Obj config = members.object("output_config");
    String effort = config == null ? null : config.text("effort");
    Json.Obj thinking = Objects.requireNonNullElse(members.object("thinking"), Json.Obj.EMPTY);
    String type = Objects.requireNonNullElse(thinking.text("type"), "");
    boolean enabled = type.equals("enabled");
    String display = thinking.text("display");
    return new ReasoningWish(
        effort == null ? null : Effort.ofWireName(effort).orElse(null),
        enabled ? (int) Math.clamp(thinking.whole("budget_tokens", -1), -1, Integer.MAX_VALUE) : -1,
        said(type),
        "summarized".equals(display) ? "auto" : null,
        "omitted".equals(display) || ReasoningWish.isExcluded(members),
        type.equals("adaptive"));
  }

  private static @Nullable Boolean said(String type) {
    return switch (type) {
      case "enabled" -> true;
      case "disabled" -> false;
      default -> null;
    };
  }
}
