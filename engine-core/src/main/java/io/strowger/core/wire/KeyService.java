package io.strowger.core.wire;

import io.strowger.core.account.ApiKey;
import io.strowger.core.account.Caller;
import io.strowger.core.account.Keys;
import io.strowger.core.account.Spending;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.query.KeyList;
import io.strowger.core.decode.query.PathParameters;
import io.strowger.core.decode.query.Queries;
import io.strowger.core.decode.resource.KeyDecoder;
import io.strowger.core.resource.KeyCreate;
import io.strowger.core.resource.KeyUpdate;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
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
  private final Resources resources;
  private final Keys keys;
  private final WorkspaceNames workspaces;
  private final KeyDecoder decoder = new KeyDecoder();
  private final int problemLimit;

  KeyService(BodyReader bodies, Resources resources, int problemLimit) {
    this.bodies = bodies;
    this.resources = resources;
    this.keys = resources.account().keys();
    this.workspaces = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  Map<Operation, Service> operations() {
    return Map.of(
        Operation.CREATE_KEY, this::create,
        Operation.LIST_KEYS, this::list,
        Operation.GET_KEY, this::get,
        Operation.UPDATE_KEY, this::update,
        Operation.DELETE_KEY, this::delete,
        Operation.CURRENT_KEY, this::current);
  }

  private WireResponse create(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    Json.Obj given = bodies.read(request);
    KeyCreate asked = decoder.create(given, problems);
    String workspace = workspaces.inBody(given, problems);
    Keys.Created created = keys.create(problems.good(asked), workspace, caller);
    Json.Obj body =
        Json.object()
            .put("data", KeyJson.resource(created.key(), Spending.NONE))
            .put("key", created.plaintext().reveal())
            .build();
    return responses.ok(body.toBytes(), null);
  }

  private WireResponse list(Caller caller, WireRequest request, Responses responses) {
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
    return responses.found(Json.array(shown));
  }

  private WireResponse get(Caller caller, WireRequest request, Responses responses) {
    KeyId id = id(request);
    return responses.found(id == null ? null : shown(keys.find(id)));
  }

  /** The body is judged before the key is looked for. */
  private WireResponse update(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    KeyUpdate change = problems.good(decoder.update(bodies.read(request), problems));
    KeyId id = id(request);
    return responses.found(id == null ? null : shown(keys.update(id, change)));
  }

  private WireResponse delete(Caller caller, WireRequest request, Responses responses) {
    KeyId id = id(request);
    return responses.deleted(id != null && keys.delete(id));
  }

  /** The key may have been removed since it was admitted. */
  private WireResponse current(Caller caller, WireRequest request, Responses responses) {
    ApiKey key = keys.find(caller.key());
    return responses.found(
        key == null
            ? null
            : KeyJson.current(
                key,
                Spending.of(key, resources.ledger(), resources.ambient().now()),
                resources.account().isFreeTier()));
  }

  private static @Nullable KeyId id(WireRequest request) {
    return PathParameters.keyHash(request.segment(1));
  }

  private Json.@Nullable Obj shown(@Nullable ApiKey key) {
    return key == null
        ? null
        : KeyJson.resource(key, Spending.of(key, resources.ledger(), resources.ambient().now()));
  }
}
