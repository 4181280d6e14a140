package io.strowger.host.catalog;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.strowger.host.show.Quantity;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a models.dev catalog: providers, models, and prices in dollars per million tokens.
 *
 * <p>An entry belongs to the model that {@code base_model} names. Without it, the model's id is the
 * provider's name for the model if that begins with an author ({@code author/name}), and {@code
 * provider/name} otherwise ({@link ConfigDraft#modelId}). Ids that differ only in case are equal.
 * The facts about a model come from the provider that is its author, or else from the first
 * provider in the file.
 *
 * <p>Prices per request, image and citation are not read, because the list does not state their
 * unit.
 */
final class ModelsDevReader {
  private static final Set<String> EFFORTS =
      Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

  /** Recognises an embedding model by its name, because the list does not give the kind. */
  private static final Pattern EMBEDDER =
      Pattern.compile(
          "(^|[^a-z])(nemoretriever|(text)?embed(ding)?s?)([^a-z]|$)", CASE_INSENSITIVE);

  private static final Pattern RERANKER =
      Pattern.compile("(^|[^a-z])rerank(er|ing)?([^a-z]|$)", CASE_INSENSITIVE);

  private static final Pattern MONTH = Pattern.compile("[0-9]{4}-[0-9]{2}");
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  /** The names of each price in the list, which spells some in more than one way. */
  private static final Map<String, List<String>> PRICES =
      Map.of(
          "prompt", List.of("input"),
          "completion", List.of("output"),
          "input_cache_read", List.of("cache_read", "cached_input", "cache_input"),
          "input_cache_write", List.of("cache_write", "cached_write"),
          "internal_reasoning", List.of("reasoning"),
          "input_audio", List.of("input_audio"),
          "output_audio", List.of("output_audio"));

  private final ConfigDraft draft;
  private final Set<String> baseModels = new HashSet<>();

  private ModelsDevReader(ImportOptions options) {
    draft = new ConfigDraft(options);
  }

  static ImportResult read(Json document, ImportOptions options) {
    if (!(document instanceof Json.Obj tree)) {
      throw new IllegalArgumentException(
          "a models-dev catalog is an object of providers, was " + document.kind());
    }
    var reader = new ModelsDevReader(options);
    for (int i = 0; i < tree.size(); i++) {
      if (tree.value(i) instanceof Json.Obj provider
          && provider.get("models") instanceof Json.Obj models) {
        reader.readProvider(tree.name(i), provider, models);
      } else {
        reader.draft.skip("a provider without models");
      }
    }
    long withEndpoints = reader.baseModels.stream().filter(reader.draft::hasEndpoints).count();
    reader.draft.note(
        "of "
            + Quantity.of(reader.baseModels.size(), "base model")
            + " that entries name, "
            + withEndpoints
            + " have endpoints");
    return reader.draft.build();
  }

  private void readProvider(String key, Json.Obj provider, Json.Obj models) {
    String slug = ConfigDraft.slug(key);
    if (slug.isEmpty()) {
      draft.skip("a provider without a usable name");
      return;
    }
    List<String> variables = provider.texts("env");
    String name = ConfigDraft.cleanName(provider.text("name"), key);
    draft.addProvider(slug, name, provider.text("api"), variables, isSubscription(models));
    for (int i = 0; i < models.size(); i++) {
      if (models.value(i) instanceof Json.Obj model) {
        readModel(slug, models.name(i), model);
      } else {
        draft.skip("not an object");
      }
    }
  }

  /**
   * Returns whether more than four fifths of the models that state a cost are free, as in a
   * subscription or on a local server.
   */
  private static boolean isSubscription(Json.Obj models) {
    int withCost = 0;
    int free = 0;
    for (int i = 0; i < models.size(); i++) {
      if (models.value(i) instanceof Json.Obj model
          && model.object("cost") instanceof Json.Obj cost) {
        withCost++;
        free += isFree(cost) ? 1 : 0;
      }
    }
    return 5 * free > 4 * withCost;
  }

  private static boolean isFree(Json.Obj cost) {
    return isZero(cost.get("input")) && isZero(cost.get("output"));
  }

  private static boolean isZero(@Nullable Json price) {
    return price instanceof Json.Num number && number.decimal().signum() == 0;
  }

  private void readModel(String slug, String key, Json.Obj model) {
    String upstreamModel = ConfigDraft.cleanName(model.text("id"), key);
    String base = model.text("base_model");
    String id =
        base == null ? ConfigDraft.modelId(slug, upstreamModel) : base.toLowerCase(Locale.ROOT);
    if (base != null) {
      baseModels.add(id);
    }
    Json.Obj cost = model.object("cost");
    if (cost == null
        || Prices.perToken(cost.get("input")) == null
        || Prices.perToken(cost.get("output")) == null) {
      draft.skip("without a price");
    } else if ("deprecated".equals(model.text("status"))) {
      draft.skip("deprecated");
    } else if (RERANKER.matcher(upstreamModel).find()) {
      draft.skip("a rerank model, which this import does not support");
    } else if (addEndpoint(id, slug, upstreamModel, endpoint(upstreamModel, model, cost), cost)) {
      draft.addFacts(id, facts(id, model), id.startsWith(slug + "/"));
    }
  }

  private boolean addEndpoint(
      String id, String slug, String upstreamModel, Json.Obj endpoint, Json.Obj cost) {
    return isFree(cost) && !endpoint.has("kind")
        ? draft.addFreeEndpoint(id, slug, upstreamModel, endpoint)
        : draft.addEndpoint(id, slug, upstreamModel, null, endpoint);
  }

  private static Json.Obj facts(String id, Json.Obj model) {
    var facts = Json.object().put("name", ConfigDraft.cleanName(model.text("name"), id));
    String family = model.text("family");
    int slash = id.indexOf('/');
    if (family != null && !family.isBlank() && slash > 0) {
      facts.put("family", id.substring(0, slash + 1) + ConfigDraft.slug(family));
    }
    String created = created(model.text("release_date"));
    if (created != null) {
      facts.put("created", created);
    }
    if (Abilities.isTrue(model, "reasoning")) {
      facts.put("reasoning", reasoning(model));
    }
    return facts.build();
  }

  private static @Nullable String created(@Nullable String date) {
    String day = date != null && MONTH.matcher(date).matches() ? date + "-01" : date;
    if (day == null || !DAY.matcher(day).matches()) {
      return null;
    }
    try {
      return LocalDate.parse(day) + "T00:00:00Z";
    } catch (DateTimeException noSuchDay) {
      return null;
    }
  }

  private static Json.Obj reasoning(Json.Obj model) {
    var efforts = new ArrayList<Json>();
    boolean budget = false;
    for (Json option : options(model)) {
      if (option instanceof Json.Obj obj) {
        budget |= "budget_tokens".equals(obj.text("type"));
        if (obj.list("values") instanceof Json.Arr values) {
          values.stream()
              .filter(it -> it instanceof Json.Str str && EFFORTS.contains(str.text()))
              .forEach(efforts::add);
        }
      }
    }
    return Json.object().put("efforts", Json.array(efforts)).put("max_tokens", budget).build();
  }

  private static List<Json> options(Json.Obj model) {
    Json.Arr options = model.list("reasoning_options");
    return options == null ? List.of() : options;
  }

  private static Json.Obj endpoint(String upstreamModel, Json.Obj model, Json.Obj cost) {
    var endpoint = Json.object().put("pricing", pricing(cost));
    if (EMBEDDER.matcher(upstreamModel).find()) {
      endpoint.put("kind", "embeddings");
    }
    Json.Obj limit = model.object("limit");
    if (limit != null) {
      Abilities.putTokens(endpoint, "context_length", limit, "context");
      Abilities.putTokens(endpoint, "max_output_tokens", limit, "output");
    }
    endpoint.put("supported_parameters", Abilities.parameters(parameters(model)));
    Json.Obj modalities = model.object("modalities");
    if (modalities != null) {
      Abilities.putUnlessNull(
          endpoint, "input_modalities", Abilities.knownModalities(modalities.get("input")));
      Abilities.putUnlessNull(
          endpoint, "output_modalities", Abilities.knownModalities(modalities.get("output")));
    }
    return endpoint.build();
  }

  private static EnumSet<Parameter> parameters(Json.Obj model) {
    boolean sampling = !Json.FALSE.equals(model.get("temperature"));
    var parameters = Abilities.basicParameters(sampling);
    if (Abilities.isTrue(model, "tool_call")) {
      parameters.addAll(EnumSet.of(Parameter.TOOLS, Parameter.TOOL_CHOICE));
    }
    if (Abilities.isTrue(model, "structured_output")) {
      parameters.addAll(EnumSet.of(Parameter.RESPONSE_FORMAT, Parameter.STRUCTURED_OUTPUTS));
    }
    if (Abilities.isTrue(model, "reasoning")) {
      parameters.addAll(EnumSet.of(Parameter.REASONING, Parameter.INCLUDE_REASONING));
      boolean efforts =
          options(model).stream()
              .anyMatch(it -> it instanceof Json.Obj obj && "effort".equals(obj.text("type")));
      if (efforts) {
        parameters.add(Parameter.REASONING_EFFORT);
      }
    }
    return parameters;
  }

  private static Json.Obj pricing(Json.Obj cost) {
    var pricing = Json.object().putAll(prices(cost));
    var overrides = new ArrayList<Json.Obj>();
    if (cost.list("tiers") instanceof Json.Arr tiers) {
      for (Json item : tiers) {
        if (item instanceof Json.Obj tier && tier.object("tier") instanceof Json.Obj condition) {
          addOverride(tier, condition.longValue("size", -1), overrides);
        }
      }
    }
    if (cost.object("context_over_200k") instanceof Json.Obj above && overrides.isEmpty()) {
      addOverride(above, 200_000, overrides);
    }
    if (!overrides.isEmpty()) {
      // ascending, since the last override that applies wins
      overrides.sort(Comparator.comparingLong(it -> it.longValue("min_prompt_tokens", 0)));
      pricing.put("overrides", Json.array(overrides));
    }
    return pricing.build();
  }

  private static void addOverride(Json.Obj tier, long size, List<Json.Obj> overrides) {
    Json.Obj prices = prices(tier);
    if (size > 0 && size <= Integer.MAX_VALUE && prices.size() > 0) {
      overrides.add(Json.object().put("min_prompt_tokens", size).putAll(prices).build());
    }
  }

  private static Json.Obj prices(Json.Obj cost) {
    var prices = Json.object();
    PRICES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
        .forEach(
            entry ->
                entry.getValue().stream()
                    .map(name -> Prices.perToken(cost.get(name)))
                    .filter(price -> price != null)
                    .findFirst()
                    .ifPresent(price -> prices.put(entry.getKey(), price)));
    return prices.build();
  }
}
