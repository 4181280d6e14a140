package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.ModelSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An index of a catalog for decisions; built once per catalog, so that no decision copies from it.
 */
final class PlanIndex {
  private static final Comparator<ModelInfo> NEWEST_FIRST =
      Comparator.comparing(PlanIndex::created)
          .reversed()
          .thenComparing(model -> model.id().toLowerCase(Locale.ROOT));

  private static final String LATEST = "-latest";

  private final Catalog catalog;
  private final ModelEndpoints[] models; // by ModelInfo.ordinal()
  // by ModelInfo.ordinal(): the model as named first in a request, without a variant
  private final RequestedModel[] firstWithoutVariant;
  private final Map<String, List<ModelInfo>> families = new HashMap<>(); // newest first
  private final ListedNames names;
  private final CatalogTraits traits;
  private final ModelSets sets;

  PlanIndex(Catalog catalog) {
    this.catalog = catalog;
    this.models = new ModelEndpoints[catalog.models().size()];
    this.firstWithoutVariant = new RequestedModel[models.length];
    for (ModelInfo model : catalog.models()) {
      models[model.ordinal()] = new ModelEndpoints(model);
      firstWithoutVariant[model.ordinal()] =
          RequestedModel.withoutVariant(0, models[model.ordinal()]);
      String family = model.family();
      if (family != null && !model.isHidden() && model.id().indexOf(':') < 0) {
        families.computeIfAbsent(lower(family), name -> new ArrayList<>()).add(model);
      }
    }
    families.values().forEach(members -> members.sort(NEWEST_FIRST));
    this.names = new ListedNames(catalog);
    this.traits = new CatalogTraits(catalog);
    this.sets = new ModelSets(catalog.models());
  }

  private static Instant created(ModelInfo model) {
    Instant created = model.createdAt();
    return created == null ? Instant.MIN : created;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  Catalog catalog() {
    return catalog;
  }

  /** Returns the table that resolves the provider and endpoint names in a request's lists. */
  ListedNames names() {
    return names;
  }

  CatalogTraits traits() {
    return traits;
  }

  /** Returns the models whose ids match one of these patterns. */
  ModelSet matching(List<String> patterns) {
    return sets.matching(patterns);
  }

  ModelEndpoints endpoints(ModelInfo model) {
    return models[model.ordinal()];
  }

  /** Returns the endpoint of this id; null when there is none. */
  @Nullable IndexedEndpoint endpoint(String endpointId) {
    int separator = endpointId.lastIndexOf('@');
    ModelInfo model = separator < 0 ? null : catalog.model(endpointId.substring(0, separator));
    if (model != null) {
      ModelEndpoints endpoints = endpoints(model);
      for (int index = 0; index < endpoints.size(); index++) {
        if (endpoints.endpoint(index).id().equals(endpointId)) {
          return endpoints.indexedEndpoint(index);
        }
      }
    }
    return null;
  }

  /**
   * Returns a model that a request names without a variant. Allocates nothing for position 0.
   *
   * @param position the place of the model in the request's list, from 0
   */
  RequestedModel requestedWithoutVariant(int position, ModelInfo model) {
    return position == 0
        ? firstWithoutVariant[model.ordinal()]
        : RequestedModel.withoutVariant(position, endpoints(model));
  }

  /**
   * Returns the models a name such as {@code ~author/family-latest} may mean, newest first, those
   * of unknown age last; private ones are included.
   *
   * @param latest the name, beginning with its tilde
   */
  List<ModelInfo> family(String latest) {
    String name = lower(latest);
    return name.endsWith(LATEST) && name.length() > LATEST.length()
        ? families.getOrDefault(name.substring(1, name.length() - LATEST.length()), List.of())
        : List.of();
  }
}
