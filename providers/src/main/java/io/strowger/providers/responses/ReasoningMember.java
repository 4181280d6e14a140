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
  private static final int SUPPOSED_LIMIT = 32_000;

  private static final String EFFORT = "effort";
  private static final String BUDGET = "max_tokens";

  private final Call call;
  private final ModelInfo.Reasoning model;
  private final Losses losses;

  ReasoningMember(Call call, Losses losses) {
    this.call = call;
    this.model = call.reasoning();
    this.losses = losses;
  }

  /** Returns whether the endpoint accepts the member. */
  boolean taken() {
    return call.endpoint().supports(Parameter.REASONING)
        || call.endpoint().supports(Parameter.REASONING_EFFORT);
  }

  /** Returns whether the model may reason, so that its reasoning should come back encrypted. */
  boolean thinks(ReasoningOptions wish) {
    return model.mandatory()
        || model.maxTokens()
        || !model.efforts().isEmpty()
        || wish.isRequested() && taken();
  }

  /**
   * Returns the member for a request in another dialect; empty when nothing is requested. A request
   * for reasoning that is not hidden asks for a summary, the only form upstreams show.
   */
  Json.Obj of(ReasoningOptions wish) {
    if (!taken()) {
      if (wish.isRequested()) {
        losses.dropped("reasoning", "the endpoint does not know it");
      }
      return Json.Obj.EMPTY;
    }
    var member = Json.object().putAll(amount(wish));
    if (wish.summary() != null) {
      member.put("summary", wish.summary());
    } else if (wish.isRequested() && !wish.hidden()) {
      member.put("summary", "auto");
    }
    return member.build();
  }

  /**
   * Returns the member for a request in this dialect; the same object when nothing changes. {@code
   * enabled} is the gateway's own and left out; a budget is sent to models that take one.
   */
  Json.Obj own(Json.Obj given) {
    Json.Obj amount = amount(wish(given));
    Json.Obj member = given.without("enabled");
    for (String name : List.of(EFFORT, BUDGET)) {
      Json now = amount.get(name);
      Json before = member.get(name);
      if (now != null && !now.equals(before)) {
        member = member.with(name, now);
      } else if (now == null && !(before instanceof Json.Null)) {
        member = member.without(name);
      }
    }
    return member;
  }

  /** Reads the reasoning options from a member of this dialect. */
  static ReasoningOptions wish(Json.Obj given) {
    String effort = given.text(EFFORT);
    return new ReasoningOptions(
        effort == null ? null : Effort.ofWireName(effort).orElse(null),
        Math.clamp(given.whole(BUDGET, -1), -1, Integer.MAX_VALUE),
        given.get("enabled") instanceof Json.Bool enabled ? enabled.value() : null,
        given.text("summary"),
        false,
        false);
  }

  /** Returns an effort or a budget; empty when the model decides. */
  private Json.Obj amount(ReasoningOptions wish) {
    if (wish.isDisabled()) {
      return off(wish);
    }
    boolean onlyBudgets = model.maxTokens() && model.efforts().isEmpty();
    Effort effort = wish.effort();
    if (model.maxTokens() && wish.budget() > 0 && (effort == null || onlyBudgets)) {
      return Json.object().put(BUDGET, wish.budget()).build();
    }
    if (effort != null && onlyBudgets) {
      losses.changed("reasoning.effort", "is a budget here");
      return Json.object().put(BUDGET, effort.budget(limit())).build();
    }
    if (effort != null) {
      return nearest(effort, model.efforts());
    }
    if (wish.budget() > 0) {
      losses.changed("reasoning.max_tokens", "is an effort here");
      return nearest(Effort.ofBudget(wish.budget(), limit()), model.efforts());
    }
    boolean asked = Boolean.TRUE.equals(wish.enabled()) && !wish.adaptive();
    return asked ? nearest(Effort.MEDIUM, model.efforts()) : Json.Obj.EMPTY;
  }

  /**
   * Returns the effort that switches reasoning off or to the model's minimum; empty to leave it
   * out.
   */
  private Json.Obj off(ReasoningOptions wish) {
    List<String> efforts =
        model.mandatory()
            ? model.efforts().stream().filter(name -> !name.equals("none")).toList()
            : model.efforts();
    if (!efforts.isEmpty()) {
      return nearest(Effort.NONE, efforts);
    }
    if (model.mandatory()) {
      losses.changed("reasoning", "cannot be switched off");
      return Json.Obj.EMPTY;
    }
    return wish.effort() == Effort.NONE ? said(Effort.NONE) : Json.Obj.EMPTY;
  }

  private Json.Obj nearest(Effort effort, List<String> supported) {
    Effort nearest = effort.nearest(supported);
    if (nearest != effort) {
      losses.changed("reasoning.effort", "the nearest the model knows is " + nearest.wireName());
    }
    return said(nearest);
  }

  private static Json.Obj said(Effort effort) {
    return Json.object().put(EFFORT, effort.wireName()).build();
  }

  private int limit() {
    int asked = call.outputCap() > 0 ? call.outputCap() : call.request().maxOutputTokens();
    int most = asked > 0 ? asked : call.endpoint().maxOutputTokens();
    return most > 0 ? most : SUPPOSED_LIMIT;
  }
}
