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
import org.jspecify.annotations.Nullable;

/**
 * Handles create, list, get, update and delete of one type of resource. Resources fact sheet,
 * section 1. Safe on any thread.
 */
record ResourceService(Resource resource, ServiceContext context) {
  /** The part of the operations that differs between types of resources. Safe on any thread. */
  interface Resource {
    /** Returns the table of the resource's members. */
    ResourceType type();

    /**
     * Creates a resource.
     *
     * @throws io.strowger.spi.error.GatewayException 400 with every problem of the body
     */
    Document create(Json.Obj body, Problems problems, AuditActor actor);

    /** Returns whether a list can be restricted to one workspace by its query. */
    default boolean isListedByWorkspace() {
      return true;
    }

    /**
     * Returns one page of the resources.
     *
     * @param workspace the id of a workspace; null for all
     */
    DocumentStore.Page list(@Nullable String workspace, PageRequest page);

    /** Returns a resource; null when there is none. */
    @Nullable Document find(String id);

    /**
     * Changes a resource. The body is validated before the resource is looked up.
     *
     * @param id the id; null when no such resource can exist
     * @return the changed resource; null when there is none
     * @throws io.strowger.spi.error.GatewayException 400 with every problem of the body
     */
    @Nullable Document update(
        @Nullable String id, Json.Obj body, Problems problems, AuditActor actor);

    /** Removes a resource; false when there is none. */
    boolean delete(String id, AuditActor actor);

    /** Returns the id that a path names; null when there can be no such resource. */
    default @Nullable String id(WireRequest request) {
      return PathParameters.uuid(PathSegment.of(request, 1));
    }

    /** Returns what an answer shows of a resource. */
    default Json.Obj shown(Document document) {
      return type().toJson(document);
    }
  }

  Map<Operation, OperationHandler> operations(
      Operation create, Operation list, Operation get, Operation update, Operation delete) {
    Map<Operation, OperationHandler> operations = new HashMap<>();
    operations.put(create, this::create);
    operations.put(list, this::list);
    operations.put(get, this::get);
    operations.put(update, this::update);
    operations.put(delete, this::delete);
    return operations;
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Document document =
        resource.create(
            context.bodyReader().read(request), problems, caller.toAuditActor(request.client()));
    return responseFactory.created(resource.shown(document));
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    String workspace = null;
    PageRequest page;
    if (resource.isListedByWorkspace()) {
      WorkspacePage query = Queries.workspacePage(request.query(), problems);
      workspace = context.workspaceInQuery(query.workspaceId(), problems);
      page = query.page();
    } else {
      page = Queries.page(request.query(), problems);
    }
    problems.throwIfAny();
    DocumentStore.Page result = resource.list(workspace, page);
    return responseFactory.list(
        result.documents().stream().map(resource::shown).toList(), result.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = resource.id(request);
    return dataOrNotFound(id == null ? null : resource.find(id), responseFactory);
  }

  private WireResponse dataOrNotFound(
      @Nullable Document document, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(document == null ? null : resource.shown(document));
  }

  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    AuditActor actor = caller.toAuditActor(request.client());
    String id = resource.id(request);
    Json.Obj body = context.bodyReader().read(request);
    return dataOrNotFound(resource.update(id, body, context.newProblems(), actor), responseFactory);
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = resource.id(request);
    return responseFactory.deletedOrNotFound(
        id != null && resource.delete(id, caller.toAuditActor(request.client())));
  }
}
