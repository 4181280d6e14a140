package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a responses body. Members of {@code reasoning} and {@code text} that no
 * other dialect has are named by path: {@code reasoning.mode}. Responses fact sheet, "Request".
 */
final class ResponsesParameters {
  static final GenerationParameters.Reader READER = ResponsesParameters::read;

  private static final SharedParameters SHARED =
      new SharedParameters(
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
              // can only ask for what happens anyway
              "store",
              "previous_response_id",
              "background",
              // limits tools of the upstream, which are sent in no other dialect
              "max_tool_calls",
              // read with reasoning
              "include_reasoning",
              // the end user is passed on separately
              "safety_identifier"));

  private static final Set<String> REASONING_MEMBERS =
      Set.of("effort", "summary", "enabled", "max_tokens", "exclude");

  private ResponsesParameters() {}

  private static GenerationParameters read(Json.Obj members) {
    var parameters = GenerationParameters.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!SHARED.readShared(members.name(i), members.value(i), parameters)) {
        readMember(members, i, parameters);
      }
    }
    Boolean includesReasoning = ReasoningObject.bool(members, "include_reasoning");
    if (includesReasoning != null && members.object("reasoning") == null) {
      parameters.reasoning(ReasoningObject.options(Json.Obj.EMPTY, null, includesReasoning));
    }
    if (members.longValue("top_logprobs", 0) > 0) {
      parameters.value(Parameter.LOGPROBS, Json.TRUE); // other dialects require this switch
    }
    return parameters.build();
  }

  private static void readMember(
      Json.Obj members, int index, GenerationParameters.Builder parameters) {
    String name = members.name(index);
    Json value = members.value(index);
    switch (name) {
      case "tool_choice" -> parameters.toolChoice(toolChoice(value));
      case "parallel_tool_calls" ->
          parameters.parallelToolCalls(value instanceof Json.Bool flag ? flag.value() : null);
      case "text" -> readText(value, parameters);
      case "reasoning" ->
          readReasoning(value, ReasoningObject.bool(members, "include_reasoning"), parameters);
      default -> parameters.dialectMember(name, value);
    }
  }

  /** Returns the tool choice; in this dialect the choice itself holds a function's name. */
  private static ToolChoice toolChoice(Json value) {
    boolean isFunction = value instanceof Json.Obj object && "function".equals(object.text("type"));
    String name = isFunction && value instanceof Json.Obj object ? object.text("name") : null;
    return name == null ? SharedParameters.toolChoice(value) : new ToolChoice.Named(name);
  }

  private static void readText(Json value, GenerationParameters.Builder parameters) {
    if (value instanceof Json.Obj text) {
      for (int i = 0; i < text.size(); i++) {
        String name = text.name(i);
        Json member = text.value(i);
        if (name.equals("format") && member instanceof Json.Obj format) {
          parameters.format(SchemaFormat.of(format, format));
        } else if (name.equals("verbosity") && member instanceof Json.Str) {
          parameters.value(Parameter.VERBOSITY, member);
        } else {
          SharedParameters.addOther("text." + name, member, parameters);
        }
      }
    }
  }

  private static void readReasoning(
      Json value, @Nullable Boolean includesReasoning, GenerationParameters.Builder parameters) {
    if (value instanceof Json.Obj reasoning) {
      parameters.reasoning(ReasoningObject.options(reasoning, null, includesReasoning));
      for (int i = 0; i < reasoning.size(); i++) {
        if (!REASONING_MEMBERS.contains(reasoning.name(i))) {
          SharedParameters.addOther(
              "reasoning." + reasoning.name(i), reasoning.value(i), parameters);
        }
      }
    }
  }
}
