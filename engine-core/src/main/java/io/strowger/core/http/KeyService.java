package io.strowger.core.http;

import io.strowger.core.administration.Keys;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
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
final class KeyService {
  private final BodyReader bodies;
  private final ResourceServices resources;
  private final Keys keys;
  private final WorkspaceIdResolver workspaces;
  private final int problemLimit;

  KeyService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.resources = resources;
    this.keys = resources.account().keys();
    this.workspaces = new WorkspaceIdResolver(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

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
    var problems = new Problems(problemLimit);
    Json.Obj given = bodies.read(request);
    Values asked = KeyTable.TYPE.create(given, problems);
    String workspace = workspaces.inBody(given, problems);
    Keys.Created created =
        keys.create(problems.requireValid(asked), workspace, caller.author(request.client()));
    return createdResponse(created, Spending.NONE, responseFactory);
  }

  private static WireResponse createdResponse(
      Keys.Created created, Spending spending, ResponseFactory responseFactory) {
    Json.Obj body =
        Json.object()
            .put("data", KeyJson.resource(created.key(), spending))
            .put("key", created.plaintext().reveal())
            .build();
    return responseFactory.ok(body.toBytes(), null);
  }

  /** Validates the body, which is optional, before looking up the key. */
  private WireResponse rotate(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Json.Obj given = bodies.readIfAny(request);
    Duration overlap = problems.requireValid(KeyTable.rotate(given, problems));
    KeyId id = id(request);
    Keys.Created rotated =
        id == null ? null : keys.rotate(id, overlap, caller.author(request.client()));
    if (rotated == null) {
      return responseFactory.found(null);
    }
    Instant now = resources.ambient().now();
    return createdResponse(
        rotated, Spending.of(rotated.key(), resources.ledger(), now), responseFactory);
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    KeyList asked = Queries.keys(request.query(), problems);
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    List<ApiKey> page =
        keys.list(workspace, asked.includeDisabled(), asked.page().offset(), asked.page().limit());
    Instant at = resources.ambient().now();
    List<Spending> spendings = Spending.of(page, resources.ledger(), at);
    List<Json> shown = new ArrayList<>(page.size());
    for (int i = 0; i < page.size(); i++) {
      shown.add(KeyJson.resource(page.get(i), spendings.get(i)));
    }
    return responseFactory.found(Json.array(shown));
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    KeyId id = id(request);
    return responseFactory.found(id == null ? null : shown(keys.find(id)));
  }

  /** Validates the body before looking up the key. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Values change = problems.requireValid(KeyTable.TYPE.update(bodies.read(request), problems));
    KeyId id = id(request);
    return responseFactory.found(
        id == null ? null : shown(keys.update(id, change, caller.author(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    KeyId id = id(request);
    return responseFactory.deleted(id != null && keys.delete(id, caller.author(request.client())));
  }

  /** Answers 404 when the key was deleted after the request was admitted. */
  private WireResponse current(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    ApiKey key = keys.find(caller.hash());
    return responseFactory.found(
        key == null
            ? null
            : KeyJson.current(
                key,
                Spending.of(key, resources.ledger(), resources.ambient().now()),
                resources.account().isFreeTier()));
  }

  private static @Nullable KeyId id(WireRequest request) {
    return PathParameters.keyHash(PathSegment.of(request, 1));
  }

  private Json.@Nullable Obj shown(@Nullable ApiKey key) {
    return key == null
        ? null
        : KeyJson.resource(key, Spending.of(key, resources.ledger(), resources.ambient().now()));
  }
}
