package io.strowger.core.config;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Endpoint.Kind;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Quantization;
import io.strowger.spi.catalog.UnitPrice;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the {@code endpoints} of one model. */
final class EndpointReader {
  private static final ProviderInfo UNKNOWN_PROVIDER =
      new ProviderInfo("nobody", "nobody", true, true, null, false);
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}");
  private static final Pattern AUDIO_FORMAT = Pattern.compile("[a-z0-9][a-z0-9_-]{0,31}");
  private static final WordChoice<Kind> KINDS =
      WordChoice.of(List.of(Kind.values()), kind -> kind.name().toLowerCase(Locale.ROOT));
  private static final WordChoice<Modality> MODALITIES =
      WordChoice.of(List.of(Modality.values()), Modality::wireName);
  private static final WordChoice<Parameter> PARAMETERS =
      WordChoice.of(List.of(Parameter.values()), Parameter::wireName);
  private static final WordChoice<String> TIERS = WordChoice.words("priority", "flex");
  private static final WordChoice<Quantization> QUANTIZATIONS =
      WordChoice.of(List.of(Quantization.values()), Quantization::wireName);

  private static final long MAX_DOLLARS = 1_000_000; // so that sums of prices do not overflow

  private final String model;
  private final Map<String, ProviderConfig> providers;
  private final UniqueNames tags = new UniqueNames();

  EndpointReader(String model, Map<String, ProviderConfig> providers) {
    this.model = model;
    this.providers = providers;
  }

  Endpoint read(Section in) {
    String slug =
        in.text("provider", "must be the slug of a provider in this file", providers::containsKey);
    in.require("provider");
    ProviderConfig provider = slug == null ? null : providers.get(slug);
    var endpoint = Endpoint.builder(model, provider == null ? UNKNOWN_PROVIDER : provider.info());
    if (provider != null) {
      endpoint.audioFormats(provider.audioFormats());
    }
    readNames(in, endpoint, slug);
    Kind kind = in.choice("kind", KINDS);
    endpoint.kind(kind == null ? Kind.CHAT : kind);
    endpoint.pricing(in.section("pricing", EndpointReader::pricing));
    readLimits(in, endpoint);
    readCapabilities(in, endpoint);
    return endpoint.build();
  }

  private void readNames(Section in, Endpoint.Builder endpoint, @Nullable String slug) {
    String tag =
        in.text(
            "tag",
            "must be a tag such as alpha or alpha/turbo",
            text -> TAG.matcher(text).matches());
    if (tag != null) {
      endpoint.tag(tag);
      tags.check(in, "tag", tag);
    } else if (!in.has("tag")) {
      tags.check(in, "provider", slug);
    }
    String upstream = in.text("upstream_model");
    if (upstream != null) {
      endpoint.upstreamModel(upstream);
    }
  }

  private static void readLimits(Section in, Endpoint.Builder endpoint) {
    endpoint.contextLength(in.wholeNumber("context_length", 1, Integer.MAX_VALUE, 0));
    endpoint.maxMessages(in.wholeNumber("max_messages", 1, Integer.MAX_VALUE, 0));
    endpoint.maxOutputTokens(in.wholeNumber("max_output_tokens", 1, Integer.MAX_VALUE, 0));
    in.section(
        "assumed",
        assumed -> {
          Double throughput = assumed.number("throughput_tps", 0, 1_000_000);
          Double latency = assumed.number("latency_ms", 0, 86_400_000);
          return endpoint.assumedPerformance(
              throughput == null ? 0 : throughput, latency == null ? 0 : latency);
        });
  }

  private static void readCapabilities(Section in, Endpoint.Builder endpoint) {
    Quantization quantization = in.choice("quantization", QUANTIZATIONS);
    endpoint.quantization((quantization == null ? Quantization.UNKNOWN : quantization).wireName());
    List<Parameter> parameters = in.choices("supported_parameters", PARAMETERS);
    endpoint.parameters(parameters == null ? Parameter.ALL : Parameter.mask(parameters));
    endpoint.inputModalities(modalities(in, "input_modalities"));
    endpoint.outputModalities(modalities(in, "output_modalities"));
    endpoint.serviceTier(in.choice("service_tier", TIERS));
    endpoint.multiSpeaker(in.flag("multi_speaker", false));
    List<String> formats =
        in.texts(
            "audio_formats",
            "must be names of formats such as mp3, pcm or opus",
            name -> AUDIO_FORMAT.matcher(name).matches());
    if (in.isEmptyList("audio_formats")) {
      in.problem("audio_formats", "must name at least one, or be left out for mp3 and pcm");
    } else if (formats != null) {
      endpoint.audioFormats(formats);
    }
  }

  private static int modalities(Section in, String name) {
    List<Modality> modalities = in.choices(name, MODALITIES);
    if (in.isEmptyList(name)) {
      in.problem(name, "must name at least one, or be left out for text");
    }
    return modalities == null ? Modality.TEXT.bit() : Modality.mask(modalities);
  }

  private static Pricing pricing(Section in) {
    var pricing = Pricing.builder();
    prices(in).forEach(pricing::set);
    in.sections("overrides", (override, i) -> override(override)).forEach(pricing::override);
    return pricing.build();
  }

  private static Map<Price, UnitPrice> prices(Section in) {
    var prices = new EnumMap<Price, UnitPrice>(Price.class);
    for (Price price : Price.values()) {
      BigDecimal dollars = in.dollars(price.wireName(), 12, MAX_DOLLARS, false);
      if (dollars != null) {
        prices.put(price, UnitPrice.ofDollars(dollars));
      }
    }
    return prices;
  }

  private static Pricing.Override override(Section in) {
    Long tokens = in.wholeNumber("min_prompt_tokens", 0, Integer.MAX_VALUE);
    Integer start = in.timeOfDay("utc_start");
    Integer end = in.timeOfDay("utc_end");
    if (in.has("utc_start") != in.has("utc_end")) {
      in.problemWithoutValue(
          in.has("utc_start") ? "utc_end" : "utc_start",
          "is required, since utc_start and utc_end go together");
    } else if (start != null && start.equals(end)) {
      in.problem("utc_end", "must differ from utc_start");
    }
    var prices = prices(in);
    boolean hasWindow = start != null && end != null;
    return new Pricing.Override(tokens, hasWindow ? start : null, hasWindow ? end : null, prices);
  }
}
