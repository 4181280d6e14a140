package io.strowger.core.dialect.messages;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;

/** One body on its way into a request. */
final class MessagesDraft {
  private final Json.Obj body;
  private final InferenceRequest.Builder request;
  private String model = "";
  private List<String> models = List.of();
  private List<String> fallbacks = List.of();
  private long maxTokens;
  private long parameters;
  private long thinkingBudget;

  MessagesDraft(Json.Obj body) {
    this.body = body;
    request = InferenceRequest.builder(Dialect.MESSAGES, body);
  }

  InferenceRequest.Builder to() {
    return request;
  }

  InferenceRequest request() {
    return request.models(modelRefs()).parameters(parameters).build();
  }

  /** The model first, then those to fall back to, each once. */
  private List<ModelRef> modelRefs() {
    var named = new LinkedHashSet<String>();
    if (!model.isEmpty()) {
      named.add(model);
    }
    named.addAll(models);
    named.addAll(fallbacks);
    return named.stream().map(ModelRef::parse).toList();
  }

  /** What a member does that only says that the request uses a parameter. */
  static BiConsumer<MessagesDraft, Object> uses(Parameter parameter) {
    return (draft, value) -> draft.parameters |= parameter.bit();
  }

  void model(String value) {
    model = value;
  }

  void models(List<String> value) {
    models = value;
  }

  void fallbacks(List<String> value) {
    fallbacks = value;
  }

  void maxTokens(long value) {
    maxTokens = value;
    parameters |= Parameter.MAX_TOKENS.bit();
    request.maxOutputTokens((int) value);
  }

  void tools(List<Tool> tools) {
    parameters |= tools.isEmpty() ? 0 : Parameter.TOOLS.bit();
    request.tools(tools);
  }

  void instructions(Message system) {
    request.instructions(system);
  }

  void thinking(Json.Obj thinking) {
    parameters |= Parameter.REASONING.bit();
    if ("enabled".equals(thinking.text("type"))) {
      thinkingBudget = thinking.whole("budget_tokens", 0);
    }
  }

  void toolChoice(Json.Obj choice) {
    parameters |= Parameter.TOOL_CHOICE.bit();
    if (Json.TRUE.equals(choice.get("disable_parallel_tool_use"))) {
      parameters |= Parameter.PARALLEL_TOOL_CALLS.bit();
    }
  }

  void outputConfig(Json.Obj config) {
    if (config.object("format") != null) {
      parameters |= Parameter.STRUCTURED_OUTPUTS.bit();
    }
    if (config.text("effort") != null) {
      parameters |= Parameter.REASONING_EFFORT.bit();
    }
  }

  /** {@code fallbacks} and {@code models} are two ways of saying the same. */
  void oneListOfModels(DecodingContext context) {
    Json.Arr given = body.list("fallbacks");
    if (given != null
        && body.has("models")
        && !concerned("fallbacks", context)
        && !concerned("models", context)) {
      context.reject("fallbacks", "must not be given together with models", given);
    }
  }

  private static boolean concerned(String member, DecodingContext context) {
    return context.problems().hasProblemUnder(context.at().child(member));
  }

  /** A model that searches for its tools is not told which to use. */
  void searchesFreely(DecodingContext context) {
    ServerTools.searchesFreely(body, context);
  }

  /** Thinking is part of the output, and something has to be left to say. */
  void thinkingFits(DecodingContext context) {
    boolean given = thinkingBudget >= ThinkingRule.LEAST_BUDGET && maxTokens > 0;
    if (given && thinkingBudget >= maxTokens) {
      context.enter("thinking");
      context.reject(
          "budget_tokens",
          "must be less than max_tokens, which is " + maxTokens,
          Json.of(thinkingBudget));
      context.leave();
    }
  }
}
