package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of a {@link RoutingQuery}. */
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
    Usd budget = query.budget();
    Json.Obj.Builder json =
        Json.object()
            .put("version", VERSION)
            .put("catalog_version", query.catalogVersion())
            .put("models", strings(query.models().stream().map(ModelRef::toString).toList()))
            .put("kind", query.kind().name())
            .put("provider", ProviderPreferencesJson.write(query.preferences()))
            .put("account", AccountRulesJson.write(query.account()))
            .put("parameters", query.parameters())
            .put("input_modalities", query.inputModalities())
            .put("output_modalities", query.outputModalities())
            .put("prompt_tokens", query.promptTokens())
            .put("prompt_ceiling", query.maxPromptTokens())
            .put("compression", query.compression().name())
            .put("output_limit", query.outputLimit())
            .put("default_output_tokens", query.defaultOutputTokens())
            .put("budget_nanos", budget == null ? Json.NULL : Json.of(budget.nanos()))
            .put("tier", query.tier().name())
            .putOrNull("region", query.region())
            .put(
                "customer_keys",
                Json.array(query.byokKeys().stream().map(RoutingQueryJson::key).toList()))
            .put("sticky", strings(query.stickyEndpoints()))
            .put(
                "routers",
                Json.array(query.routers().stream().map(RoutingQueryJson::step).toList()))
            .put("at", query.at().toString())
            .put("seed", query.seed())
            .put("statistics", query.statisticsSequence());
    String reasoningOffMember = query.reasoningOffMember();
    if (reasoningOffMember != null) {
      // only when set, since older versions do not know this member
      json.put(REASONING_OFF, reasoningOffMember);
    }
    UnknownPart part = query.unknownPart();
    if (part != null) {
      json.put(UNKNOWN_PART, part(part));
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
    SpeechRequirements speech = query.speech();
    if (speech != null) {
      json.put(SPEECH, speech(speech));
    }
    Usd budgetWithByok = query.budgetWithByok();
    if (budgetWithByok != null) {
      json.put(BUDGET_WITH_BYOK_KEYS, budgetWithByok.nanos());
    }
    return json.build();
  }

  static RoutingQuery read(Json.Obj json) {
    long version = number(json, "version");
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "cannot read a routing query of version " + version + "; this gateway reads " + VERSION);
    }
    return RoutingQuery.builder(text(json, "catalog_version"))
        .models(list(json, "models").stream().map(ModelRef::parse).toList())
        .kind(Endpoint.Kind.valueOf(text(json, "kind")))
        .preferences(ProviderPreferencesJson.read(object(json, "provider")))
        .account(AccountRulesJson.read(object(json, "account")))
        .parameters(number(json, "parameters"))
        .inputModalities(intNumber(json, "input_modalities"))
        .outputModalities(intNumber(json, "output_modalities"))
        .promptTokens(number(json, "prompt_tokens"))
        .maxPromptTokens(number(json, "prompt_ceiling"))
        .maxSearches(json.has(SEARCHES) ? intNumber(json, SEARCHES) : 0)
        .maxUnits(json.has(UNITS) ? number(json, UNITS) : 0)
        .batch(Json.TRUE.equals(json.get(BATCH)))
        .speech(json.has(SPEECH) ? speech(object(json, SPEECH)) : null)
        .compression(compression(json))
        .reasoningOffMember(json.has(REASONING_OFF) ? text(json, REASONING_OFF) : null)
        .unknownPart(json.has(UNKNOWN_PART) ? part(object(json, UNKNOWN_PART)) : null)
        .outputLimit(intNumber(json, "output_limit"))
        .defaultOutputTokens(intNumber(json, "default_output_tokens"))
        .budget(
            Json.NULL.equals(json.get("budget_nanos"))
                ? null
                : new Usd(number(json, "budget_nanos")))
        .budgetWithByok(
            json.has(BUDGET_WITH_BYOK_KEYS) ? new Usd(number(json, BUDGET_WITH_BYOK_KEYS)) : null)
        .tier(ServiceTier.valueOf(text(json, "tier")))
        .region(textOrNull(json, "region"))
        .byokKeys(objects(json, "customer_keys").stream().map(RoutingQueryJson::key).toList())
        .stickyEndpoints(list(json, "sticky"))
        .routers(objects(json, "routers").stream().map(RoutingQueryJson::step).toList())
        .at(instant(text(json, "at")))
        .seed(number(json, "seed"))
        .statisticsSequence(number(json, "statistics"))
        .build();
  }

  private static Json part(UnknownPart part) {
    return Json.object()
        .put("protocol", part.protocol())
        .put("at", part.pointer().toString())
        .put("type", part.type())
        .build();
  }

  private static UnknownPart part(Json.Obj json) {
    return new UnknownPart(
        text(json, "protocol"), JsonPointer.parse(text(json, "at")), text(json, "type"));
  }

  private static Json speech(SpeechRequirements speech) {
    return Json.object()
        .put("characters", speech.characters())
        .put("multi_speaker", speech.multiSpeaker())
        .put("format", speech.format())
        .build();
  }

  private static SpeechRequirements speech(Json.Obj json) {
    return new SpeechRequirements(
        number(json, "characters"), flag(json, "multi_speaker"), text(json, "format"));
  }

  private static Json key(ByokKeyRef key) {
    return Json.object()
        .put("id", key.id())
        .put("provider", key.provider())
        .put("fallback", key.fallback())
        .put("sort_order", key.sortOrder())
        .put("always_use", key.alwaysUse())
        .put("models", stringsOrNull(key.models()))
        .build();
  }

  private static ByokKeyRef key(Json.Obj json) {
    return new ByokKeyRef(
        text(json, "id"),
        text(json, "provider"),
        flag(json, "fallback"),
        intNumber(json, "sort_order"),
        flag(json, "always_use"),
        listOrNull(json, "models"));
  }

  private static Json step(RouterStep step) {
    return Json.object()
        .put("plugin", step.plugin())
        .put("version", step.version())
        .put("model", step.modelIndex())
        .put("config", step.config())
        .put("facts", step.facts())
        .build();
  }

  private static RouterStep step(Json.Obj json) {
    Json facts = json.get("facts");
    if (facts == null) {
      throw invalidMember("facts");
    }
    return new RouterStep(
        text(json, "plugin"),
        text(json, "version"),
        intNumber(json, "model"),
        object(json, "config"),
        facts);
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static Json strings(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  static Json stringsOrNull(@Nullable List<String> texts) {
    return texts == null ? Json.NULL : strings(texts);
  }

  static long number(Json.Obj json, String name) {
    if (json.get(name) instanceof Json.Num number) {
      return number.asLong().orElseThrow(() -> invalidMember(name));
    }
    throw invalidMember(name);
  }

  /** Returns the scope; older logs say only whether all prompts are compressed. */
  private static ContextCompressionScope compression(Json.Obj json) {
    if (json.has("compressible")) {
      return flag(json, "compressible")
          ? ContextCompressionScope.ALL
          : ContextCompressionScope.UNAVAILABLE;
    }
    return ContextCompressionScope.valueOf(text(json, "compression"));
  }

  static boolean flag(Json.Obj json, String name) {
    if (json.get(name) instanceof Json.Bool bool) {
      return bool.value();
    }
    throw invalidMember(name);
  }

  private static int intNumber(Json.Obj json, String name) {
    long value = number(json, name);
    if (value != (int) value) {
      throw invalidMember(name);
    }
    return (int) value;
  }

  static String text(Json.Obj json, String name) {
    String text = json.text(name);
    if (text == null) {
      throw invalidMember(name);
    }
    return text;
  }

  private static @Nullable String textOrNull(Json.Obj json, String name) {
    return Json.NULL.equals(json.get(name)) ? null : text(json, name);
  }

  private static List<Json.Obj> objects(Json.Obj json, String name) {
    Json.Arr items = json.list(name);
    if (items == null) {
      throw invalidMember(name);
    }
    var objects = new ArrayList<Json.Obj>();
    for (Json item : items) {
      if (!(item instanceof Json.Obj object)) {
        throw invalidMember(name);
      }
      objects.add(object);
    }
    return objects;
  }

  static Json.Obj object(Json.Obj json, String name) {
    Json.Obj object = json.object(name);
    if (object == null) {
      throw invalidMember(name);
    }
    return object;
  }

  static List<String> list(Json.Obj json, String name) {
    List<String> texts = listOrNull(json, name);
    if (texts == null) {
      throw invalidMember(name);
    }
    return texts;
  }

  static @Nullable List<String> listOrNull(Json.Obj json, String name) {
    if (Json.NULL.equals(json.get(name))) {
      return null;
    }
    return texts(json.get(name), name);
  }

  static List<String> texts(@Nullable Json list, String name) {
    if (!(list instanceof Json.Arr items)) {
      throw invalidMember(name);
    }
    var texts = new ArrayList<String>();
    for (Json item : items) {
      if (!(item instanceof Json.Str str)) {
        throw invalidMember(name);
      }
      texts.add(str.text());
    }
    return texts;
  }

  static IllegalArgumentException invalidMember(String name) {
    return new IllegalArgumentException("not a routing query: wrong or missing member " + name);
  }
}
