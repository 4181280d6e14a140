package io.strowger.host.catalog;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a gateway's own listing: {@code {"data": [model, ...]}} where each model has its {@code
 * endpoints}, or one model as {@code data}. Fact sheet: resources, section 8.
 *
 * <p>Tags are kept. The provider is the part of the tag before the slash, or the provider's name
 * when there is no tag. A listing names models by the gateway's ids, so only a well-known vendor's
 * own models can be requested at its address, by their ids without the author; every other provider
 * gets a placeholder address, and its endpoints keep the gateway's ids. A negative price means that
 * the price depends on the model a request is routed to, so such an endpoint is left out.
 */
final class ListingReader {
  private static final Set<String> QUANTIZATIONS =
      Set.of(
          "int4", "int8", "fp4", "mxfp4", "nvfp4", "fp6", "fp8", "mxfp8", "fp16", "bf16", "fp32");
  private static final Set<String> EFFORTS =
      Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");
  private static final Map<String, String> ALIASES = Map.of("audio", "input_audio");

  /** Output modalities in a listing that are the kind of an endpoint other than chat. */
  private static final List<String> KINDS = List.of("embeddings", "speech");

  private final ConfigDraft draft;
  private final Set<String> vendorsWithOwnModels = new HashSet<>();

  private ListingReader(ImportOptions options) {
    draft = new ConfigDraft(options);
  }

  static ImportResult read(Json document, ImportOptions options) {
    Json data = document instanceof Json.Obj obj ? obj.get("data") : null;
    var reader = new ListingReader(options);
    switch (data) {
      case Json.Arr models -> {
        models.forEach(reader::collectVendors);
        models.forEach(reader::readModel);
      }
      case Json.Obj model -> {
        reader.collectVendors(model);
        reader.readModel(model);
      }
      case null, default ->
          throw new IllegalArgumentException(
              "a listing is an object with a list of models, or one model, as its data");
    }
    return reader.draft.build();
  }

  /** Records the vendors that serve a model of their own. */
  private void collectVendors(Json item) {
    Json.Obj model = item instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    if (model.list("endpoints") instanceof Json.Arr endpoints) {
      for (Json endpoint : endpoints) {
        if (endpoint instanceof Json.Obj obj
            && pricing(obj.object("pricing")) != null
            && Vendors.isAuthor(slug(obj), author(id(model)))) {
          vendorsWithOwnModels.add(slug(obj));
        }
      }
    }
  }

  private static String id(Json.Obj model) {
    return ConfigDraft.cleanName(model.text("id"), "").toLowerCase(Locale.ROOT);
  }

  /** Returns the part of a model's id before the first slash; empty without a slash. */
  private static String author(String id) {
    return id.substring(0, Math.max(0, id.indexOf('/')));
  }

  private static String slug(Json.Obj endpoint) {
    String tag = tag(endpoint.text("tag"));
    String name = ConfigDraft.cleanName(endpoint.text("provider_name"), "");
    return ConfigDraft.slug(tag == null ? name : tag.replaceAll("/.*", ""));
  }

  private void readModel(Json item) {
    Json.Obj model = item instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    String id = id(model);
    Json.Arr endpoints = model.list("endpoints");
    if (id.isEmpty()) {
      draft.skip("a model without an id");
    } else if (endpoints == null || endpoints.isEmpty()) {
      draft.skip("a model without endpoints");
    } else {
      draft.addFacts(id, facts(id, model), false);
      for (Json endpoint : endpoints) {
        readEndpoint(id, model, endpoint instanceof Json.Obj obj ? obj : Json.Obj.EMPTY);
      }
    }
  }

  private static Json.Obj facts(String id, Json.Obj model) {
    var facts = Json.object().put("name", ConfigDraft.cleanName(model.text("name"), id));
    long created = model.longValue("created", 0);
    if (created > 0 && created < 253_402_300_800L) { // the year 10000
      facts.put("created", Instant.ofEpochSecond(created).toString());
    }
    Json.Obj reasoning = model.object("reasoning");
    if (reasoning != null) {
      var efforts = new ArrayList<Json>();
      if (reasoning.list("supported_efforts") instanceof Json.Arr listed) {
        listed.stream()
            .filter(it -> it instanceof Json.Str str && EFFORTS.contains(str.text()))
            .forEach(efforts::add);
      }
      facts.put(
          "reasoning",
          Json.object()
              .put("mandatory", Abilities.isTrue(reasoning, "mandatory"))
              .put("efforts", Json.array(efforts))
              .put("max_tokens", Abilities.isTrue(reasoning, "supports_max_tokens"))
              .build());
    }
    return facts.build();
  }

  private void readEndpoint(String id, Json.Obj model, Json.Obj endpoint) {
    String name = ConfigDraft.cleanName(endpoint.text("provider_name"), "");
    String tag = tag(endpoint.text("tag"));
    String slug = slug(endpoint);
    boolean isOwn = Vendors.isAuthor(slug, author(id));
    Json.Obj pricing = pricing(endpoint.object("pricing"));
    if (slug.isEmpty()) {
      draft.skip("without a provider");
    } else if (pricing == null) {
      draft.skip("without a fixed price");
    } else if (!isOwn && vendorsWithOwnModels.contains(slug)) {
      draft.skip("of a vendor that has another name for the model than the listing");
    } else {
      String listed = ConfigDraft.cleanName(model.text("id"), id);
      String upstreamModel = isOwn ? listed.substring(listed.indexOf('/') + 1) : listed;
      if (isOwn) {
        draft.addProvider(slug, name.isEmpty() ? slug : name);
      } else {
        draft.addProviderWithoutAddress(slug, name.isEmpty() ? slug : name);
      }
      draft.addEndpoint(
          id, slug, upstreamModel, tag == null ? slug : tag, body(model, endpoint, tag, pricing));
    }
  }

  /** Returns a tag in the characters that a configuration allows; null when nothing is left. */
  private static @Nullable String tag(@Nullable String tag) {
    if (tag == null) {
      return null;
    }
    String clean = tag.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._:/-]+", "-");
    clean = clean.replaceAll("^[^a-z0-9]+", "");
    return clean.isEmpty() ? null : clean.substring(0, Math.min(clean.length(), 190));
  }

  private static Json.Obj body(
      Json.Obj model, Json.Obj endpoint, @Nullable String tag, Json.Obj pricing) {
    var body = Json.object().put("pricing", pricing);
    Abilities.putTokens(body, "context_length", endpoint, "context_length");
    Abilities.putTokens(body, "max_output_tokens", endpoint, "max_completion_tokens");
    String quantization = endpoint.text("quantization");
    if (quantization != null && QUANTIZATIONS.contains(quantization)) {
      body.put("quantization", quantization);
    }
    Abilities.putUnlessNull(
        body,
        "supported_parameters",
        Abilities.knownParameters(endpoint.get("supported_parameters")));
    Json.Obj architecture = model.object("architecture");
    if (architecture != null) {
      putKind(architecture.list("output_modalities"), body);
      for (String name : List.of("input_modalities", "output_modalities")) {
        Abilities.putUnlessNull(body, name, Abilities.knownModalities(architecture.get(name)));
      }
    }
    for (String tier : List.of("priority", "flex")) {
      if (tag != null && tag.endsWith("/" + tier)) {
        body.put("service_tier", tier);
      }
    }
    return body.build();
  }

  /** Puts the kind of a model whose only output shows that it is not for chat. */
  private static void putKind(Json.@Nullable Arr outputs, Json.Obj.Builder body) {
    if (outputs != null && outputs.size() == 1) {
      for (String kind : KINDS) {
        if (outputs.get(0).equals(Json.of(kind))) {
          body.put("kind", kind);
        }
      }
    }
  }

  private static Json.@Nullable Obj pricing(Json.@Nullable Obj listed) {
    if (listed == null
        || Prices.perUnit(listed.get("prompt")) == null
        || Prices.perUnit(listed.get("completion")) == null) {
      return null;
    }
    var pricing = Json.object().putAll(prices(listed));
    var overrides = new ArrayList<Json>();
    if (listed.list("overrides") instanceof Json.Arr items) {
      for (Json item : items) {
        if (item instanceof Json.Obj override && override(override) instanceof Json.Obj usable) {
          overrides.add(usable);
        }
      }
    }
    return overrides.isEmpty()
        ? pricing.build()
        : pricing.put("overrides", Json.array(overrides)).build();
  }

  private static Json.Obj prices(Json.Obj listed) {
    var prices = Json.object();
    ALIASES.forEach((alias, name) -> put(prices, name, listed.get(alias)));
    for (Price price : Price.values()) {
      put(prices, price.wireName(), listed.get(price.wireName()));
    }
    return prices.build();
  }

  private static void put(Json.Obj.Builder prices, String name, @Nullable Json price) {
    String dollars = Prices.perUnit(price);
    if (dollars != null) {
      prices.put(name, dollars);
    }
  }

  /** Returns an override for a configuration; null when it has no usable condition or no price. */
  private static @Nullable Json override(Json.Obj listed) {
    Json.Obj prices = prices(listed);
    var override = Json.object();
    long tokens = listed.longValue("min_prompt_tokens", -1);
    if (tokens >= 0 && tokens <= Integer.MAX_VALUE) {
      override.put("min_prompt_tokens", tokens);
    }
    int start = clock(listed.get("utc_start"));
    int end = clock(listed.get("utc_end"));
    if (start >= 0 && end >= 0 && start != end) {
      override.put("utc_start", start).put("utc_end", end);
    }
    Json.Obj condition = override.build();
    return condition.size() == 0 || prices.size() == 0
        ? null
        : Json.object().putAll(condition).putAll(prices).build();
  }

  private static int clock(@Nullable Json time) {
    String digits =
        switch (time) {
          case Json.Num num -> num.spelling();
          case Json.Str str -> str.text().replace(":", "");
          case null, default -> "";
        };
    if (!digits.matches("[0-9]{1,4}")) {
      return -1;
    }
    int clock = Integer.parseInt(digits);
    return clock / 100 < 24 && clock % 100 < 60 ? clock : -1;
  }
}
