package io.strowger.benchmarks;

import io.strowger.core.plan.Planner;
import io.strowger.core.plan.SplitMix64;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.RoutingQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The planner as one would write it first: streams and comparators over lists of endpoints, names
 * compared as text. It gives the same answer as {@link Planner} to the queries of {@link
 * PlanQueries}, and no explanation.
 */
final class StreamPlanner {
  private static final Comparator<Endpoint> CHEAPEST_FIRST =
      Comparator.comparingLong(Endpoint::blendedPrice).thenComparing(Endpoint::tag);

  private final Map<String, List<Endpoint>> models = new HashMap<>();

  StreamPlanner(Catalog catalog) {
    for (ModelInfo model : catalog.models()) {
      models.put(model.id(), model.endpoints());
    }
  }

  List<Endpoint> plan(RoutingQuery query) {
    ProviderPreferences preferences = query.preferences();
    List<String> order = preferences.order();
    List<Endpoint> sorted =
        models.getOrDefault(query.models().getFirst().slug(), List.of()).stream()
            .filter(endpoint -> keeps(query, endpoint))
            .sorted(
                Comparator.<Endpoint>comparingInt(endpoint -> rank(order, endpoint))
                    .thenComparing(CHEAPEST_FIRST))
            .toList();
    int listed = (int) sorted.stream().filter(e -> rank(order, e) < Integer.MAX_VALUE).count();
    int most = preferences.allowFallbacks() ? Planner.MAX_ATTEMPTS : order.isEmpty() ? 1 : listed;
    return drawn(sorted, listed, query.seed()).stream().limit(most).toList();
  }

  private static boolean keeps(RoutingQuery query, Endpoint endpoint) {
    String provider = endpoint.provider().slug();
    @Nullable List<String> only = query.preferences().only();
    return endpoint.kind() == query.kind()
        && endpoint.serviceTier() == null
        && (only == null || only.contains(provider))
        && !query.preferences().ignore().contains(provider)
        && (query.inputModalities() & ~endpoint.inputModalities()) == 0
        && (endpoint.maxOutputTokens() == 0 || endpoint.maxOutputTokens() >= query.outputLimit());
  }

  private static int rank(List<String> order, Endpoint endpoint) {
    int rank = order.indexOf(endpoint.provider().slug());
    return rank < 0 ? Integer.MAX_VALUE : rank;
  }

  /** One of those nobody listed moves to their front, by the inverse square of its price. */
  private static List<Endpoint> drawn(List<Endpoint> sorted, int listed, long seed) {
    List<Endpoint> rest = sorted.subList(listed, sorted.size());
    if (rest.size() < 2) {
      return sorted;
    }
    double total = rest.stream().mapToDouble(StreamPlanner::weight).reduce(0, Double::sum);
    double left = new SplitMix64(new SplitMix64(seed).next()).nextUnit() * total;
    int chosen = 0;
    while (chosen < rest.size() - 1 && (left -= weight(rest.get(chosen))) >= 0) {
      chosen++;
    }
    var ordered = new ArrayList<>(sorted);
    ordered.add(listed, ordered.remove(listed + chosen));
    return ordered;
  }

  private static double weight(Endpoint endpoint) {
    double price = endpoint.blendedPrice();
    return 1 / (price * price);
  }
}
