package io.strowger.spi.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of all models, endpoints and providers. A request keeps the catalog it
 * began with; a change creates a new catalog.
 *
 * <p>Models are in the order they were added, a model's endpoints cheapest first. Providers, tags
 * and endpoints are numbered from 0 so that a rule can test a bit instead of comparing text. Equal
 * content in equal order gives equal numbers.
 */
public final class Catalog {
  private static final Comparator<Endpoint> CHEAPEST_FIRST =
      Comparator.comparingLong(Endpoint::blendedPrice).thenComparing(Endpoint::tag);

  private final String version;
  private final List<ModelInfo> models;
  private final List<Endpoint> endpoints;
  private final List<ProviderInfo> providers;
  private final Map<String, ModelInfo> byName;
  private final Map<String, Integer> providerByName;
  private final Map<String, Integer> tags;

  private Catalog(Builder builder) {
    version = builder.version;
    providers = List.copyOf(builder.providers.values());
    providerByName = providerNames(providers);
    tags = new HashMap<>();
    byName = new HashMap<>();
    var allModels = new ArrayList<ModelInfo>();
    var allEndpoints = new ArrayList<Endpoint>();
    for (var entry : builder.models.values()) {
      var sortedEndpoints = new ArrayList<Endpoint>();
      entry.endpoints.stream()
          .sorted(CHEAPEST_FIRST)
          .forEach(
              endpoint -> {
                int provider =
                    Objects.requireNonNull(
                        providerByName.get(lower(endpoint.provider().slug())),
                        () -> "no provider " + endpoint.provider().slug());
                int tag = tags.computeIfAbsent(lower(endpoint.tag()), t -> tags.size());
                Endpoint indexed =
                    endpoint.withIndexes(provider, tag, allModels.size(), allEndpoints.size());
                sortedEndpoints.add(indexed);
                allEndpoints.add(indexed);
              });
      allModels.add(entry.model.withIndex(List.copyOf(sortedEndpoints), allModels.size()));
    }
    models = List.copyOf(allModels);
    endpoints = List.copyOf(allEndpoints);
    for (ModelInfo model : models) {
      for (String alias : model.aliases()) {
        byName.putIfAbsent(lower(alias), model);
      }
    }
    for (ModelInfo model : models) {
      byName.put(lower(model.id()), model);
    }
  }

  private static Map<String, Integer> providerNames(List<ProviderInfo> providers) {
    var names = new HashMap<String, Integer>();
    for (int i = 0; i < providers.size(); i++) {
      names.putIfAbsent(lower(providers.get(i).name()), i);
    }
    for (int i = 0; i < providers.size(); i++) {
      names.put(lower(providers.get(i).slug()), i);
    }
    return names;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Returns the version, which identifies this content in logs, traces and replays. */
  public String version() {
    return version;
  }

  public List<ModelInfo> models() {
    return models;
  }

  /** Returns every endpoint, in the order of {@link Endpoint#ordinal()}. */
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  public List<ProviderInfo> providers() {
    return providers;
  }

  /**
   * Returns the model with this id or alias, in any letter case; null when there is none. A variant
   * such as {@code :free} is part of the id.
   */
  public @Nullable ModelInfo model(String slug) {
    ModelInfo exact = byName.get(slug);
    return exact != null ? exact : byName.get(lower(slug));
  }

  /**
   * Returns the number of the provider with this slug or display name, ignoring case; -1 for none.
   */
  public int providerOrdinal(String slugOrName) {
    return ordinal(providerByName, slugOrName);
  }

  /** Returns the number of this tag, in any letter case; -1 when no endpoint has it. */
  public int tagOrdinal(String tag) {
    return ordinal(tags, tag);
  }

  /** Looks the name up unchanged first, since most names are in lower case already. */
  private static int ordinal(Map<String, Integer> byName, String name) {
    Integer exact = byName.get(name);
    return exact != null ? exact : byName.getOrDefault(lower(name), -1);
  }

  /**
   * Returns the {@link ModelInfo#ordinal()} of each model that has a score, best first. Of models
   * with equal scores the cheaper comes first, then the one whose id sorts first. Hidden models and
   * those without endpoints are left out.
   *
   * @param score returns a score, as {@code ModelInfo::codingScore} does; null omits the model
   */
  public int[] rankBy(Function<ModelInfo, @Nullable Double> score) {
    record Scored(ModelInfo model, double score) {}
    var scoredModels = new ArrayList<Scored>();
    for (ModelInfo model : models) {
      @Nullable Double value =
          model.isHidden() || model.endpoints().isEmpty() ? null : score.apply(model);
      if (value != null) {
        scoredModels.add(new Scored(model, value));
      }
    }
    scoredModels.sort(
        Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparingLong(one -> one.model().endpoints().getFirst().blendedPrice())
            .thenComparing(one -> one.model().id()));
    return scoredModels.stream().mapToInt(one -> one.model().ordinal()).toArray();
  }

  @Override
  public String toString() {
    return "catalog "
        + version
        + ", "
        + models.size()
        + " models, "
        + endpoints.size()
        + " endpoints";
  }

  public static Builder builder(String version) {
    return new Builder(version);
  }

  /** Builds a {@link Catalog}. Ids, and tags within a model, must be unique. */
  public static final class Builder {
    private record Entry(ModelInfo model, List<Endpoint> endpoints) {}

    private final String version;
    private final Map<String, ProviderInfo> providers = new LinkedHashMap<>();
    private final Map<String, Entry> models = new LinkedHashMap<>();

    private Builder(String version) {
      this.version = Objects.requireNonNull(version, "version");
    }

    /**
     * Adds a model and its endpoints, and the providers they name.
     *
     * @throws IllegalArgumentException when the id is taken or two endpoints have one tag
     */
    public Builder add(ModelInfo model, List<Endpoint> endpoints) {
      if (models.putIfAbsent(lower(model.id()), new Entry(model, List.copyOf(endpoints))) != null) {
        throw new IllegalArgumentException("two models with the id " + model.id());
      }
      var seen = new HashMap<String, Endpoint>();
      for (Endpoint endpoint : endpoints) {
        if (seen.put(lower(endpoint.tag()), endpoint) != null) {
          throw new IllegalArgumentException(
              "two endpoints of " + model.id() + " with the tag " + endpoint.tag());
        }
        providers.putIfAbsent(lower(endpoint.provider().slug()), endpoint.provider());
      }
      return this;
    }

    /**
     * Adds a provider, numbered before those that endpoints add later. A provider whose slug is
     * taken is ignored. Since the endpoints of a model are sorted, a catalog that is built from
     * another one gets the same numbers only if its providers are added first.
     */
    public Builder provider(ProviderInfo provider) {
      providers.putIfAbsent(lower(provider.slug()), provider);
      return this;
    }

    public Catalog build() {
      return new Catalog(this);
    }
  }
}
