package io.strowger.core.decisionlog;

import io.strowger.core.routing.RecordedJson;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link Catalog}. The form is exact: a catalog that is read back equals the
 * original, with the same ordinals. Credentials and addresses are not part of a catalog.
 */
final class CatalogJson {
  private static final String MULTI_SPEAKER = "multi_speaker";
  private static final String AUDIO_FORMATS = "audio_formats";

  private CatalogJson() {}

  static Json.Obj write(Catalog catalog) {
    return Json.object()
        .put("version", catalog.version())
        .put(
            "providers",
            Json.array(catalog.providers().stream().map(CatalogJson::provider).toList()))
        .put(
            "models",
            Json.array(catalog.models().stream().map(model -> model(model, catalog)).toList()))
        .build();
  }

  static Catalog read(RecordedJson json) {
    Catalog.Builder catalog = Catalog.builder(json.text("version"));
    var providers = new ArrayList<ProviderInfo>();
    for (RecordedJson provider : json.objects("providers")) {
      ProviderInfo providerInfo = provider(provider);
      providers.add(providerInfo);
      catalog.provider(providerInfo);
    }
    for (RecordedJson model : json.objects("models")) {
      String id = model.text("id");
      var endpoints = new ArrayList<Endpoint>();
      for (RecordedJson endpoint : model.objects("endpoints")) {
        endpoints.add(endpoint(endpoint, id, provider(endpoint, providers)));
      }
      catalog.add(model(model, id), endpoints);
    }
    return catalog.build();
  }

  private static Json provider(ProviderInfo provider) {
    Json.Obj.Builder json =
        Json.object()
            .put("slug", provider.slug())
            .put("name", provider.name())
            .put("retains", provider.retainsPrompts())
            .put("trains", provider.trainsOnPrompts())
            .putOrNull("region", provider.region())
            .put("moderated", provider.moderated());
    if (!provider.protocol().isEmpty()) {
      json.put("protocol", provider.protocol()); // left out when empty, as in older versions
    }
    return json.build();
  }

  private static ProviderInfo provider(RecordedJson json) {
    return new ProviderInfo(
        json.text("slug"),
        json.text("name"),
        json.flag("retains"),
        json.flag("trains"),
        json.optionalText("region"),
        json.flag("moderated"),
        json.isAbsent("protocol") ? "" : json.text("protocol"));
  }

  /** Returns the number of a provider, or the whole provider if it differs from the catalog's. */
  private static Json providerOf(Endpoint endpoint, Catalog catalog) {
    int number = endpoint.providerOrdinal();
    return catalog.providers().get(number).equals(endpoint.provider())
        ? Json.of(number)
        : provider(endpoint.provider());
  }

  private static ProviderInfo provider(RecordedJson endpoint, List<ProviderInfo> providers) {
    if (endpoint.members().get("provider") instanceof Json.Obj providerJson) {
      return provider(new RecordedJson(providerJson));
    }
    int number = endpoint.intNumber("provider");
    if (number < 0 || number >= providers.size()) {
      throw RecordedJson.unexpectedForm("provider");
    }
    return providers.get(number);
  }

  private static Json model(ModelInfo model, Catalog catalog) {
    Instant created = model.createdAt();
    List<Json> endpoints =
        model.endpoints().stream()
            .map(endpoint -> endpoint(endpoint, providerOf(endpoint, catalog)))
            .toList();
    return Json.object()
        .put("id", model.id())
        .put("name", model.name())
        .putOrNull("family", model.family())
        .putOrNull("created", created == null ? null : created.toString())
        .put("hidden", model.isHidden())
        .put("private", model.isPrivate())
        .put("aliases", Json.strings(model.aliases()))
        .put("distillable", model.distillable())
        .put("coding_score", fraction(model.codingScore()))
        .put("intelligence_score", fraction(model.intelligenceScore()))
        .put(
            "reasoning",
            Json.object()
                .put("mandatory", model.reasoning().mandatory())
                .put("efforts", Json.strings(model.reasoning().efforts()))
                .put("max_tokens", model.reasoning().acceptsMaxTokens())
                .build())
        .put("endpoints", Json.array(endpoints))
        .build();
  }

  private static ModelInfo model(RecordedJson json, String id) {
    RecordedJson reasoning = json.object("reasoning");
    return ModelInfo.builder(id)
        .name(json.text("name"))
        .family(json.optionalText("family"))
        .createdAt(json.optional("created", json::instant))
        .isHidden(json.flag("hidden"))
        .isPrivate(json.flag("private"))
        .aliases(json.texts("aliases"))
        .distillable(json.flag("distillable"))
        .codingScore(json.optional("coding_score", json::fraction))
        .intelligenceScore(json.optional("intelligence_score", json::fraction))
        .reasoning(
            new ModelInfo.Reasoning(
                reasoning.flag("mandatory"),
                reasoning.texts("efforts"),
                reasoning.flag("max_tokens")))
        .build();
  }

  /** Returns the shortest decimal that reads back as the same double. */
  private static Json fraction(@Nullable Double value) {
    return value == null ? Json.NULL : Json.of(BigDecimal.valueOf(value));
  }

  private static Json endpoint(Endpoint endpoint, Json provider) {
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
            .put("assumed_throughput", fraction(endpoint.assumedThroughput()))
            .put("assumed_latency_ms", fraction(endpoint.assumedLatencyMs()));
    if (endpoint.multiSpeaker()) {
      json.put(MULTI_SPEAKER, true); // left out when false: older versions do not know it
    }
    if (!endpoint.audioFormats().equals(Endpoint.DEFAULT_AUDIO_FORMATS)) {
      json.put(AUDIO_FORMATS, Json.strings(endpoint.audioFormats()));
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

  private static Endpoint endpoint(RecordedJson json, String model, ProviderInfo provider) {
    Endpoint.Builder endpoint =
        Endpoint.builder(model, provider)
            .upstreamModel(json.text("upstream_model"))
            .kind(json.constant("kind", Endpoint.Kind.class))
            .pricing(pricing(json.object("pricing")))
            .contextLength(json.intNumber("context_length"))
            .maxOutputTokens(json.intNumber("max_output_tokens"))
            .quantization(json.text("quantization"))
            .parameters(json.number("parameters"))
            .inputModalities(json.intNumber("input_modalities"))
            .outputModalities(json.intNumber("output_modalities"))
            .serviceTier(json.optionalText("service_tier"))
            .assumedPerformance(
                json.fraction("assumed_throughput"), json.fraction("assumed_latency_ms"))
            .multiSpeaker(json.flag(MULTI_SPEAKER, false));
    if (!json.isAbsent(AUDIO_FORMATS)) {
      endpoint.audioFormats(json.texts(AUDIO_FORMATS));
    }
    String tag = json.optionalText("tag");
    return tag == null ? endpoint.build() : endpoint.tag(tag).build();
  }

  /** Writes the prices that were given, in whole picodollars, not those derived from them. */
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
          Json.array(pricing.overrides().stream().map(CatalogJson::override).toList()));
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

  private static Pricing pricing(RecordedJson json) {
    Pricing.Builder pricing = Pricing.builder();
    prices(json).forEach(pricing::set);
    if (!json.isAbsent("overrides")) {
      for (RecordedJson override : json.objects("overrides")) {
        pricing.override(
            new Pricing.Override(
                override.optional("min_prompt_tokens", override::number),
                override.optional("utc_start", override::intNumber),
                override.optional("utc_end", override::intNumber),
                prices(override)));
      }
    }
    return pricing.build();
  }

  private static Map<Price, UnitPrice> prices(RecordedJson json) {
    var prices = new EnumMap<Price, UnitPrice>(Price.class);
    for (Price price : Price.values()) {
      if (!json.isAbsent(price.wireName())) {
        prices.put(price, new UnitPrice(json.number(price.wireName())));
      }
    }
    return prices;
  }
}
