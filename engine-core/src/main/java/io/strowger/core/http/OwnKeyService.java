package io.strowger.core.http;

import io.strowger.core.administration.OwnKey;
import io.strowger.core.administration.OwnKeys;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.OwnKeyCreate;
import io.strowger.core.resource.OwnKeyDecoder;
import io.strowger.core.resource.OwnKeyFields;
import io.strowger.core.resource.OwnKeyUpdate;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Timestamps;
import io.strowger.core.resource.WorkspacePage;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code /byok}: the customer's own keys of providers. Routing fact sheet, section 8; resources
 * fact sheet, section 4. Safe on any thread.
 */
final class OwnKeyService {
  private final BodyReader bodies;
  private final Resources resources;
  private final OwnKeys keys;
  private final WorkspaceNames workspaces;
  private final OwnKeyDecoder decoder = new OwnKeyDecoder();
  private final int problemLimit;

  OwnKeyService(BodyReader bodies, Resources resources, int problemLimit) {
    this.bodies = bodies;
    this.resources = resources;
    this.keys = resources.account().ownKeys();
    this.workspaces = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  Map<Operation, Service> operations() {
    return Map.of(
        Operation.CREATE_OWN_KEY, this::create,
        Operation.LIST_OWN_KEYS, this::list,
        Operation.GET_OWN_KEY, this::get,
        Operation.UPDATE_OWN_KEY, this::update,
        Operation.DELETE_OWN_KEY, this::delete);
  }

  private WireResponse create(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    Json.Obj body = bodies.read(request);
    OwnKeyCreate asked = decoder.create(body, problems);
    String provider = body.text("provider");
    if (provider != null && !provider.isEmpty() && !isProvider(provider)) {
      problems.add(
          JsonPointer.ROOT.child("provider"),
          "must be the slug of a provider",
          Problems.shown(Json.of(provider)));
    }
    String workspace = workspaces.inBody(body, problems);
    OwnKeyCreate good = problems.good(asked);
    OwnKey created =
        keys.create(good, good.everywhere() ? "" : workspace, caller.author(request.client()));
    return responses.created(json(created));
  }

  private boolean isProvider(String slug) {
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    return snapshot.catalog().providers().stream().anyMatch(info -> info.slug().equals(slug));
  }

  private WireResponse list(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    WorkspacePage asked = Queries.pageOfWorkspace(request.query(), problems);
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    OwnKeys.Listed listed = keys.list(workspace, asked.page().offset(), asked.page().limit());
    return responses.list(listed.keys().stream().map(OwnKeyService::json).toList(), listed.total());
  }

  private WireResponse get(Caller caller, WireRequest request, Responses responses) {
    String id = id(request);
    return responses.found(id == null ? null : shown(keys.find(id)));
  }

  /** The body is judged before the key is looked for. */
  private WireResponse update(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    OwnKeyUpdate change = problems.good(decoder.update(bodies.read(request), problems));
    String id = id(request);
    return responses.found(
        id == null ? null : shown(keys.update(id, change, caller.author(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, Responses responses) {
    String id = id(request);
    return responses.deleted(id != null && keys.delete(id, caller.author(request.client())));
  }

  private static @Nullable String id(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : id.toString();
  }

  private static Json.@Nullable Obj shown(@Nullable OwnKey key) {
    return key == null ? null : json(key);
  }

  private static Json.Obj json(OwnKey key) {
    Instant updated = key.updatedAt();
    OwnKeyFields fields = key.fields();
    return Json.object()
        .put("id", key.id())
        .put("provider", key.provider())
        .putOrNull("name", fields.name())
        .put("label", key.label())
        .putOrNull("workspace_id", key.workspaceId())
        .put("disabled", fields.disabled())
        .put("is_fallback", fields.fallback())
        .put("sort_order", fields.sortOrder())
        .put("always_use", fields.alwaysUse())
        .put("allowed_models", list(fields.models()))
        .put("allowed_api_key_hashes", list(fields.keys()))
        .put("allowed_user_ids", list(fields.users()))
        .put("created_at", Timestamps.text(key.createdAt()))
        .putOrNull("updated_at", updated == null ? null : updated.toString())
        .build();
  }

  private static Json list(@Nullable List<String> texts) {
    return texts == null ? Json.NULL : Json.array(texts.stream().map(Json::of).toList());
  }
}
