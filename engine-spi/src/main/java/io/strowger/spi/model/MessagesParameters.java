package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a messages body. Members of {@code output_config}, {@code thinking},
 * {@code metadata} and {@code reasoning} that no other dialect has are named by path: {@code
 * output_config.task_budget}. Messages fact sheet, section 1.
 */
final class MessagesParameters {
  static final GenerationParameters.Reader READER = MessagesParameters::read;

  private static final SharedParameters SHARED =
      new SharedParameters(
          List.of(Parameter.TEMPERATURE, Parameter.TOP_P, Parameter.TOP_K),
          Set.of("system", "fallbacks", "max_tokens", "include_reasoning"));

  private static final Set<String> THINKING_MEMBERS = Set.of("type", "budget_tokens", "display");

  private MessagesParameters() {}

  private static GenerationParameters read(Json.Obj members) {
    var parameters = GenerationParameters.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!SHARED.readShared(members.name(i), members.value(i), parameters)) {
        readMember(members.name(i), members.value(i), parameters);
      }
    }
    readSpeed(members, parameters);
    return parameters.reasoning(reasoning(members)).build();
  }

  private static void readMember(String name, Json value, GenerationParameters.Builder parameters) {
    switch (name) {
      case "stop_sequences" ->
          parameters.stopSequences(
              value instanceof Json.Arr texts ? SharedParameters.texts(texts) : List.of());
      case "tool_choice" -> toolChoice(value, parameters);
      case "output_config" -> outputConfig(value, parameters);
      case "thinking" -> addOtherMembers(name, value, THINKING_MEMBERS, parameters);
      // the end user is passed on separately
      case "metadata" -> addOtherMembers(name, value, Set.of("user_id"), parameters);
      case "speed" -> {
        // read together with the service tier
      }
      case "reasoning" -> addOtherMembers(name, value, Set.of("exclude"), parameters);
      default -> parameters.dialectMember(name, value);
    }
  }

  private static void addOtherMembers(
      String name, Json value, Set<String> typedMembers, GenerationParameters.Builder parameters) {
    if (value instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        if (!typedMembers.contains(object.name(i))) {
          SharedParameters.addOther(name + "." + object.name(i), object.value(i), parameters);
        }
      }
    }
  }

  private static void toolChoice(Json value, GenerationParameters.Builder parameters) {
    if (value instanceof Json.Obj choice) {
      parameters.toolChoice(toToolChoice(choice));
      Boolean disablesParallel = ReasoningObject.bool(choice, "disable_parallel_tool_use");
      parameters.parallelToolCalls(disablesParallel == null ? null : !disablesParallel);
    }
  }

  private static ToolChoice toToolChoice(Json.Obj choice) {
    String type = Objects.requireNonNullElse(choice.text("type"), "");
    String name = choice.text("name");
    return switch (type) {
      case "auto" -> ToolChoice.Mode.AUTO;
      case "any" -> ToolChoice.Mode.REQUIRED;
      case "none" -> ToolChoice.Mode.NONE;
      case "tool" -> name == null ? new ToolChoice.Other(choice) : new ToolChoice.Named(name);
      default -> new ToolChoice.Other(choice);
    };
  }

  private static void outputConfig(Json value, GenerationParameters.Builder parameters) {
    addOtherMembers("output_config", value, Set.of("effort", "format"), parameters);
    Json.Obj format = value instanceof Json.Obj config ? config.object("format") : null;
    if (format != null) {
      String type = Objects.requireNonNullElse(format.text("type"), "");
      parameters.format(
          type.equals("json_schema")
              ? new OutputFormat.JsonSchema(null, null, format.object("schema"), null)
              : new OutputFormat.Other(type, format));
    }
  }

  /** Maps the speed {@code fast} to a service tier, unless the request names another tier. */
  private static void readSpeed(Json.Obj members, GenerationParameters.Builder parameters) {
    String tier = Objects.requireNonNullElse(members.text("service_tier"), "auto");
    if (tier.equals("auto") && "fast".equals(members.text("speed"))) {
      parameters.serviceTier("fast");
    }
  }

  private static ReasoningOptions reasoning(Json.Obj members) {
    Json.Obj config = members.object("output_config");
    String effort = config == null ? null : config.text("effort");
    Json.Obj thinking = Objects.requireNonNullElse(members.object("thinking"), Json.Obj.EMPTY);
    String type = Objects.requireNonNullElse(thinking.text("type"), "");
    boolean enabled = type.equals("enabled");
    String display = thinking.text("display");
    return new ReasoningOptions(
        effort == null ? null : Effort.ofWireName(effort).orElse(null),
        enabled ? Math.clamp(thinking.longValue("budget_tokens", -1), -1, Integer.MAX_VALUE) : -1,
        isEnabled(type),
        "summarized".equals(display) ? "auto" : null,
        "omitted".equals(display) || ReasoningOptions.asksToHide(members),
        type.equals("adaptive"));
  }

  private static @Nullable Boolean isEnabled(String type) {
    return switch (type) {
      case "enabled" -> true;
      case "disabled" -> false;
      default -> null;
    };
  }
}
