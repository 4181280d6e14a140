package io.strowger.providers.chat;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * Adapts reasoning options to the endpoint and its model: an unsupported level becomes the nearest
 * supported one, and reasoning that cannot be switched off is set to its lowest level. Routing fact
 * sheet, section 10; chat fact sheet, section 4.
 */
final class ReasoningForm {
  private static final String EFFORT = "effort";
  private static final String BUDGET = "max_tokens";
  private static final String ENABLED = "enabled";

  /** The output limit that is assumed when none is known, in tokens. */
  private static final int SOME_LIMIT = 32_000;

  private final ModelInfo.Reasoning model;
  private final Endpoint endpoint;
  private final Losses losses;
  private final long limit;
  private final InferenceRequest request;

  ReasoningForm(Call call, Losses losses) {
    this.model = call.reasoning();
    this.endpoint = call.endpoint();
    this.losses = losses;
    this.limit = limit(call);
    this.request = call.request();
  }

  private static long limit(Call call) {
    InferenceRequest request = call.request();
    int asked = call.outputCap() > 0 ? call.outputCap() : request.maxOutputTokens();
    if (asked > 0) {
      return asked;
    }
    int most = call.endpoint().maxOutputTokens();
    return most > 0 ? most : SOME_LIMIT;
  }

  /**
   * Returns whether {@code reasoning} is sent as an object instead of only an effort. Vendors of
   * this dialect document the effort, so an endpoint that lists both parameters is sent the effort,
   * unless a budget is requested and the model supports one. An endpoint without a parameter list
   * is sent the object.
   */
  boolean takesObject() {
    boolean both =
        endpoint.supports(Parameter.REASONING_EFFORT) && ChatRequestWriter.isListed(endpoint);
    return endpoint.supports(Parameter.REASONING)
        && (!both || model.maxTokens() && isBudgetAsked());
  }

  /**
   * Returns whether a budget is requested; called only when needed, since most requests have no
   * reasoning options.
   */
  private boolean isBudgetAsked() {
    return request.generationParameters().reasoning().budget() > 0;
  }

  /** Writes the reasoning options of a request in another dialect. */
  void write(ReasoningOptions wish, ChatObjectWriter body) {
    boolean amount = wish.isRequested() || wish.isDisabled();
    boolean shown = wish.summary() != null || wish.hidden();
    if (!amount && !shown) {
      return;
    }
    boolean object = takesObject();
    Effort effort = amount ? effort(wish, object) : null;
    if (object) {
      Json.Obj.Builder reasoning = Json.object();
      if (effort != null) {
        reasoning.put(EFFORT, effort.wireName());
      } else if (amount) {
        reasoning.put(BUDGET, Math.max(wish.budget(), Effort.MIN_BUDGET));
      }
      body.put("reasoning", shown(wish, reasoning).build());
    } else if (endpoint.supports(Parameter.REASONING_EFFORT) && effort != null) {
      body.put("reasoning_effort", effort.wireName());
      if (shown) {
        losses.dropped("reasoning.summary", "the endpoint is told a level and nothing else");
      }
    } else {
      losses.dropped("reasoning", "the endpoint cannot be told");
    }
  }

  private static Json.Obj.Builder shown(ReasoningOptions wish, Json.Obj.Builder reasoning) {
    if (wish.summary() != null) {
      reasoning.put("summary", wish.summary());
    }
    return wish.hidden() ? reasoning.put("exclude", true) : reasoning;
  }

  /**
   * Returns the effort to send; null when the budget is sent.
   *
   * @param budgets whether a budget can be sent to the endpoint
   */
  private @Nullable Effort effort(ReasoningOptions wish, boolean budgets) {
    if (wish.isDisabled()) {
      return off();
    }
    boolean onlyEfforts = !budgets || !model.maxTokens() && !model.efforts().isEmpty();
    if (wish.budget() > 0 && !onlyEfforts) {
      return null;
    }
    if (wish.budget() > 0 && wish.effort() == null) {
      losses.changed("reasoning.max_tokens", "is an effort here");
      return supported(Effort.ofBudget(wish.budget(), limit), false);
    }
    Effort effort = wish.effort();
    return supported(effort == null ? Effort.MEDIUM : effort, effort != null);
  }

  private Effort off() {
    if (!model.mandatory()) {
      return Effort.NONE;
    }
    losses.changed("reasoning", "cannot be switched off: as little as there is");
    return lowest();
  }

  private Effort lowest() {
    for (Effort effort : Effort.values()) {
      if (effort != Effort.NONE && model.efforts().contains(effort.wireName())) {
        return effort;
      }
    }
    return Effort.MINIMAL;
  }

  private Effort supported(Effort effort, boolean told) {
    Effort nearest = effort.nearest(model.efforts());
    if (nearest != effort && told) {
      losses.changed("reasoning.effort", "is not supported: the nearest that is");
    }
    return nearest;
  }

  /** Returns the nearest supported effort; the same object when nothing changes. */
  Json ofOwn(Json effort) {
    Effort asked =
        effort instanceof Json.Str word ? Effort.ofWireName(word.text()).orElse(null) : null;
    if (asked == null || asked == Effort.NONE && !model.mandatory()) {
      return effort;
    }
    Effort leaving = asked == Effort.NONE ? off() : supported(asked, true);
    return leaving == asked ? effort : Json.of(leaving.wireName());
  }

  /**
   * Returns {@code reasoning} adapted to what the model supports; the same object when nothing
   * changes.
   */
  Json.Obj ofOwn(Json.Obj reasoning) {
    Json.Obj left = reasoning;
    Json effort = left.get(EFFORT);
    if (effort != null) {
      Json leaving = ofOwn(effort);
      left = leaving == effort ? left : left.with(EFFORT, leaving);
    }
    if (model.mandatory()) {
      boolean told = left.get(EFFORT) instanceof Json.Str;
      boolean off = Json.FALSE.equals(left.get(ENABLED)) || isZero(left.get(BUDGET));
      if (off) {
        left = Json.FALSE.equals(left.get(ENABLED)) ? left.without(ENABLED) : left;
        left = isZero(left.get(BUDGET)) ? left.without(BUDGET) : left;
        left = told ? left : left.with(EFFORT, Json.of(off().wireName()));
      }
    }
    return left;
  }

  private static boolean isZero(@Nullable Json budget) {
    return budget instanceof Json.Num number && number.asLong().orElse(1) == 0;
  }

  /** Returns the effort for endpoints that support only an effort; null when none is requested. */
  @Nullable Json asEffort(ReasoningOptions wish) {
    if (!wish.isRequested() && !wish.isDisabled()) {
      return null;
    }
    Effort effort = effort(wish, false);
    return effort == null ? null : Json.of(effort.wireName());
  }
}
