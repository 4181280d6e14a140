package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.provider.Call;
import java.util.List;

/**
 * Writes {@code reasoning} in the form that the model accepts: an effort it knows, or a budget.
 * Chat fact sheet, section 4.
 */
final class ReasoningMember {
  /** The output limit assumed when none is known, to convert between budgets and efforts. */
  private static final int DEFAULT_LIMIT = 32_000;

  private static final String EFFORT = "effort";
  private static final String BUDGET = "max_tokens";

  private final Call call;
  private final ModelInfo.Reasoning reasoningSupport;
  private final Losses losses;

  ReasoningMember(Call call, Losses losses) {
    this.call = call;
    this.reasoningSupport = call.reasoning();
    this.losses = losses;
  }

  /** Returns whether the endpoint accepts the member. */
  boolean isAccepted() {
    return call.endpoint().supports(Parameter.REASONING)
        || call.endpoint().supports(Parameter.REASONING_EFFORT);
  }

  /** Returns whether the model may reason, so that its reasoning should come back encrypted. */
  boolean mayReason(ReasoningOptions options) {
    return reasoningSupport.mandatory()
        || reasoningSupport.acceptsMaxTokens()
        || !reasoningSupport.efforts().isEmpty()
        || options.isRequested() && isAccepted();
  }

  /**
   * Returns the member for a request in another dialect; empty when nothing is requested. A request
   * for reasoning that is not hidden asks for a summary, the only form upstreams show.
   */
  Json.Obj of(ReasoningOptions options) {
    if (!isAccepted()) {
      if (options.isRequested()) {
        losses.dropped("reasoning", "the endpoint has no such parameter");
      }
      return Json.Obj.EMPTY;
    }
    var member = Json.object().putAll(amount(options));
    if (options.summary() != null) {
      member.put("summary", options.summary());
    } else if (options.isRequested() && !options.hidden()) {
      member.put("summary", "auto");
    }
    return member.build();
  }

  /**
   * Returns the member for a request in this dialect; the same object when nothing changes. {@code
   * enabled} is the gateway's own and left out; a budget is sent to models that take one.
   */
  Json.Obj rewrite(Json.Obj original) {
    Json.Obj amount = amount(parseOptions(original));
    Json.Obj member = original.without("enabled");
    for (String name : List.of(EFFORT, BUDGET)) {
      Json value = amount.get(name);
      Json originalValue = member.get(name);
      if (value != null && !value.equals(originalValue)) {
        member = member.with(name, value);
      } else if (value == null && !(originalValue instanceof Json.Null)) {
        member = member.without(name);
      }
    }
    return member;
  }

  /** Reads the reasoning options from a member of this dialect. */
  static ReasoningOptions parseOptions(Json.Obj member) {
    String effort = member.text(EFFORT);
    return new ReasoningOptions(
        effort == null ? null : Effort.ofWireName(effort).orElse(null),
        Math.clamp(member.longValue(BUDGET, -1), -1, Integer.MAX_VALUE),
        member.get("enabled") instanceof Json.Bool enabled ? enabled.value() : null,
        member.text("summary"),
        false,
        false);
  }

  /** Returns an effort or a budget; empty when the model decides. */
  private Json.Obj amount(ReasoningOptions options) {
    if (options.isDisabled()) {
      return disabled(options);
    }
    boolean onlyBudgets =
        reasoningSupport.acceptsMaxTokens() && reasoningSupport.efforts().isEmpty();
    Effort effort = options.effort();
    if (reasoningSupport.acceptsMaxTokens()
        && options.budget() > 0
        && (effort == null || onlyBudgets)) {
      return Json.object().put(BUDGET, options.budget()).build();
    }
    if (effort != null && onlyBudgets) {
      losses.changed("reasoning.effort", "was sent as a budget");
      return Json.object().put(BUDGET, effort.budget(limit())).build();
    }
    if (effort != null) {
      return nearest(effort, reasoningSupport.efforts());
    }
    if (options.budget() > 0) {
      losses.changed("reasoning.max_tokens", "was sent as an effort");
      return nearest(Effort.ofBudget(options.budget(), limit()), reasoningSupport.efforts());
    }
    boolean isEnabled = Boolean.TRUE.equals(options.enabled()) && !options.adaptive();
    return isEnabled ? nearest(Effort.MEDIUM, reasoningSupport.efforts()) : Json.Obj.EMPTY;
  }

  /**
   * Returns the effort that switches reasoning off or to the model's minimum; empty to leave it
   * out.
   */
  private Json.Obj disabled(ReasoningOptions options) {
    List<String> efforts =
        reasoningSupport.mandatory()
            ? reasoningSupport.efforts().stream().filter(name -> !name.equals("none")).toList()
            : reasoningSupport.efforts();
    if (!efforts.isEmpty()) {
      return nearest(Effort.NONE, efforts);
    }
    if (reasoningSupport.mandatory()) {
      losses.changed("reasoning", "cannot be switched off");
      return Json.Obj.EMPTY;
    }
    return options.effort() == Effort.NONE ? effortMember(Effort.NONE) : Json.Obj.EMPTY;
  }

  private Json.Obj nearest(Effort effort, List<String> supported) {
    Effort nearest = effort.nearest(supported);
    if (nearest != effort) {
      losses.changed(
          "reasoning.effort",
          "is not supported: the nearest, " + nearest.wireName() + ", was sent");
    }
    return effortMember(nearest);
  }

  private static Json.Obj effortMember(Effort effort) {
    return Json.object().put(EFFORT, effort.wireName()).build();
  }

  private int limit() {
    int requestedLimit = call.outputCap() > 0 ? call.outputCap() : call.request().maxOutputTokens();
    int maxTokens = requestedLimit > 0 ? requestedLimit : call.endpoint().maxOutputTokens();
    return maxTokens > 0 ? maxTokens : DEFAULT_LIMIT;
  }
}
