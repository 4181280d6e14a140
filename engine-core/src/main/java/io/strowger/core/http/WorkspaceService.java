package io.strowger.core.http;

import io.strowger.core.administration.Workspace;
import io.strowger.core.administration.Workspaces;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.PageRequest;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Timestamps;
import io.strowger.core.resource.WorkspaceDecoder;
import io.strowger.core.resource.WorkspaceFields;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /workspaces} and their budgets; a path names a workspace by its id or its slug. Resources
 * fact sheet, section 4. Safe on any thread.
 */
final class WorkspaceService {
  private static final int INTERVAL = 3;

  private final BodyReader bodies;
  private final Workspaces workspaces;
  private final WorkspaceDecoder decoder = new WorkspaceDecoder();
  private final int problemLimit;

  WorkspaceService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.workspaces = resources.account().workspaces();
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_WORKSPACE, this::create,
        Operation.LIST_WORKSPACES, this::list,
        Operation.GET_WORKSPACE, this::get,
        Operation.UPDATE_WORKSPACE, this::update,
        Operation.DELETE_WORKSPACE, this::delete,
        Operation.LIST_BUDGETS, this::budgets,
        Operation.SET_BUDGET, this::setBudget,
        Operation.DELETE_BUDGET, this::deleteBudget);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspaceFields fields = decoder.create(bodies.read(request), problems);
    return responseFactory.created(
        json(workspaces.create(problems.requireValid(fields), caller.author(request.client()))));
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    PageRequest pageRequest = Queries.page(request.query(), problems);
    problems.throwIfAny();
    Workspaces.Listed listed = workspaces.list(pageRequest.offset(), pageRequest.limit());
    return responseFactory.list(
        listed.workspaces().stream().map(WorkspaceService::json).toList(), listed.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.found(shown(named(request)));
  }

  /** The body is judged before the workspace is looked for. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspaceFields.Change change =
        problems.requireValid(decoder.update(bodies.read(request), problems));
    String id = id(request);
    return responseFactory.found(
        shown(id == null ? null : workspaces.update(id, change, caller.author(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.deleted(
        id != null && workspaces.delete(id, caller.author(request.client())));
  }

  private WireResponse budgets(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Workspace workspace = named(request);
    if (workspace == null) {
      return responseFactory.found(null);
    }
    List<Json> budgets = new ArrayList<>();
    for (Period period : Period.values()) {
      if (workspace.budgets().get(period) instanceof Usd limit) {
        budgets.add(budget(workspace, period, limit));
      }
    }
    return responseFactory.found(Json.array(budgets));
  }

  private WireResponse setBudget(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Period period = period(PathSegment.of(request, INTERVAL));
    Usd limit = problems.requireValid(decoder.budget(bodies.read(request), problems));
    String id = id(request);
    Workspace changed =
        id == null || period == null
            ? null
            : workspaces.budget(id, period, limit, caller.author(request.client()));
    return responseFactory.found(
        changed == null || period == null ? null : budget(changed, period, limit));
  }

  /** As good as done where there was no such budget. */
  private WireResponse deleteBudget(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Period period = period(PathSegment.of(request, INTERVAL));
    String id = id(request);
    return responseFactory.deleted(
        id != null
            && period != null
            && workspaces.budget(id, period, null, caller.author(request.client())) != null);
  }

  private static @Nullable Period period(String word) {
    return switch (word) {
      case "daily" -> Period.DAILY;
      case "weekly" -> Period.WEEKLY;
      case "monthly" -> Period.MONTHLY;
      case "lifetime" -> Period.LIFETIME;
      default -> null;
    };
  }

  private @Nullable String id(WireRequest request) {
    return workspaces.named(PathSegment.of(request, 1));
  }

  private @Nullable Workspace named(WireRequest request) {
    String id = id(request);
    return id == null ? null : workspaces.find(id);
  }

  private static Json.Obj budget(Workspace workspace, Period period, Usd limit) {
    return Json.object()
        .put("workspace_id", workspace.id())
        .put("limit_usd", KeyJson.dollars(limit))
        .putOrNull("reset_interval", KeyJson.word(period))
        .build();
  }

  private static Json.@Nullable Obj shown(@Nullable Workspace workspace) {
    return workspace == null ? null : json(workspace);
  }

  private static Json.Obj json(Workspace workspace) {
    WorkspaceFields fields = workspace.fields();
    Instant updated = workspace.updatedAt();
    return Json.object()
        .put("id", workspace.id())
        .put("name", fields.name())
        .put("slug", fields.slug())
        .putOrNull("description", fields.description())
        .putOrNull("default_text_model", fields.textModel())
        .putOrNull("default_image_model", fields.imageModel())
        .putOrNull("default_provider_sort", fields.providerSort())
        .put("is_observability_io_logging_enabled", fields.logging())
        .put("is_observability_broadcast_enabled", fields.broadcast())
        .put("created_at", Timestamps.text(workspace.createdAt()))
        .putOrNull("updated_at", updated == null ? null : updated.toString())
        .build();
  }
}
