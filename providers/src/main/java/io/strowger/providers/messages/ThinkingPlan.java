package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.provider.Call;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The request for thinking that is sent to the model. Translation fact sheet, section 4, cases 4
 * and 23; chat fact sheet, section 4.
 *
 * @param budget the budget in tokens; 0 unless {@link Kind#BUDGET}
 * @param effort the effort of {@link Kind#ADAPTIVE}; null when the model decides
 * @param display {@code summarized} or {@code omitted}; null when the upstream decides
 */
record ThinkingPlan(Kind kind, int budget, @Nullable Effort effort, @Nullable String display) {
  static final ThinkingPlan UNSAID = new ThinkingPlan(Kind.UNSAID, 0, null, null);
  static final ThinkingPlan OFF = new ThinkingPlan(Kind.OFF, 0, null, null);

  private static final String WHAT = "reasoning";
  private static final long ANY_SUPPORT =
      Parameter.REASONING.bit()
          | Parameter.REASONING_EFFORT.bit()
          | Parameter.INCLUDE_REASONING.bit();

  enum Kind {
    /** Thinking is not mentioned. */
    UNSAID,
    OFF,
    /** A number of tokens. */
    BUDGET,
    /** The model decides, guided by an effort. */
    ADAPTIVE
  }

  /**
   * @param limit the maximum of output tokens, thinking included
   * @param unproven whether the model's last turn calls tools and does not begin with signed or
   *     encrypted reasoning: upstreams then refuse to continue thinking
   */
  static ThinkingPlan of(Call call, int limit, boolean unproven, Losses losses) {
    ReasoningOptions wish = call.request().generationParameters().reasoning();
    ModelInfo.Reasoning model = call.reasoning();
    if (!wish.isDisabled() && !wish.isRequested()) {
      return UNSAID;
    }
    if ((call.endpoint().parameters() & ANY_SUPPORT) == 0) {
      losses.dropped(WHAT, "the endpoint cannot be told");
      return UNSAID;
    }
    if (wish.isDisabled()) {
      return model.mandatory() ? least(call, limit, losses) : OFF;
    }
    if (unproven && !model.mandatory()) {
      losses.changed(WHAT, "off, since the last turn with calls does not begin with a thought");
      return OFF;
    }
    return isAdaptive(call, wish)
        ? adaptive(wish, model, limit, losses)
        : budget(wish, call, limit, losses);
  }

  /**
   * Returns whether the model decides how much to think; where the catalog says nothing about the
   * model, the caller's request decides.
   */
  private static boolean isAdaptive(Call call, ReasoningOptions wish) {
    ModelInfo.Reasoning model = call.reasoning();
    if (model.efforts().isEmpty()) {
      boolean own = call.request().dialect() == Dialect.MESSAGES;
      return own && !model.maxTokens() && wish.adaptive();
    }
    return wish.adaptive() || !model.maxTokens();
  }

  /** Plans the minimum for a model whose thinking cannot be switched off. */
  private static ThinkingPlan least(Call call, int limit, Losses losses) {
    losses.changed(WHAT, "cannot be switched off: as little as can be");
    ModelInfo.Reasoning model = call.reasoning();
    for (Effort effort : Effort.values()) {
      if (effort != Effort.NONE && model.efforts().contains(effort.wireName())) {
        return new ThinkingPlan(Kind.ADAPTIVE, 0, effort, null);
      }
    }
    return limit > Effort.MIN_BUDGET
        ? new ThinkingPlan(Kind.BUDGET, Effort.MIN_BUDGET, null, null)
        : UNSAID;
  }

  private static ThinkingPlan adaptive(
      ReasoningOptions wish, ModelInfo.Reasoning model, int limit, Losses losses) {
    Effort wanted = wish.effort();
    if (wish.budget() > 0) {
      wanted = Effort.ofBudget(wish.budget(), limit);
      losses.changed(WHAT, "a budget became the effort " + wanted.wireName());
    }
    Effort effort = wanted == null ? null : wanted.nearest(model.efforts());
    if (wanted != null && effort != null && effort != wanted) {
      losses.changed(
          WHAT, wanted.wireName() + " is not supported: the effort is " + effort.wireName());
    }
    return new ThinkingPlan(Kind.ADAPTIVE, 0, effort, display(wish, losses));
  }

  private static ThinkingPlan budget(ReasoningOptions wish, Call call, int limit, Losses losses) {
    if (limit <= Effort.MIN_BUDGET) {
      losses.dropped(WHAT, "max_tokens leaves no room for the least budget");
      return UNSAID;
    }
    int wanted = wish.budget();
    if (wanted <= 0) {
      Effort effort = Objects.requireNonNullElse(wish.effort(), Effort.MEDIUM);
      wanted = effort.budget(limit);
      if (call.request().dialect() == Dialect.MESSAGES) {
        losses.changed(WHAT, "the model is told a budget, not to decide for itself");
      }
    }
    int budget = Math.clamp(wanted, Effort.MIN_BUDGET, limit - 1);
    if (wish.budget() > 0 && budget != wanted) {
      losses.changed(WHAT, "a budget of " + wanted + " became " + budget);
    }
    return new ThinkingPlan(Kind.BUDGET, budget, null, display(wish, losses));
  }

  private static @Nullable String display(ReasoningOptions wish, Losses losses) {
    if (wish.hidden()) {
      return "omitted";
    }
    if (wish.summary() == null) {
      return null;
    }
    if (!wish.summary().equals("auto")) {
      losses.changed("reasoning.summary", "is as the upstream makes it");
    }
    return "summarized";
  }

  boolean on() {
    return kind == Kind.BUDGET || kind == Kind.ADAPTIVE;
  }

  /** Returns {@code thinking}; null to leave it out. */
  Json.@Nullable Obj thinking() {
    Json.Obj.Builder thinking =
        switch (kind) {
          case UNSAID -> null;
          case OFF -> Json.object().put("type", "disabled");
          case BUDGET -> Json.object().put("type", "enabled").put("budget_tokens", budget);
          case ADAPTIVE -> Json.object().put("type", "adaptive");
        };
    if (thinking != null && display != null) {
      thinking.put("display", display);
    }
    return thinking == null ? null : thinking.build();
  }

  /** Returns whether the caller's {@code thinking} already expresses this plan. */
  boolean isSaidBy(Json.Obj thinking) {
    String type = Objects.requireNonNullElse(thinking.text("type"), "");
    return switch (kind) {
      case UNSAID -> false;
      case OFF -> type.equals("disabled");
      case BUDGET -> type.equals("enabled") && thinking.whole("budget_tokens", 0) == budget;
      case ADAPTIVE -> type.equals("adaptive");
    };
  }
}
