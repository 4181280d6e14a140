package io.strowger.core.http;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Queries.WorkspacePage;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every type of resource has: create, list, get, update and delete. A subclass says what is
 * different about its type. Resources fact sheet, section 1. Safe on any thread.
 */
abstract class ResourceService {
  final WorkspaceNames workspaceNames;
  private final ResourceType type;
  private final BodyReader bodies;
  private final int problemLimit;

  ResourceService(
      ResourceType type, BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.type = type;
    this.bodies = bodies;
    this.workspaceNames = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  /**
   * Creates a resource.
   *
   * @throws io.strowger.spi.error.GatewayException 400 with every problem of the body
   */
  abstract Document create(Json.Obj body, Problems problems, AuditActor by);

  /**
   * Returns a part of the resources.
   *
   * @param workspace null: of all
   */
  abstract DocumentStore.Page list(@Nullable String workspace, PageRequest page);

  /** Returns a resource; null when there is none. */
  abstract @Nullable Document find(String id);

  /**
   * Changes a resource. The body is judged before the resource is looked for.
   *
   * @param id null when there can be no such resource
   * @return null when there is none
   * @throws io.strowger.spi.error.GatewayException 400 with every problem of the body
   */
  abstract @Nullable Document update(
      @Nullable String id, Json.Obj body, Problems problems, AuditActor by);

  /** Removes a resource; false when there is none. */
  abstract boolean delete(String id, AuditActor by);

  /** Returns the id that a path names; null when there can be no such resource. */
  @Nullable String id(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : id.toString();
  }

  Json.Obj shown(Document document) {
    return type.shown(document);
  }

  final Map<Operation, OperationHandler> operations(
      Operation create, Operation list, Operation get, Operation update, Operation delete) {
    Map<Operation, OperationHandler> operations = new HashMap<>();
    operations.put(create, this::create);
    operations.put(list, this::list);
    operations.put(get, this::get);
    operations.put(update, this::update);
    operations.put(delete, this::delete);
    return operations;
  }

  final Problems problems() {
    return new Problems(problemLimit);
  }

  final Json.Obj body(WireRequest request) {
    return bodies.read(request);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Problems problems = problems();
    return responseFactory.created(
        shown(create(body(request), problems, caller.author(request.client()))));
  }

  WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Problems problems = problems();
    WorkspacePage asked = Queries.pageOfWorkspace(request.query(), problems);
    String workspace = workspaceNames.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    return listed(list(workspace, asked.page()), responseFactory);
  }

  final WireResponse listed(DocumentStore.Page page, ResponseFactory responseFactory) {
    return responseFactory.list(page.documents().stream().map(this::shown).toList(), page.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return found(id == null ? null : find(id), responseFactory);
  }

  private WireResponse found(@Nullable Document document, ResponseFactory responseFactory) {
    return responseFactory.found(document == null ? null : shown(document));
  }

  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    AuditActor by = caller.author(request.client());
    return found(update(id(request), body(request), problems(), by), responseFactory);
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.deleted(id != null && delete(id, caller.author(request.client())));
  }
}
