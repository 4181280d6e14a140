package io.strowger.spi.model;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Reads the parameters of a chat body. Chat fact sheet, sections 2, 4, 5 and 6. */
final class ChatParameters {
  static final GenerationParameters.Reader READER = ChatParameters::read;

  private static final SharedParameters SHARED =
      new SharedParameters(
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
              // read together as the reasoning options
              "reasoning",
              "reasoning_effort",
              "include_reasoning",
              // usage is always sent, and there is never more than one answer
              "stream_options",
              "n"));

  private ChatParameters() {}

  private static GenerationParameters read(Json.Obj members) {
    var parameters = GenerationParameters.builder();
    for (int i = 0; i < members.size(); i++) {
      if (!SHARED.readShared(members.name(i), members.value(i), parameters)) {
        readMember(members.name(i), members.value(i), parameters);
      }
    }
    return parameters.reasoning(reasoning(members)).build();
  }

  private static void readMember(String name, Json value, GenerationParameters.Builder parameters) {
    switch (name) {
      case "stop" -> stop(value, parameters);
      case "tool_choice" -> parameters.toolChoice(toolChoice(value));
      case "parallel_tool_calls" ->
          parameters.parallelToolCalls(value instanceof Json.Bool flag ? flag.value() : null);
      case "response_format" -> {
        if (value instanceof Json.Obj format) {
          Json.Obj schema = format.object("json_schema");
          parameters.format(
              SchemaFormat.of(format, Objects.requireNonNullElse(schema, Json.Obj.EMPTY)));
        }
      }
      default -> parameters.dialectMember(name, value);
    }
  }

  private static void stop(Json value, GenerationParameters.Builder parameters) {
    if (value instanceof Json.Str text) {
      parameters.stopSequences(List.of(text.text()));
    } else if (value instanceof Json.Arr texts) {
      parameters.stopSequences(SharedParameters.texts(texts));
    }
  }

  private static ToolChoice toolChoice(Json value) {
    Json.Obj function = value instanceof Json.Obj choice ? choice.object("function") : null;
    String name = function == null ? null : function.text("name");
    return name == null ? SharedParameters.toolChoice(value) : new ToolChoice.Named(name);
  }

  private static ReasoningOptions reasoning(Json.Obj members) {
    return ReasoningObject.options(
        Objects.requireNonNullElse(members.object("reasoning"), Json.Obj.EMPTY),
        members.text("reasoning_effort"),
        ReasoningObject.bool(members, "include_reasoning"));
  }
}
