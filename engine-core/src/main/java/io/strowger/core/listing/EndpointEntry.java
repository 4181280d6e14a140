package io.strowger.core.listing;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.HalfHourSpeeds;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * An endpoint with its measured health, as listings show it. Resources fact sheet, section 8.
 *
 * <p>{@code status}: 0 healthy, -1 uptime below 95 %, -2 uptime below 80 % or a significant outage
 * in the last 30 seconds, -3 blocked for some time, -5 the breaker is open. Unknown figures are
 * null.
 *
 * @param statistics the endpoint's statistics, as decisions use them
 * @param speeds the speeds of the last half hour
 */
record EndpointEntry(
    ModelInfo model, Endpoint endpoint, EndpointStatistics statistics, HalfHourSpeeds speeds) {
  private static final int MICROS = 6;
  private static final int MICROS_AS_MILLIS = 3;

  /**
   * @param nowMillis the current time, in milliseconds since the epoch
   */
  Json.Obj toJson(long nowMillis) {
    return Json.object()
        .put("name", endpoint.provider().name() + " | " + model.id())
        .put("model_id", model.id())
        .put("model_name", model.name())
        .put("provider_name", endpoint.provider().name())
        .put("tag", endpoint.tag())
        .put("quantization", endpoint.quantization())
        .put("context_length", tokensOrNull(endpoint.contextLength()))
        .put("max_completion_tokens", tokensOrNull(endpoint.maxOutputTokens()))
        .put("max_prompt_tokens", Json.NULL)
        .put("pricing", PricingJson.of(endpoint.pricing()))
        .put("supported_parameters", parameters(endpoint.parameterMask()))
        .put("status", status(nowMillis))
        .put("uptime_last_5m", uptime(CountingPeriod.FIVE_MINUTES))
        .put("uptime_last_30m", uptime(CountingPeriod.HALF_HOUR))
        .put("uptime_last_1d", uptime(CountingPeriod.DAY))
        .put("latency_last_30m", percentiles(speeds::latencyMicros, MICROS_AS_MILLIS))
        .put("throughput_last_30m", percentiles(speeds::throughputMicroTokens, MICROS))
        .put("supports_implicit_caching", cachesImplicitly())
        .put("supports_voice_cloning", clonesVoices())
        .build();
  }

  /**
   * Returns whether the endpoint accepts reference recordings, by the same test that routing uses.
   */
  private boolean clonesVoices() {
    return endpoint.kind() == Endpoint.Kind.SPEECH
        && (endpoint.inputModalities() & Modality.AUDIO.bit()) != 0;
  }

  static Json.Arr parameters(long mask) {
    return Json.array(
        Arrays.stream(Parameter.values())
            .filter(parameter -> (mask & parameter.bit()) != 0)
            .<Json>map(parameter -> Json.of(parameter.wireName()))
            .toList());
  }

  /** Returns a token count; JSON null for 0, which means unknown. */
  static Json tokensOrNull(int tokens) {
    return tokens == 0 ? Json.NULL : Json.of(tokens);
  }

  private int status(long nowMillis) {
    if (statistics.isBreakerOpen()) {
      return -5;
    }
    if (statistics.blockedUntilMillis() > nowMillis) {
      return -3;
    }
    if (statistics.uptime() == EndpointStatistics.Uptime.DOWN || statistics.hasOutage()) {
      return -2;
    }
    return statistics.uptime() == EndpointStatistics.Uptime.DEGRADED ? -1 : 0;
  }

  private Json uptime(CountingPeriod countingPeriod) {
    OptionalDouble percent = statistics.uptimePercent(countingPeriod);
    return percent.isEmpty()
        ? Json.NULL
        : Json.of(BigDecimal.valueOf(Math.round(percent.getAsDouble() * 100), 2));
  }

  /**
   * Returns the percentiles of a figure; JSON null when they are unknown.
   *
   * @param shift the power of ten by which a measured value is divided
   */
  private static Json percentiles(ToLongFunction<Percentile> figures, int shift) {
    if (figures.applyAsLong(Percentile.P50) < 0) {
      return Json.NULL;
    }
    var json = Json.object();
    for (Percentile percentile : List.of(Percentile.values())) {
      BigDecimal value = BigDecimal.valueOf(figures.applyAsLong(percentile), shift);
      json.put(percentile.name().toLowerCase(Locale.ROOT), Json.of(value.stripTrailingZeros()));
    }
    return json.build();
  }

  /**
   * Returns whether the endpoint caches prompts without being asked: it has a price for cache reads
   * and none for cache writes.
   */
  private boolean cachesImplicitly() {
    return endpoint.pricing().isGiven(Price.INPUT_CACHE_READ)
        && !endpoint.pricing().isGiven(Price.INPUT_CACHE_WRITE);
  }
}
