package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link RoutingQuery}. Amounts are exact integers (nanodollars, picodollars,
 * millionths), so that nothing is rounded twice.
 */
final class RoutingQueryJson {
  private static final int VERSION = 3;
  private static final String REASONING_OFF = "reasoning_off";
  private static final String UNKNOWN_PART = "unknown_part";
  private static final String SEARCHES = "searches";
  private static final String SPEECH = "speech";
  private static final String UNITS = "units";
  private static final String BATCH = "batch";
  private static final String BUDGET_WITH_BYOK_KEYS = "budget_with_own_keys_nanos";

  private RoutingQueryJson() {}

  static Json.Obj write(RoutingQuery query) {
    Json.Obj.Builder json =
        Json.object()
            .put("version", VERSION)
            .put("catalog_version", query.catalogVersion())
            .put("models", array(query.models(), model -> Json.of(model.toString())))
            .put("kind", query.kind().name())
            .put("provider", write(query.preferences()))
            .put("account", write(query.account()))
            .put("parameters", query.parameters())
            .put("input_modalities", query.inputModalities())
            .put("output_modalities", query.outputModalities())
            .put("prompt_tokens", query.promptTokens())
            .put("prompt_ceiling", query.maxPromptTokens())
            .put("compression", query.compression().name())
            .put("output_limit", query.outputLimit())
            .put("default_output_tokens", query.defaultOutputTokens())
            .put("budget_nanos", orNull(query.budget(), budget -> Json.of(budget.nanos())))
            .put("tier", query.tier().name())
            .putOrNull("region", query.region())
            .put("customer_keys", array(query.byokKeys(), RoutingQueryJson::write))
            .put("sticky", Json.strings(query.stickyEndpoints()))
            .put("routers", array(query.routers(), RoutingQueryJson::write))
            .put("at", query.at().toString())
            .put("seed", query.seed())
            .put("statistics", query.statisticsSequence());
    // the rest only when set, since older versions do not know these members
    if (query.reasoningOffMember() instanceof String member) {
      json.put(REASONING_OFF, member);
    }
    if (query.unknownPart() instanceof UnknownPart part) {
      json.put(UNKNOWN_PART, write(part));
    }
    if (query.maxSearches() > 0) {
      json.put(SEARCHES, query.maxSearches());
    }
    if (query.maxUnits() > 0) {
      json.put(UNITS, query.maxUnits());
    }
    if (query.isBatch()) {
      json.put(BATCH, true);
    }
    if (query.speech() instanceof SpeechRequirements speech) {
      json.put(SPEECH, write(speech));
    }
    if (query.budgetWithByok() instanceof Usd budget) {
      json.put(BUDGET_WITH_BYOK_KEYS, budget.nanos());
    }
    return json.build();
  }

  static RoutingQuery read(RecordedJson json) {
    long version = json.number("version");
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "has a routing query of version " + version + "; this gateway reads version " + VERSION);
    }
    return RoutingQuery.builder(json.text("catalog_version"))
        .models(json.texts("models").stream().map(ModelRef::parse).toList())
        .kind(json.constant("kind", Endpoint.Kind.class))
        .preferences(readPreferences(json.object("provider")))
        .account(readAccount(json.object("account")))
        .parameters(json.number("parameters"))
        .inputModalities(json.intNumber("input_modalities"))
        .outputModalities(json.intNumber("output_modalities"))
        .promptTokens(json.number("prompt_tokens"))
        .maxPromptTokens(json.number("prompt_ceiling"))
        .maxSearches(json.intNumber(SEARCHES, 0))
        .maxUnits(json.number(UNITS, 0))
        .batch(json.flag(BATCH, false))
        .speech(json.optional(SPEECH, name -> readSpeech(json.object(name))))
        .compression(readCompression(json))
        .reasoningOffMember(json.optionalText(REASONING_OFF))
        .unknownPart(json.optional(UNKNOWN_PART, name -> readPart(json.object(name))))
        .outputLimit(json.intNumber("output_limit"))
        .defaultOutputTokens(json.intNumber("default_output_tokens"))
        .budget(json.orNull("budget_nanos", name -> new Usd(json.number(name))))
        .budgetWithByok(json.optional(BUDGET_WITH_BYOK_KEYS, name -> new Usd(json.number(name))))
        .tier(json.constant("tier", ServiceTier.class))
        .region(json.orNull("region", json::text))
        .byokKeys(json.objects("customer_keys").stream().map(RoutingQueryJson::readKey).toList())
        .stickyEndpoints(json.texts("sticky"))
        .routers(json.objects("routers").stream().map(RoutingQueryJson::readStep).toList())
        .at(json.instant("at"))
        .seed(json.number("seed"))
        .statisticsSequence(json.number("statistics"))
        .build();
  }

  /** Returns the scope; older logs say only whether all prompts are compressed. */
  private static ContextCompressionScope readCompression(RecordedJson json) {
    if (json.members().has("compressible")) {
      return json.flag("compressible")
          ? ContextCompressionScope.ALL
          : ContextCompressionScope.UNAVAILABLE;
    }
    return json.constant("compression", ContextCompressionScope.class);
  }

  private static Json write(UnknownPart part) {
    return Json.object()
        .put("protocol", part.protocol())
        .put("at", part.pointer().toString())
        .put("type", part.type())
        .build();
  }

  private static UnknownPart readPart(RecordedJson json) {
    return new UnknownPart(
        json.text("protocol"), JsonPointer.parse(json.text("at")), json.text("type"));
  }

  private static Json write(SpeechRequirements speech) {
    return Json.object()
        .put("characters", speech.characters())
        .put("multi_speaker", speech.multiSpeaker())
        .put("format", speech.format())
        .build();
  }

  private static SpeechRequirements readSpeech(RecordedJson json) {
    return new SpeechRequirements(
        json.number("characters"), json.flag("multi_speaker"), json.text("format"));
  }

  private static Json write(ByokKeyRef key) {
    return Json.object()
        .put("id", key.id())
        .put("provider", key.provider())
        .put("fallback", key.fallback())
        .put("sort_order", key.sortOrder())
        .put("always_use", key.alwaysUse())
        .put("models", orNull(key.models(), Json::strings))
        .build();
  }

  private static ByokKeyRef readKey(RecordedJson json) {
    return new ByokKeyRef(
        json.text("id"),
        json.text("provider"),
        json.flag("fallback"),
        json.intNumber("sort_order"),
        json.flag("always_use"),
        json.orNull("models", json::texts));
  }

  private static Json write(RouterStep step) {
    return Json.object()
        .put("plugin", step.plugin())
        .put("version", step.version())
        .put("model", step.modelIndex())
        .put("config", step.config())
        .put("facts", step.facts())
        .build();
  }

  private static RouterStep readStep(RecordedJson json) {
    Json facts = json.members().get("facts");
    if (facts == null) {
      throw RecordedJson.missing("facts");
    }
    return new RouterStep(
        json.text("plugin"),
        json.text("version"),
        json.intNumber("model"),
        json.object("config").members(),
        facts);
  }

  static Json.Obj write(AccountRules rules) {
    return Json.object()
        .put("allowed_providers", array(rules.allowedProviders(), Json::strings))
        .put("ignored_providers", Json.strings(rules.ignoredProviders()))
        .put("allowed_models", array(rules.allowedModels(), Json::strings))
        .put("ignored_models", Json.strings(rules.ignoredModels()))
        .put("zdr", Json.strings(rules.zdr()))
        .put("free_training", rules.allowsFreeTraining())
        .put("paid_training", rules.allowsPaidTraining())
        .put("default_sort", orNull(rules.defaultSort(), RoutingQueryJson::word))
        .put("private_models", Json.strings(rules.privateModels()))
        .build();
  }

  private static AccountRules readAccount(RecordedJson json) {
    return new AccountRules(
        json.lists("allowed_providers"),
        json.texts("ignored_providers"),
        json.lists("allowed_models"),
        json.texts("ignored_models"),
        json.texts("zdr"),
        json.flag("free_training"),
        json.flag("paid_training"),
        json.orNull("default_sort", name -> json.constant(name, ProviderSort.Key.class)),
        json.texts("private_models"));
  }

  private static Json.Obj write(ProviderPreferences preferences) {
    return Json.object()
        .put("order", Json.strings(preferences.order()))
        .put("only", orNull(preferences.only(), Json::strings))
        .put("ignore", Json.strings(preferences.ignore()))
        .put("allow_fallbacks", preferences.allowFallbacks())
        .put("require_parameters", preferences.requireParameters())
        .put("deny_data_collection", preferences.denyDataCollection())
        .put("zdr", preferences.zdr())
        .put("enforce_distillable_text", preferences.enforceDistillableText())
        .put("quantizations", Json.strings(preferences.quantizations()))
        .put("max_price_picos", write(preferences.maxPrice()))
        .put("sort_by", orNull(preferences.sort().by(), RoutingQueryJson::word))
        .put("sort_partition", word(preferences.sort().partition()))
        .put("preferred_min_throughput_micros", write(preferences.preferredMinThroughput()))
        .put("preferred_max_latency_micros", write(preferences.preferredMaxLatency()))
        .build();
  }

  private static ProviderPreferences readPreferences(RecordedJson json) {
    return ProviderPreferences.builder()
        .order(json.texts("order"))
        .only(json.orNull("only", json::texts))
        .ignore(json.texts("ignore"))
        .allowFallbacks(json.flag("allow_fallbacks"))
        .requireParameters(json.flag("require_parameters"))
        .denyDataCollection(json.flag("deny_data_collection"))
        .zdr(json.flag("zdr"))
        .enforceDistillableText(json.flag("enforce_distillable_text"))
        .quantizations(json.texts("quantizations"))
        .maxPrice(readCaps(json.object("max_price_picos")))
        .sort(
            new ProviderSort(
                json.orNull("sort_by", name -> json.constant(name, ProviderSort.Key.class)),
                json.constant("sort_partition", ProviderSort.Partition.class)))
        .preferredMinThroughput(readCutoffs(json.object("preferred_min_throughput_micros")))
        .preferredMaxLatency(readCutoffs(json.object("preferred_max_latency_micros")))
        .build();
  }

  private static Json write(PriceCaps caps) {
    return Json.object()
        .put("prompt", orNull(caps.prompt(), RoutingQueryJson::picos))
        .put("completion", orNull(caps.completion(), RoutingQueryJson::picos))
        .put("image", orNull(caps.image(), RoutingQueryJson::picos))
        .put("audio", orNull(caps.audio(), RoutingQueryJson::picos))
        .put("request", orNull(caps.request(), RoutingQueryJson::picos))
        .build();
  }

  private static Json picos(UnitPrice price) {
    return Json.of(price.picos());
  }

  private static PriceCaps readCaps(RecordedJson json) {
    Function<String, UnitPrice> price = name -> new UnitPrice(json.number(name));
    return new PriceCaps(
        json.orNull("prompt", price),
        json.orNull("completion", price),
        json.orNull("image", price),
        json.orNull("audio", price),
        json.orNull("request", price));
  }

  private static Json write(PercentilePreferences cutoffs) {
    return Json.object()
        .put("p50", orNull(cutoffs.p50(), Json::of))
        .put("p75", orNull(cutoffs.p75(), Json::of))
        .put("p90", orNull(cutoffs.p90(), Json::of))
        .put("p99", orNull(cutoffs.p99(), Json::of))
        .build();
  }

  private static PercentilePreferences readCutoffs(RecordedJson json) {
    return new PercentilePreferences(
        json.orNull("p50", json::number),
        json.orNull("p75", json::number),
        json.orNull("p90", json::number),
        json.orNull("p99", json::number));
  }

  private static <T> Json array(List<T> items, Function<T, Json> writer) {
    return Json.array(items.stream().map(writer).toList());
  }

  private static <T> Json orNull(@Nullable T value, Function<T, Json> writer) {
    return value == null ? Json.NULL : writer.apply(value);
  }

  private static Json word(Enum<?> value) {
    return Json.of(value.name().toLowerCase(Locale.ROOT));
  }
}
