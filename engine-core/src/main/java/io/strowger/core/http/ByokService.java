package io.strowger.core.http;

import io.strowger.core.administration.ByokKeyInfo;
import io.strowger.core.administration.StoredByokKeys;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.ByokKeyCreate;
import io.strowger.core.resource.ByokKeyDecoder;
import io.strowger.core.resource.ByokKeyFields;
import io.strowger.core.resource.ByokKeyUpdate;
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
final class ByokService {
  private final BodyReader bodies;
  private final ResourceServices resources;
  private final StoredByokKeys keys;
  private final WorkspaceNames workspaces;
  private final ByokKeyDecoder decoder = new ByokKeyDecoder();
  private final int problemLimit;

  ByokService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.resources = resources;
    this.keys = resources.account().byokKeys();
    this.workspaces = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_BYOK_KEY, this::create,
        Operation.LIST_BYOK_KEYS, this::list,
        Operation.GET_BYOK_KEY, this::get,
        Operation.UPDATE_BYOK_KEY, this::update,
        Operation.DELETE_BYOK_KEY, this::delete);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Json.Obj body = bodies.read(request);
    ByokKeyCreate asked = decoder.create(body, problems);
    String provider = body.text("provider");
    if (provider != null && !provider.isEmpty() && !isProvider(provider)) {
      problems.add(
          JsonPointer.ROOT.child("provider"),
          "must be the slug of a provider",
          Problems.shown(Json.of(provider)));
    }
    String workspace = workspaces.inBody(body, problems);
    ByokKeyCreate good = problems.requireValid(asked);
    ByokKeyInfo created =
        keys.create(good, good.everywhere() ? "" : workspace, caller.author(request.client()));
    return responseFactory.created(json(created));
  }

  private boolean isProvider(String slug) {
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    return snapshot.catalog().providers().stream().anyMatch(info -> info.slug().equals(slug));
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspacePage asked = Queries.pageOfWorkspace(request.query(), problems);
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    StoredByokKeys.Listed listed =
        keys.list(workspace, asked.page().offset(), asked.page().limit());
    return responseFactory.list(
        listed.keys().stream().map(ByokService::json).toList(), listed.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.found(id == null ? null : shown(keys.find(id)));
  }

  /** The body is judged before the key is looked for. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    ByokKeyUpdate change = problems.requireValid(decoder.update(bodies.read(request), problems));
    String id = id(request);
    return responseFactory.found(
        id == null ? null : shown(keys.update(id, change, caller.author(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.deleted(id != null && keys.delete(id, caller.author(request.client())));
  }

  private static @Nullable String id(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : id.toString();
  }

  private static Json.@Nullable Obj shown(@Nullable ByokKeyInfo key) {
    return key == null ? null : json(key);
  }

  private static Json.Obj json(ByokKeyInfo key) {
    Instant updated = key.updatedAt();
    ByokKeyFields fields = key.fields();
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
