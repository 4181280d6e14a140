package io.strowger.plugins.web;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a search is left to the upstream. An endpoint can search if its catalog entry
 * lists {@code web_search_options}; an entry that lists no parameters cannot. Plugins fact sheet,
 * section 5; decision 56.
 */
final class NativeSearch {
  /** The name of this engine in requests. */
  static final String ENGINE = "native";

  private NativeSearch() {}

  /**
   * Returns the request that leaves a search to the upstream; null if that is not possible.
   * Endpoints of providers that the request does not permit are ignored.
   *
   * @param isRequested whether the request names the engine {@value #ENGINE}: then one endpoint of
   *     each model that can search is enough, and providers that cannot search are excluded.
   *     Otherwise every permitted endpoint must be able to search
   * @param parameters the parameters of {@code router:web_search}
   */
  static @Nullable InferenceRequest delegate(
      InferenceRequest request, boolean isRequested, Json.Obj parameters, Catalog catalog) {
    var ableProviders = new LinkedHashSet<String>();
    var unableProviders = new LinkedHashSet<String>();
    for (ModelRef modelName : request.models()) {
      ModelInfo model = model(modelName, catalog);
      List<Endpoint> permitted = model == null ? List.of() : permittedEndpoints(model, request);
      if (permitted.stream().noneMatch(NativeSearch::canSearch)) {
        return null; // also when the name is a router or an alias, which is resolved later
      }
      permitted.forEach(
          endpoint ->
              (canSearch(endpoint) ? ableProviders : unableProviders)
                  .add(endpoint.provider().slug()));
    }
    boolean canAllSearch = unableProviders.isEmpty();
    if (ableProviders.isEmpty()
        || !canAllSearch
            && (!isRequested || unableProviders.stream().anyMatch(ableProviders::contains))) {
      return null;
    }
    var tools = new ArrayList<>(request.tools());
    tools.add(Tool.Server.upstreamSearch(parameters));
    var builder =
        request.toBuilder()
            .tools(tools)
            .parameters(request.parameterMask() | Parameter.WEB_SEARCH_OPTIONS.bit());
    return canAllSearch
        ? builder.build()
        : builder.preferences(withIgnored(unableProviders, request.preferences())).build();
  }

  /**
   * Returns a model's endpoints without those of providers that {@code only} excludes. An entry
   * that names a single endpoint, after a slash, here permits all endpoints of its provider.
   */
  private static List<Endpoint> permittedEndpoints(ModelInfo model, InferenceRequest request) {
    List<String> allowedProviders = request.preferences().only();
    return allowedProviders == null
        ? model.endpoints()
        : model.endpoints().stream()
            .filter(endpoint -> isNamed(endpoint.provider(), allowedProviders))
            .toList();
  }

  private static boolean isNamed(ProviderInfo provider, List<String> allowedProviders) {
    String endpoints = provider.slug() + "/";
    return allowedProviders.stream()
        .anyMatch(
            name ->
                name.equalsIgnoreCase(provider.slug())
                    || name.equalsIgnoreCase(provider.name())
                    || name.regionMatches(true, 0, endpoints, 0, endpoints.length()));
  }

  private static ProviderPreferences withIgnored(
      Set<String> unableProviders, ProviderPreferences preferences) {
    var ignored = new LinkedHashSet<>(preferences.ignore());
    ignored.addAll(unableProviders);
    return preferences.toBuilder().ignore(List.copyOf(ignored)).build();
  }

  /** Returns the model of a name; some variants have a catalog entry of their own. */
  private static @Nullable ModelInfo model(ModelRef modelName, Catalog catalog) {
    ModelInfo variant = catalog.model(modelName.toString());
    return variant == null ? catalog.model(modelName.slug()) : variant;
  }

  private static boolean canSearch(Endpoint endpoint) {
    return endpoint.parameterMask() != Parameter.ALL
        && endpoint.supports(Parameter.WEB_SEARCH_OPTIONS);
  }
}
