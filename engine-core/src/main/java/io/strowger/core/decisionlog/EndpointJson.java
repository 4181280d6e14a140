package io.strowger.core.decisionlog;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON form of an endpoint in {@link CatalogJson}. Prices are whole picodollars. */
final class EndpointJson {
  private static final String MULTI_SPEAKER = "multi_speaker";
  private static final String AUDIO_FORMATS = "audio_formats";

  private EndpointJson() {}

  static Json write(Endpoint endpoint, Json provider) {
    Json.Obj.Builder json =
        Json.object()
            .put("provider", provider)
            .putOrNull("tag", isTagSlug(endpoint) ? null : endpoint.tag())
            .put("upstream_model", endpoint.upstreamModel())
            .put("kind", endpoint.kind().name())
            .put("pricing", pricing(endpoint.pricing()))
            .put("context_length", endpoint.contextLength())
            .put("max_output_tokens", endpoint.maxOutputTokens())
            .put("quantization", endpoint.quantization())
            .put("parameters", endpoint.parameterMask())
            .put("input_modalities", endpoint.inputModalities())
            .put("output_modalities", endpoint.outputModalities())
            .putOrNull("service_tier", endpoint.serviceTier())
            .put("assumed_throughput", CatalogJson.fraction(endpoint.assumedThroughput()))
            .put("assumed_latency_ms", CatalogJson.fraction(endpoint.assumedLatencyMs()));
    if (endpoint.multiSpeaker()) {
      json.put(MULTI_SPEAKER, true); // left out when false: older versions do not know it
    }
    if (!endpoint.audioFormats().equals(Endpoint.DEFAULT_AUDIO_FORMATS)) {
      json.put(
          AUDIO_FORMATS, Json.array(endpoint.audioFormats().stream().<Json>map(Json::of).toList()));
    }
    return json.build();
  }

  /**
   * Returns whether the tag equals the slug. Such a tag is not written, because reading a tag makes
   * it lower case.
   */
  private static boolean isTagSlug(Endpoint endpoint) {
    return endpoint.tag().equals(endpoint.provider().slug());
  }

  static Endpoint read(LogDocument json, String model, ProviderInfo provider) {
    Endpoint.Builder endpoint =
        Endpoint.builder(model, provider)
            .upstreamModel(json.text("upstream_model"))
            .kind(Endpoint.Kind.valueOf(json.text("kind")))
            .pricing(pricing(json.object("pricing")))
            .contextLength(json.intNumber("context_length"))
            .maxOutputTokens(json.intNumber("max_output_tokens"))
            .quantization(json.text("quantization"))
            .parameters(json.number("parameters"))
            .inputModalities(json.intNumber("input_modalities"))
            .outputModalities(json.intNumber("output_modalities"))
            .serviceTier(json.textOrNull("service_tier"))
            .assumedPerformance(
                json.fraction("assumed_throughput"), json.fraction("assumed_latency_ms"));
    if (!json.isAbsent(MULTI_SPEAKER)) {
      endpoint.multiSpeaker(json.flag(MULTI_SPEAKER));
    }
    if (!json.isAbsent(AUDIO_FORMATS)) {
      endpoint.audioFormats(json.texts(AUDIO_FORMATS));
    }
    String tag = json.textOrNull("tag");
    return tag == null ? endpoint.build() : endpoint.tag(tag).build();
  }

  /** Writes the prices that were given, not those derived from them. */
  private static Json pricing(Pricing pricing) {
    Json.Obj.Builder json = Json.object();
    for (Price price : Price.values()) {
      if (pricing.isGiven(price)) {
        json.put(price.wireName(), pricing.picos(price));
      }
    }
    if (!pricing.overrides().isEmpty()) {
      json.put(
          "overrides",
          Json.array(pricing.overrides().stream().map(EndpointJson::override).toList()));
    }
    return json.build();
  }

  private static Json override(Pricing.Override override) {
    Json.Obj.Builder json = Json.object();
    put(json, "min_prompt_tokens", override.minPromptTokens());
    put(json, "utc_start", override.utcStart());
    put(json, "utc_end", override.utcEnd());
    override.prices().forEach((price, value) -> json.put(price.wireName(), value.picos()));
    return json.build();
  }

  private static void put(Json.Obj.Builder json, String name, @Nullable Number value) {
    if (value != null) {
      json.put(name, value.longValue());
    }
  }

  private static Pricing pricing(LogDocument json) {
    Pricing.Builder pricing = Pricing.builder();
    prices(json).forEach(pricing::set);
    if (!json.isAbsent("overrides")) {
      for (LogDocument override : json.objects("overrides")) {
        pricing.override(
            new Pricing.Override(
                override.isAbsent("min_prompt_tokens")
                    ? null
                    : override.number("min_prompt_tokens"),
                override.isAbsent("utc_start") ? null : override.intNumber("utc_start"),
                override.isAbsent("utc_end") ? null : override.intNumber("utc_end"),
                prices(override)));
      }
    }
    return pricing.build();
  }

  private static Map<Price, UnitPrice> prices(LogDocument json) {
    var prices = new EnumMap<Price, UnitPrice>(Price.class);
    for (Price price : Price.values()) {
      if (!json.isAbsent(price.wireName())) {
        prices.put(price, new UnitPrice(json.number(price.wireName())));
      }
    }
    return prices;
  }
}
