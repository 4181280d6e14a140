package io.strowger.core.http;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationTable;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.Timestamps;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /observability/destinations}. Contract: "Observability destination"; resources fact sheet,
 * section 5. Safe on any thread.
 */
record DestinationService(ServiceContext context) implements ResourceService.Resource {
  Map<Operation, OperationHandler> operations() {
    Map<Operation, OperationHandler> operations =
        new ResourceService(this, context)
            .operations(
                Operation.CREATE_DESTINATION,
                Operation.LIST_DESTINATIONS,
                Operation.GET_DESTINATION,
                Operation.UPDATE_DESTINATION,
                Operation.DELETE_DESTINATION);
    operations.put(Operation.TEST_DESTINATION, this::test);
    return operations;
  }

  @Override
  public ResourceType type() {
    return DestinationTable.TYPE;
  }

  @Override
  public Document create(Json.Obj body, Problems problems, AuditActor actor) {
    DestinationCreate values = DestinationTable.create(body, problems);
    String workspace = context.workspaceInBody(body, problems);
    return destinations().create(problems.requireValid(values), workspace, actor);
  }

  @Override
  public DocumentStore.Page list(@Nullable String workspace, PageRequest page) {
    return destinations().list(workspace, page.offset(), page.limit());
  }

  @Override
  public @Nullable Document find(String id) {
    return destinations().find(id);
  }

  /**
   * Updates a destination. The body is validated even if there is no such destination; the rules of
   * its type are then not applied.
   */
  @Override
  public @Nullable Document update(
      @Nullable String id, Json.Obj body, Problems problems, AuditActor actor) {
    Document current = id == null ? null : destinations().find(id);
    String type = current == null ? null : current.body().text("type");
    DestinationTable.Change change =
        problems.requireValid(
            DestinationTable.update(
                body, type == null ? null : DestinationType.find(type), problems));
    return current == null ? null : destinations().update(current.id(), change, actor);
  }

  @Override
  public boolean delete(String id, AuditActor actor) {
    return destinations().delete(id, actor);
  }

  /** Shows {@code updated_at} even when the destination was never changed. */
  @Override
  public Json.Obj shown(Document destination) {
    return type()
        .toJson(destination)
        .with("updated_at", Json.of(Timestamps.format(destination.updatedAt())));
  }

  /** Tests the connection; waits for the destination's answer or the sender's time limit. */
  private WireResponse test(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    Broadcaster.ConnectionTestResult result =
        id == null ? null : context.resources().broadcaster().test(id);
    return responseFactory.dataOrNotFound(
        result == null
            ? null
            : Json.object()
                .put("passed", result.passed())
                .put("status", result.status() == 0 ? Json.NULL : Json.of(result.status()))
                .put("message", result.message())
                .build());
  }

  @Override
  public @Nullable String id(WireRequest request) {
    return PathParameters.uuid(PathSegment.of(request, 2));
  }

  private Destinations destinations() {
    return context.resources().destinations();
  }
}
