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
  private static final int DEFAULT_LIMIT = 32_000;

  private final ModelInfo.Reasoning reasoningSupport;
  private final Endpoint endpoint;
  private final Losses losses;
  private final long limit;
  private final InferenceRequest request;

  ReasoningForm(Call call, Losses losses) {
    this.reasoningSupport = call.reasoning();
    this.endpoint = call.endpoint();
    this.losses = losses;
    this.limit = limit(call);
    this.request = call.request();
  }

  private static long limit(Call call) {
    InferenceRequest request = call.request();
    int requestedLimit = call.outputCap() > 0 ? call.outputCap() : request.maxOutputTokens();
    if (requestedLimit > 0) {
      return requestedLimit;
    }
    int endpointLimit = call.endpoint().maxOutputTokens();
    return endpointLimit > 0 ? endpointLimit : DEFAULT_LIMIT;
  }

  /**
   * Returns whether {@code reasoning} is sent as an object instead of only an effort. Vendors of
   * this dialect document the effort, so an endpoint that lists both parameters is sent the effort,
   * unless a budget is requested and the model supports one. An endpoint without a parameter list
   * is sent the object.
   */
  boolean takesObject() {
    boolean supportsBoth =
        endpoint.supports(Parameter.REASONING_EFFORT)
            && ChatRequestWriter.hasParameterList(endpoint);
    return endpoint.supports(Parameter.REASONING)
        && (!supportsBoth || reasoningSupport.acceptsMaxTokens() && hasBudget());
  }

  /**
   * Returns whether a budget is requested; called only when needed, since most requests have no
   * reasoning options.
   */
  private boolean hasBudget() {
    return request.generationParameters().reasoning().budget() > 0;
  }

  /** Writes the reasoning options of a request in another dialect. */
  void write(ReasoningOptions options, ChatObjectWriter body) {
    boolean setsAmount = options.isRequested() || options.isDisabled();
    boolean setsVisibility = options.summary() != null || options.hidden();
    if (!setsAmount && !setsVisibility) {
      return;
    }
    boolean sendsObject = takesObject();
    Effort effort = setsAmount ? effort(options, sendsObject) : null;
    if (sendsObject) {
      Json.Obj.Builder reasoning = Json.object();
      if (effort != null) {
        reasoning.put(EFFORT, effort.wireName());
      } else if (setsAmount) {
        reasoning.put(BUDGET, Math.max(options.budget(), Effort.MIN_BUDGET));
      }
      body.put("reasoning", addVisibility(options, reasoning).build());
    } else if (endpoint.supports(Parameter.REASONING_EFFORT) && effort != null) {
      body.put("reasoning_effort", effort.wireName());
      if (setsVisibility) {
        losses.dropped("reasoning.summary", "only an effort can be sent to the endpoint");
      }
    } else {
      losses.dropped("reasoning", "the endpoint supports no reasoning parameter");
    }
  }

  private static Json.Obj.Builder addVisibility(
      ReasoningOptions options, Json.Obj.Builder reasoning) {
    if (options.summary() != null) {
      reasoning.put("summary", options.summary());
    }
    return options.hidden() ? reasoning.put("exclude", true) : reasoning;
  }

  /**
   * Returns the effort to send; null when the budget is sent.
   *
   * @param takesBudget whether a budget can be sent to the endpoint
   */
  private @Nullable Effort effort(ReasoningOptions options, boolean takesBudget) {
    if (options.isDisabled()) {
      return lowestOrNone();
    }
    boolean needsEffort =
        !takesBudget
            || !reasoningSupport.acceptsMaxTokens() && !reasoningSupport.efforts().isEmpty();
    if (options.budget() > 0 && !needsEffort) {
      return null;
    }
    if (options.budget() > 0 && options.effort() == null) {
      losses.changed("reasoning.max_tokens", "was sent as an effort");
      return nearestSupported(Effort.ofBudget(options.budget(), limit), false);
    }
    Effort effort = options.effort();
    return nearestSupported(effort == null ? Effort.MEDIUM : effort, effort != null);
  }

  private Effort lowestOrNone() {
    if (!reasoningSupport.mandatory()) {
      return Effort.NONE;
    }
    losses.changed("reasoning", "cannot be switched off: the lowest effort was sent");
    return lowest();
  }

  private Effort lowest() {
    for (Effort effort : Effort.values()) {
      if (effort != Effort.NONE && reasoningSupport.efforts().contains(effort.wireName())) {
        return effort;
      }
    }
    return Effort.MINIMAL;
  }

  private Effort nearestSupported(Effort effort, boolean isExplicit) {
    Effort nearest = effort.nearest(reasoningSupport.efforts());
    if (nearest != effort && isExplicit) {
      losses.changed("reasoning.effort", "is not supported: the nearest supported effort was sent");
    }
    return nearest;
  }

  /** Returns the nearest supported effort; the same object when nothing changes. */
  Json adapt(Json effort) {
    Effort requested =
        effort instanceof Json.Str word ? Effort.ofWireName(word.text()).orElse(null) : null;
    if (requested == null || requested == Effort.NONE && !reasoningSupport.mandatory()) {
      return effort;
    }
    Effort adapted = requested == Effort.NONE ? lowestOrNone() : nearestSupported(requested, true);
    return adapted == requested ? effort : Json.of(adapted.wireName());
  }

  /**
   * Returns {@code reasoning} adapted to what the model supports; the same object when nothing
   * changes.
   */
  Json.Obj adapt(Json.Obj reasoning) {
    Json.Obj result = reasoning;
    Json effort = result.get(EFFORT);
    if (effort != null) {
      Json adapted = adapt(effort);
      result = adapted == effort ? result : result.with(EFFORT, adapted);
    }
    if (reasoningSupport.mandatory()) {
      boolean hasEffort = result.get(EFFORT) instanceof Json.Str;
      boolean isDisabled = Json.FALSE.equals(result.get(ENABLED)) || isZero(result.get(BUDGET));
      if (isDisabled) {
        result = Json.FALSE.equals(result.get(ENABLED)) ? result.without(ENABLED) : result;
        result = isZero(result.get(BUDGET)) ? result.without(BUDGET) : result;
        result = hasEffort ? result : result.with(EFFORT, Json.of(lowestOrNone().wireName()));
      }
    }
    return result;
  }

  private static boolean isZero(@Nullable Json budget) {
    return budget instanceof Json.Num number && number.asLong().orElse(1) == 0;
  }

  /** Returns the effort for endpoints that support only an effort; null when none is requested. */
  @Nullable Json asEffort(ReasoningOptions options) {
    if (!options.isRequested() && !options.isDisabled()) {
      return null;
    }
    Effort effort = effort(options, false);
    return effort == null ? null : Json.of(effort.wireName());
  }
}
