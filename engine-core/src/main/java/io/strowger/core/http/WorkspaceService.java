package io.strowger.core.http;

import io.strowger.core.administration.Workspace;
import io.strowger.core.administration.Workspaces;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.resource.WorkspaceTable;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /workspaces} and their budgets; a path names a workspace by its id or its slug. Resources
 * fact sheet, section 4. Safe on any thread.
 */
record WorkspaceService(ServiceContext context) implements ResourceService.Resource {
  private static final int INTERVAL_INDEX = 3;

  Map<Operation, OperationHandler> operations() {
    Map<Operation, OperationHandler> operations =
        new ResourceService(this, context)
            .operations(
                Operation.CREATE_WORKSPACE,
                Operation.LIST_WORKSPACES,
                Operation.GET_WORKSPACE,
                Operation.UPDATE_WORKSPACE,
                Operation.DELETE_WORKSPACE);
    operations.put(Operation.LIST_BUDGETS, this::listBudgets);
    operations.put(Operation.SET_BUDGET, this::setBudget);
    operations.put(Operation.DELETE_BUDGET, this::deleteBudget);
    return operations;
  }

  @Override
  public ResourceType type() {
    return WorkspaceTable.TYPE;
  }

  @Override
  public Document create(Json.Obj body, Problems problems, AuditActor actor) {
    Values values = WorkspaceTable.TYPE.create(body, problems);
    return workspaces().create(problems.requireValid(values), actor);
  }

  @Override
  public boolean isListedByWorkspace() {
    return false;
  }

  @Override
  public DocumentStore.Page list(@Nullable String workspace, PageRequest page) {
    return workspaces().list(page.offset(), page.limit());
  }

  @Override
  public @Nullable Document find(String name) {
    String id = workspaces().resolveId(name);
    return id == null ? null : workspaces().find(id);
  }

  @Override
  public @Nullable Document update(
      @Nullable String name, Json.Obj body, Problems problems, AuditActor actor) {
    Values change = problems.requireValid(WorkspaceTable.TYPE.update(body, problems));
    String id = name == null ? null : workspaces().resolveId(name);
    return id == null ? null : workspaces().update(id, change, actor);
  }

  @Override
  public boolean delete(String name, AuditActor actor) {
    String id = workspaces().resolveId(name);
    return id != null && workspaces().delete(id, actor);
  }

  private WireResponse listBudgets(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Document document = find(id(request));
    if (document == null) {
      return responseFactory.dataOrNotFound(null);
    }
    Workspace workspace = Workspace.read(document);
    List<Json> budgets = new ArrayList<>();
    for (Period period : Period.values()) {
      if (workspace.budgets().get(period) instanceof Usd limit) {
        budgets.add(budget(workspace.id(), period, limit));
      }
    }
    return responseFactory.dataOrNotFound(Json.array(budgets));
  }

  private WireResponse setBudget(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Period period = period(PathSegment.of(request, INTERVAL_INDEX));
    Usd limit =
        problems.requireValid(WorkspaceTable.budget(context.bodyReader().read(request), problems));
    String id = workspaces().resolveId(id(request));
    Document document =
        id == null || period == null
            ? null
            : workspaces().setBudget(id, period, limit, caller.toAuditActor(request.client()));
    return responseFactory.dataOrNotFound(
        document == null || period == null ? null : budget(document.id(), period, limit));
  }

  /** Succeeds even when there was no such budget. */
  private WireResponse deleteBudget(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Period period = period(PathSegment.of(request, INTERVAL_INDEX));
    String id = workspaces().resolveId(id(request));
    return responseFactory.deletedOrNotFound(
        id != null
            && period != null
            && workspaces().setBudget(id, period, null, caller.toAuditActor(request.client()))
                != null);
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

  /** Returns the id or the slug in the path. */
  @Override
  public String id(WireRequest request) {
    return PathSegment.of(request, 1);
  }

  private static Json.Obj budget(String workspace, Period period, Usd limit) {
    return Json.object()
        .put("workspace_id", workspace)
        .put("limit_usd", limit.json())
        .putOrNull("reset_interval", KeyJson.word(period))
        .build();
  }

  private Workspaces workspaces() {
    return context.account().workspaces();
  }
}
