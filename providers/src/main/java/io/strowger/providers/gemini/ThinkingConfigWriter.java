package io.strowger.providers.gemini;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.ReasoningOptions;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code thinkingConfig}: a level for models that know only levels, a token budget for all
 * others. Chat fact sheet, section 4; translation fact sheet, section 1.
 */
final class ThinkingConfigWriter {
  /** The budget with which the model decides for itself. */
  private static final int AUTOMATIC = -1;

  /** The largest budget that every model with budgets accepts, in tokens. */
  private static final int MAX_BUDGET = 24_576;

  private static final int MIN_BUDGET = 128;
  private static final int DEFAULT_LIMIT = 32_768;

  private final GeminiWriteContext context;
  private final ReasoningOptions options;
  private final ModelInfo.Reasoning reasoningSupport;
  private final boolean usesLevels;
  private final int limit;

  ThinkingConfigWriter(GeminiWriteContext context) {
    this.context = context;
    this.options = context.call().request().generationParameters().reasoning();
    this.reasoningSupport = context.call().reasoning();
    this.usesLevels = !reasoningSupport.efforts().isEmpty() && !reasoningSupport.acceptsMaxTokens();
    this.limit = outputLimit(context);
  }

  /** Returns the output limit in tokens; the budget of an effort is a share of that limit. */
  private static int outputLimit(GeminiWriteContext context) {
    int requestedLimit = GenerationConfigWriter.limit(context);
    int maxTokens =
        requestedLimit > 0 ? requestedLimit : context.call().endpoint().maxOutputTokens();
    return maxTokens > 0 ? maxTokens : DEFAULT_LIMIT;
  }

  /**
   * Returns the budget of an effort; half the limit if that budget would leave nothing for the
   * answer.
   */
  private int budget(Effort effort) {
    int share = Math.min(effort.budget(limit), MAX_BUDGET);
    return share < limit ? share : Math.max(limit / 2, MIN_BUDGET);
  }

  /** Returns the config; null when none is requested or the endpoint accepts none. */
  Json.@Nullable Obj json() {
    boolean isRequired =
        options.isRequested()
            || options.isDisabled()
            || options.hidden()
            || options.summary() != null;
    if (!isRequired || !isAccepted()) {
      return null;
    }
    Json.Obj.Builder config = Json.object();
    if (options.isDisabled()) {
      disable(config);
    } else {
      if (options.isRequested()) {
        enable(config);
      }
      config.put("includeThoughts", !options.hidden());
    }
    return config.build();
  }

  private boolean isAccepted() {
    boolean modelReasons = !reasoningSupport.equals(ModelInfo.Reasoning.NONE);
    boolean endpointAccepts =
        context.call().endpoint().supports(Parameter.REASONING)
            || context.call().endpoint().supports(Parameter.REASONING_EFFORT);
    if (!modelReasons && !endpointAccepts && !options.isDisabled()) {
      context.losses().dropped("reasoning", "the endpoint has no such parameter");
    }
    return modelReasons || endpointAccepts;
  }

  /** Switches reasoning off, or to its minimum where it is mandatory. */
  private void disable(Json.Obj.Builder config) {
    if (!reasoningSupport.mandatory()) {
      config.put("thinkingBudget", 0);
      return;
    }
    context.losses().changed("reasoning", "cannot be switched off: set to the minimum");
    if (usesLevels) {
      writeLevel(config, Effort.MINIMAL);
    } else {
      config.put("thinkingBudget", budget(Effort.MINIMAL));
    }
    config.put("includeThoughts", false);
  }

  private void enable(Json.Obj.Builder config) {
    Effort effort = options.effort();
    if (usesLevels) {
      if (options.budget() > 0) {
        context.losses().changed("reasoning", "a budget was sent as a level of effort");
        writeLevel(config, Effort.ofBudget(options.budget(), limit));
      } else if (effort != null) {
        writeLevel(config, effort);
      } // otherwise the model's default level
    } else if (options.budget() > 0) {
      config.put("thinkingBudget", options.budget());
    } else {
      config.put("thinkingBudget", effort == null ? AUTOMATIC : budget(effort));
    }
  }

  private void writeLevel(Json.Obj.Builder config, Effort effort) {
    Effort nearest = effort.nearest(reasoningSupport.efforts());
    String level =
        switch (nearest) {
          case NONE, MINIMAL -> "MINIMAL";
          case LOW -> "LOW";
          case MEDIUM -> "MEDIUM";
          case HIGH, XHIGH, MAX -> "HIGH";
        };
    if (!level.equals(effort.name())) {
      context.losses().changed("reasoning", effort.wireName() + " effort becomes " + level);
    }
    config.put("thinkingLevel", level);
  }
}
