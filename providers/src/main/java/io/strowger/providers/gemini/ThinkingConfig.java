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
final class ThinkingConfig {
  /** The budget with which the model decides for itself. */
  private static final int AUTOMATIC = -1;

  /** The largest budget that every model with budgets accepts, in tokens. */
  private static final int MOST = 24_576;

  private static final int LEAST = 128;
  private static final int UNKNOWN_LIMIT = 32_768;

  private final GeminiWriteContext geminiWriteContext;
  private final ReasoningOptions wish;
  private final ModelInfo.Reasoning model;
  private final boolean levels;
  private final int limit;

  ThinkingConfig(GeminiWriteContext geminiWriteContext) {
    this.geminiWriteContext = geminiWriteContext;
    this.wish = geminiWriteContext.call().request().generationParameters().reasoning();
    this.model = geminiWriteContext.call().reasoning();
    this.levels = !model.efforts().isEmpty() && !model.maxTokens();
    this.limit = outputLimit(geminiWriteContext);
  }

  /** Returns the output limit in tokens; the budget of an effort is a share of it. */
  private static int outputLimit(GeminiWriteContext geminiWriteContext) {
    int asked = GenerationConfigWriter.limit(geminiWriteContext);
    int most = asked > 0 ? asked : geminiWriteContext.call().endpoint().maxOutputTokens();
    return most > 0 ? most : UNKNOWN_LIMIT;
  }

  /** Returns the budget of an effort; half the limit if it would leave nothing for the answer. */
  private int budget(Effort effort) {
    int share = Math.min(effort.budget(limit), MOST);
    return share < limit ? share : Math.max(limit / 2, LEAST);
  }

  /** Returns the config; null when none is requested or the endpoint takes none. */
  Json.@Nullable Obj json() {
    boolean said =
        wish.isRequested() || wish.isDisabled() || wish.hidden() || wish.summary() != null;
    if (!said || !takes()) {
      return null;
    }
    Json.Obj.Builder config = Json.object();
    if (wish.isDisabled()) {
      off(config);
    } else {
      if (wish.isRequested()) {
        on(config);
      }
      config.put("includeThoughts", !wish.hidden());
    }
    return config.build();
  }

  private boolean takes() {
    boolean known = !model.equals(ModelInfo.Reasoning.NONE);
    boolean taken =
        geminiWriteContext.call().endpoint().supports(Parameter.REASONING)
            || geminiWriteContext.call().endpoint().supports(Parameter.REASONING_EFFORT);
    if (!known && !taken && !wish.isDisabled()) {
      geminiWriteContext.losses().dropped("reasoning", "the endpoint does not take it");
    }
    return known || taken;
  }

  /** Switches reasoning off, or to its minimum where it is mandatory. */
  private void off(Json.Obj.Builder config) {
    if (!model.mandatory()) {
      config.put("thinkingBudget", 0);
      return;
    }
    geminiWriteContext
        .losses()
        .changed("reasoning", "cannot be switched off: as little as possible");
    if (levels) {
      level(config, Effort.MINIMAL);
    } else {
      config.put("thinkingBudget", budget(Effort.MINIMAL));
    }
    config.put("includeThoughts", false);
  }

  private void on(Json.Obj.Builder config) {
    Effort effort = wish.effort();
    if (levels) {
      if (wish.budget() > 0) {
        geminiWriteContext.losses().changed("reasoning", "a budget is a level of effort here");
        level(config, Effort.ofBudget(wish.budget(), limit));
      } else if (effort != null) {
        level(config, effort);
      } // otherwise the model's default level
    } else if (wish.budget() > 0) {
      config.put("thinkingBudget", wish.budget());
    } else {
      config.put("thinkingBudget", effort == null ? AUTOMATIC : budget(effort));
    }
  }

  private void level(Json.Obj.Builder config, Effort asked) {
    Effort near = asked.nearest(model.efforts());
    String word =
        switch (near) {
          case NONE, MINIMAL -> "MINIMAL";
          case LOW -> "LOW";
          case MEDIUM -> "MEDIUM";
          case HIGH, XHIGH, MAX -> "HIGH";
        };
    if (!word.equals(asked.name())) {
      geminiWriteContext
          .losses()
          .changed("reasoning", asked.wireName() + " effort becomes " + word);
    }
    config.put("thinkingLevel", word);
  }
}
