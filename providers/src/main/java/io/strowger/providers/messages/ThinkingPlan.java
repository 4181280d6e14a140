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
  static final ThinkingPlan UNSET = new ThinkingPlan(Kind.UNSET, 0, null, null);
  static final ThinkingPlan OFF = new ThinkingPlan(Kind.OFF, 0, null, null);

  private static final String LOSS_NAME = "reasoning";
  private static final long ANY_SUPPORT =
      Parameter.REASONING.bit()
          | Parameter.REASONING_EFFORT.bit()
          | Parameter.INCLUDE_REASONING.bit();

  enum Kind {
    /** Thinking is not mentioned. */
    UNSET,
    OFF,
    /** A number of tokens. */
    BUDGET,
    /** The model decides, guided by an effort. */
    ADAPTIVE
  }

  /**
   * Returns the plan for a call.
   *
   * @param limit the maximum of output tokens, thinking included
   * @param lacksSignedReasoning whether the model's last turn calls tools and does not begin with
   *     signed or encrypted reasoning: upstreams then refuse to continue thinking
   */
  static ThinkingPlan of(Call call, int limit, boolean lacksSignedReasoning, Losses losses) {
    ReasoningOptions options = call.request().generationParameters().reasoning();
    ModelInfo.Reasoning reasoningSupport = call.reasoning();
    if (!options.isDisabled() && !options.isRequested()) {
      return UNSET;
    }
    if ((call.endpoint().parameterMask() & ANY_SUPPORT) == 0) {
      losses.dropped(LOSS_NAME, "the endpoint supports no reasoning parameter");
      return UNSET;
    }
    if (options.isDisabled()) {
      return reasoningSupport.mandatory() ? minimum(call, limit, losses) : OFF;
    }
    if (lacksSignedReasoning && !reasoningSupport.mandatory()) {
      losses.changed(
          LOSS_NAME,
          "was switched off, since the last turn calls tools without reasoning before it");
      return OFF;
    }
    return isAdaptive(call, options)
        ? adaptive(options, reasoningSupport, limit, losses)
        : budget(options, call, limit, losses);
  }

  /**
   * Returns whether the model decides how much to think; where the catalog says nothing about the
   * model, the caller's request decides.
   */
  private static boolean isAdaptive(Call call, ReasoningOptions options) {
    ModelInfo.Reasoning reasoningSupport = call.reasoning();
    if (reasoningSupport.efforts().isEmpty()) {
      boolean isMessages = call.request().dialect() == Dialect.MESSAGES;
      return isMessages && !reasoningSupport.acceptsMaxTokens() && options.adaptive();
    }
    return options.adaptive() || !reasoningSupport.acceptsMaxTokens();
  }

  /** Plans the minimum for a model whose thinking cannot be switched off. */
  private static ThinkingPlan minimum(Call call, int limit, Losses losses) {
    losses.changed(LOSS_NAME, "cannot be switched off: set to the minimum");
    ModelInfo.Reasoning reasoningSupport = call.reasoning();
    for (Effort effort : Effort.values()) {
      if (effort != Effort.NONE && reasoningSupport.efforts().contains(effort.wireName())) {
        return new ThinkingPlan(Kind.ADAPTIVE, 0, effort, null);
      }
    }
    return limit > Effort.MIN_BUDGET
        ? new ThinkingPlan(Kind.BUDGET, Effort.MIN_BUDGET, null, null)
        : UNSET;
  }

  private static ThinkingPlan adaptive(
      ReasoningOptions options, ModelInfo.Reasoning reasoningSupport, int limit, Losses losses) {
    Effort requested = options.effort();
    if (options.budget() > 0) {
      requested = Effort.ofBudget(options.budget(), limit);
      losses.changed(LOSS_NAME, "a budget became the effort " + requested.wireName());
    }
    Effort effort = requested == null ? null : requested.nearest(reasoningSupport.efforts());
    if (requested != null && effort != null && effort != requested) {
      losses.changed(
          LOSS_NAME,
          requested.wireName() + " is not supported: the effort is " + effort.wireName());
    }
    return new ThinkingPlan(Kind.ADAPTIVE, 0, effort, display(options, losses));
  }

  private static ThinkingPlan budget(
      ReasoningOptions options, Call call, int limit, Losses losses) {
    if (limit <= Effort.MIN_BUDGET) {
      losses.dropped(LOSS_NAME, "max_tokens is too small for the smallest budget");
      return UNSET;
    }
    int requested = options.budget();
    if (requested <= 0) {
      Effort effort = Objects.requireNonNullElse(options.effort(), Effort.MEDIUM);
      requested = effort.budget(limit);
      if (call.request().dialect() == Dialect.MESSAGES) {
        losses.changed(LOSS_NAME, "the model gets a budget instead of deciding for itself");
      }
    }
    int budget = Math.clamp(requested, Effort.MIN_BUDGET, limit - 1);
    if (options.budget() > 0 && budget != requested) {
      losses.changed(LOSS_NAME, "a budget of " + requested + " became " + budget);
    }
    return new ThinkingPlan(Kind.BUDGET, budget, null, display(options, losses));
  }

  private static @Nullable String display(ReasoningOptions options, Losses losses) {
    if (options.hidden()) {
      return "omitted";
    }
    if (options.summary() == null) {
      return null;
    }
    if (!options.summary().equals("auto")) {
      losses.changed("reasoning.summary", "the upstream decides how detailed it is");
    }
    return "summarized";
  }

  boolean isEnabled() {
    return kind == Kind.BUDGET || kind == Kind.ADAPTIVE;
  }

  /** Returns {@code thinking}; null to leave it out. */
  Json.@Nullable Obj thinking() {
    Json.Obj.Builder thinking =
        switch (kind) {
          case UNSET -> null;
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
  boolean matches(Json.Obj thinking) {
    String type = Objects.requireNonNullElse(thinking.text("type"), "");
    return switch (kind) {
      case UNSET -> false;
      case OFF -> type.equals("disabled");
      case BUDGET -> type.equals("enabled") && thinking.longValue("budget_tokens", 0) == budget;
      case ADAPTIVE -> type.equals("adaptive");
    };
  }
}
