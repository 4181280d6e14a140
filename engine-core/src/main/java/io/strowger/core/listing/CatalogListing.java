package io.strowger.core.listing;

import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.HalfHourSpeeds;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.AccountView;
import io.strowger.core.resource.Queries.ModelList;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the part of a catalog that a caller may see, at one moment. Private models of other
 * accounts are left out; hidden models are found only by name. Resources fact sheet, section 8.
 * Immutable, safe on any thread.
 */
public final class CatalogListing {
  private final Catalog catalog;
  private final AccountView account;
  private final Statistics statistics;
  private final Function<Endpoint, HalfHourSpeeds> speeds;
  private final long nowMillis;

  /**
   * @param account the caller's view of that catalog
   * @param statistics the statistics of its endpoints
   * @param speeds returns the speeds of one of its endpoints, over the last half hour
   */
  public CatalogListing(
      Catalog catalog,
      AccountView account,
      Statistics statistics,
      Function<Endpoint, HalfHourSpeeds> speeds,
      Instant now) {
    this.catalog = Objects.requireNonNull(catalog, "catalog");
    this.account = Objects.requireNonNull(account, "account");
    this.statistics = Objects.requireNonNull(statistics, "statistics");
    this.speeds = Objects.requireNonNull(speeds, "speeds");
    this.nowMillis = now.toEpochMilli();
  }

  /** Which endpoints are listed. */
  public enum EndpointScope {
    /** All endpoints. */
    ALL,
    /** The endpoints that the caller's account may use. */
    ALLOWED
  }

  /**
   * Returns all models that match a query, in the order that the query asks for; its page is
   * ignored.
   *
   * @return the models in the form of the API
   */
  public List<Json.Obj> models(ModelList query, EndpointScope endpointScope) {
    var filter = new ModelFilter(query, catalog);
    Stream<ModelEntry> entries = entries(endpointScope).filter(filter::admits);
    String sort = query.filters().get("sort");
    Comparator<ModelEntry> order = sort == null ? null : order(sort, statistics);
    return (order == null ? entries : entries.sorted(order)).map(ModelEntry::toJson).toList();
  }

  /** Returns how many models match a query. */
  public long count(ModelList query) {
    var filter = new ModelFilter(query, catalog);
    return entries(EndpointScope.ALL).filter(filter::admits).count();
  }

  private Stream<ModelEntry> entries(EndpointScope endpointScope) {
    return catalog.models().stream()
        .filter(model -> !model.isHidden() && account.exists(model))
        .flatMap(model -> entry(model, endpointScope));
  }

  /** Returns the entry of a model; empty when it has no endpoint to show. */
  private Stream<ModelEntry> entry(ModelInfo model, EndpointScope endpointScope) {
    List<Endpoint> endpoints =
        endpointScope == EndpointScope.ALL
            ? model.endpoints()
            : model.endpoints().stream().filter(account::allows).toList();
    return endpoints.isEmpty() ? Stream.empty() : Stream.of(new ModelEntry(model, endpoints));
  }

  /**
   * Returns one model.
   *
   * @param slug id or alias, ignoring case
   * @return the model in the form of the API; null when the caller may see no such model
   */
  public Json.@Nullable Obj model(String slug) {
    ModelEntry entry = find(slug);
    return entry == null ? null : entry.toJson();
  }

  /**
   * Returns one model with its endpoints.
   *
   * @param slug id or alias, ignoring case
   * @return the model in the form of the API; null when the caller may see no such model
   */
  public Json.@Nullable Obj endpoints(String slug) {
    ModelEntry entry = find(slug);
    return entry == null
        ? null
        : entry.withEndpoints(
            entry.endpoints().stream().<Json>map(e -> toJson(entry.model(), e)).toList());
  }

  private @Nullable ModelEntry find(String slug) {
    ModelInfo model = catalog.model(slug);
    return model == null || !account.exists(model)
        ? null
        : entry(model, EndpointScope.ALL).findFirst().orElse(null);
  }

  private Json.Obj toJson(ModelInfo model, Endpoint endpoint) {
    return new EndpointEntry(model, endpoint, statistics.of(endpoint), speeds.apply(endpoint))
        .toJson(nowMillis);
  }

  /** Returns every listed endpoint whose provider keeps no prompts, in the form of the API. */
  public List<Json.Obj> zdrEndpoints() {
    return entries(EndpointScope.ALL)
        .flatMap(
            entry ->
                entry.endpoints().stream()
                    .filter(endpoint -> !endpoint.provider().retainsPrompts())
                    .map(endpoint -> toJson(entry.model(), endpoint)))
        .toList();
  }

  /** Returns every provider that serves a listed model, in the form of the API. */
  public List<Json.Obj> providers() {
    return entries(EndpointScope.ALL)
        .flatMap(entry -> entry.endpoints().stream())
        .map(Endpoint::provider)
        .distinct()
        .sorted(Comparator.comparing(ProviderInfo::slug))
        .map(CatalogListing::toJson)
        .toList();
  }

  private static Json.Obj toJson(ProviderInfo provider) {
    String region = provider.region();
    return Json.object()
        .put("name", provider.name())
        .put("slug", provider.slug())
        .put("privacy_policy_url", Json.NULL)
        .put("terms_of_service_url", Json.NULL)
        .put("status_page_url", Json.NULL)
        .put("headquarters", Json.NULL)
        .put("datacenters", region == null ? Json.NULL : Json.array(List.of(Json.of(region))))
        .build();
  }

  /**
   * Returns the order for {@code sort} of {@code GET /models}. Models with unknown figures come
   * last; equal models stay in the order of the catalog.
   *
   * @param sort one of {@link ModelList#SORTS}
   */
  private static Comparator<ModelEntry> order(String sort, Statistics statistics) {
    return switch (sort) {
      case "newest" -> descending(ModelEntry::createdSeconds);
      case "price", "pricing-low-to-high" -> ascending(CatalogListing::price);
      case "pricing-high-to-low" -> descending(CatalogListing::price);
      case "context", "context-high-to-low" -> descending(ModelEntry::contextLength);
      case "throughput", "throughput-high-to-low" ->
          descending(entry -> maxThroughput(entry, statistics));
      case "latency", "latency-low-to-high" -> ascending(entry -> minLatency(entry, statistics));
      default -> throw new IllegalArgumentException("no such sort: " + sort);
    };
  }

  private static Comparator<ModelEntry> ascending(ToLongFunction<ModelEntry> figure) {
    return Comparator.comparingLong(figure);
  }

  /** Sorts by a figure, highest first; an unknown figure is 0 or -1. */
  private static Comparator<ModelEntry> descending(ToLongFunction<ModelEntry> figure) {
    return Comparator.comparingLong(entry -> -figure.applyAsLong(entry));
  }

  private static long price(ModelEntry entry) {
    return entry.topEndpoint().blendedPrice();
  }

  private static long maxThroughput(ModelEntry entry, Statistics statistics) {
    return entry.endpoints().stream()
        .mapToLong(endpoint -> statistics.of(endpoint).throughputMicroTokens(Percentile.P50))
        .max()
        .orElse(-1);
  }

  private static long minLatency(ModelEntry entry, Statistics statistics) {
    return entry.endpoints().stream()
        .mapToLong(endpoint -> statistics.of(endpoint).latencyMicros(Percentile.P50))
        .filter(micros -> micros >= 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
