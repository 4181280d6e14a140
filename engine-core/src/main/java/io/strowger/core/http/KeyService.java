package io.strowger.core.http;

import io.strowger.core.administration.Keys;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Caller;
import io.strowger.core.money.Spending;
import io.strowger.core.resource.KeyTable;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.KeyList;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /keys} and {@code /key}. Contract: "API key"; resources fact sheet, sections 1 and 3. Safe
 * on any thread.
 */
record KeyService(ServiceContext context) {
  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_KEY, this::create,
        Operation.LIST_KEYS, this::list,
        Operation.GET_KEY, this::get,
        Operation.UPDATE_KEY, this::update,
        Operation.DELETE_KEY, this::delete,
        Operation.ROTATE_KEY, this::rotate,
        Operation.CURRENT_KEY, this::current);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Json.Obj body = context.bodyReader().read(request);
    Values values = KeyTable.TYPE.create(body, problems);
    String workspace = context.workspaceInBody(body, problems);
    Keys.Created created =
        keys()
            .create(
                problems.requireValid(values), workspace, caller.toAuditActor(request.client()));
    return createdResponse(created, Spending.NONE, responseFactory);
  }

  private static WireResponse createdResponse(
      Keys.Created created, Spending spending, ResponseFactory responseFactory) {
    Json.Obj body =
        Json.object()
            .put("data", KeyJson.resource(created.key(), spending))
            .put("key", created.plaintext().reveal())
            .build();
    return responseFactory.ok(body.toBytes());
  }

  /** Validates the body, which is optional, before looking up the key. */
  private WireResponse rotate(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Json.Obj body = context.bodyReader().readIfAny(request);
    Duration overlap = problems.requireValid(KeyTable.rotate(body, problems));
    KeyId id = id(request);
    Keys.Created created =
        id == null ? null : keys().rotate(id, overlap, caller.toAuditActor(request.client()));
    if (created == null) {
      return responseFactory.dataOrNotFound(null);
    }
    return createdResponse(created, spending(created.key()), responseFactory);
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    KeyList query = Queries.keys(request.query(), problems);
    String workspace = context.workspaceInQuery(query.workspaceId(), problems);
    problems.throwIfAny();
    List<ApiKey> page =
        keys()
            .list(workspace, query.includeDisabled(), query.page().offset(), query.page().limit());
    Instant now = context.resources().ambient().now();
    List<Spending> spendings = Spending.of(page, context.resources().ledger(), now);
    List<Json> items = new ArrayList<>(page.size());
    for (int i = 0; i < page.size(); i++) {
      items.add(KeyJson.resource(page.get(i), spendings.get(i)));
    }
    return responseFactory.dataOrNotFound(Json.array(items));
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    KeyId id = id(request);
    return responseFactory.dataOrNotFound(id == null ? null : toJson(keys().find(id)));
  }

  /** Validates the body before looking up the key. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Values change =
        problems.requireValid(KeyTable.TYPE.update(context.bodyReader().read(request), problems));
    KeyId id = id(request);
    return responseFactory.dataOrNotFound(
        id == null
            ? null
            : toJson(keys().update(id, change, caller.toAuditActor(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    KeyId id = id(request);
    return responseFactory.deletedOrNotFound(
        id != null && keys().delete(id, caller.toAuditActor(request.client())));
  }

  /** Answers 404 when the key was deleted after the request was admitted. */
  private WireResponse current(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    ApiKey key = keys().find(caller.hash());
    return responseFactory.dataOrNotFound(
        key == null ? null : KeyJson.current(key, spending(key), context.account().isFreeTier()));
  }

  private static @Nullable KeyId id(WireRequest request) {
    return PathParameters.keyHash(PathSegment.of(request, 1));
  }

  private Json.@Nullable Obj toJson(@Nullable ApiKey key) {
    return key == null ? null : KeyJson.resource(key, spending(key));
  }

  private Spending spending(ApiKey key) {
    ResourceServices resources = context.resources();
    return Spending.of(key, resources.ledger(), resources.ambient().now());
  }

  private Keys keys() {
    return context.account().keys();
  }
}
