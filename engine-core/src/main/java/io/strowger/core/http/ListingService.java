package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.listing.CatalogListing;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.ModelList;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code /models}, {@code /model}, {@code /providers} and {@code /endpoints/zdr}: the catalog with
 * its current statistics. Links are relative to the API's root, like every path of the contract.
 * Resources fact sheet, section 8. Safe on any thread.
 */
record ListingService(ServiceContext context) {
  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.LIST_MODELS, this::models,
        Operation.COUNT_MODELS, this::count,
        Operation.LIST_USABLE_MODELS, this::usable,
        Operation.GET_MODEL, this::model,
        Operation.LIST_MODEL_ENDPOINTS, this::endpoints,
        Operation.LIST_PROVIDERS, this::providers,
        Operation.LIST_ZDR_ENDPOINTS, this::zdrEndpoints);
  }

  /** {@code GET /models}. */
  private WireResponse models(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return models(CatalogListing.EndpointScope.ALL, null, request, responseFactory);
  }

  /** {@code GET /models/user}: the models that the caller's account may use. */
  private WireResponse usable(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return models(CatalogListing.EndpointScope.ALLOWED, caller, request, responseFactory);
  }

  private WireResponse models(
      CatalogListing.EndpointScope endpointScope,
      @Nullable Caller caller,
      WireRequest request,
      ResponseFactory responseFactory) {
    ModelList query = parseQuery(request);
    List<Json.Obj> matches = catalogListing(caller).models(query, endpointScope);
    PageRequest pageRequest = query.page();
    List<Json.Obj> items =
        pageRequest == null
            ? matches
            : matches.stream().skip(pageRequest.offset()).limit(pageRequest.limit()).toList();
    String next = pageRequest == null ? null : next(request, pageRequest, matches.size());
    return responseFactory.ok(
        Json.object()
            .put("data", Json.array(List.copyOf(items)))
            .put("total_count", matches.size())
            .put("links", Json.object().putOrNull("next", next).build())
            .build()
            .toBytes());
  }

  private ModelList parseQuery(WireRequest request) {
    var problems = context.newProblems();
    ModelList query = Queries.models(request.query(), problems);
    problems.throwIfAny();
    return query;
  }

  /** Returns the link to the next page of the same query; null on the last page. */
  private static @Nullable String next(WireRequest request, PageRequest pageRequest, int total) {
    if (pageRequest.offset() >= total || pageRequest.offset() + pageRequest.limit() >= total) {
      return null;
    }
    String filters =
        Arrays.stream(request.query().split("&", -1))
            .filter(
                item ->
                    !item.isEmpty() && !item.startsWith("offset=") && !item.startsWith("limit="))
            .map(item -> item + "&")
            .collect(Collectors.joining());
    long offset = pageRequest.offset() + pageRequest.limit();
    return request.normalizedPath()
        + "?"
        + filters
        + "offset="
        + offset
        + "&limit="
        + pageRequest.limit();
  }

  /** {@code GET /models/count}. */
  private WireResponse count(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    long count = catalogListing().count(parseQuery(request));
    return responseFactory.dataOrNotFound(Json.object().put("count", count).build());
  }

  /** {@code GET /model/{author}/{slug}}. */
  private WireResponse model(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(catalogListing().model(slug(request)));
  }

  /** {@code GET /models/{author}/{slug}/endpoints}. */
  private WireResponse endpoints(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(catalogListing().endpoints(slug(request)));
  }

  private static String slug(WireRequest request) {
    return PathSegment.of(request, 1) + "/" + PathSegment.of(request, 2);
  }

  /** {@code GET /providers}. */
  private WireResponse providers(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(Json.array(List.copyOf(catalogListing().providers())));
  }

  /** {@code GET /endpoints/zdr}. */
  private WireResponse zdrEndpoints(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(Json.array(List.copyOf(catalogListing().zdrEndpoints())));
  }

  private CatalogListing catalogListing() {
    return catalogListing(null);
  }

  /**
   * Returns the listing for a caller; without a caller, the listing under the account's own rules.
   */
  private CatalogListing catalogListing(@Nullable Caller caller) {
    Snapshot snapshot = context.snapshot();
    return new CatalogListing(
        snapshot.catalog(),
        snapshot.planner().viewOf(snapshot.accountPolicy().rules().of(caller)),
        snapshot.health().published(),
        snapshot.health()::halfHourSpeeds,
        context.resources().ambient().now());
  }
}
