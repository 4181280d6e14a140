package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destination;
import io.strowger.core.destination.Destinations;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationDecoder;
import io.strowger.core.resource.DestinationUpdate;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries.WorkspacePage;
import io.strowger.core.resource.Queries;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code /observability/destinations}. Contract: "Observability destination"; resources fact sheet,
 * section 5. Safe on any thread.
 */
final class DestinationService {
  private final BodyReader bodies;
  private final Destinations destinations;
  private final Broadcaster broadcaster;
  private final WorkspaceNames workspaces;
  private final DestinationDecoder decoder = new DestinationDecoder();
  private final int problemLimit;

  DestinationService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.destinations = resources.destinations();
    this.broadcaster = resources.broadcaster();
    this.workspaces = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_DESTINATION, this::create,
        Operation.LIST_DESTINATIONS, this::list,
        Operation.GET_DESTINATION, this::get,
        Operation.UPDATE_DESTINATION, this::update,
        Operation.DELETE_DESTINATION, this::delete,
        Operation.TEST_DESTINATION, this::test);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Json.Obj body = bodies.read(request);
    DestinationCreate asked = decoder.create(body, problems);
    String workspace = workspaces.inBody(body, problems);
    DestinationCreate good = problems.requireValid(asked);
    return responseFactory.created(
        destinations.create(good, workspace, caller.author(request.client())).json());
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspacePage asked = Queries.pageOfWorkspace(request.query(), problems);
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    Destinations.Listed listed =
        destinations.list(workspace, asked.page().offset(), asked.page().limit());
    return responseFactory.list(
        listed.destinations().stream().map(Destination::json).toList(), listed.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.found(shown(find(request)));
  }

  private @Nullable Destination find(WireRequest request) {
    String id = id(request);
    return id == null ? null : destinations.find(id);
  }

  /** The body is judged whether the destination is there or not, as far as its type is known. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Json.Obj body = bodies.read(request);
    Destination now = find(request);
    DestinationUpdate change =
        problems.requireValid(decoder.update(body, now == null ? null : now.type(), problems));
    return responseFactory.found(
        now == null
            ? null
            : shown(destinations.update(now.id(), change, caller.author(request.client()))));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.deleted(
        id != null && destinations.delete(id, caller.author(request.client())));
  }

  /** Waits for the destination, some tenths of a minute at most. */
  private WireResponse test(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    Broadcaster.ConnectionTestResult tested = id == null ? null : broadcaster.test(id);
    return responseFactory.found(
        tested == null
            ? null
            : Json.object()
                .put("passed", tested.passed())
                .put("status", tested.status() == 0 ? Json.NULL : Json.of(tested.status()))
                .put("message", tested.message())
                .build());
  }

  private static @Nullable String id(WireRequest request) {
    UUID id = PathParameters.destinationId(PathSegment.of(request, 2));
    return id == null ? null : id.toString();
  }

  private static Json.@Nullable Obj shown(@Nullable Destination destination) {
    return destination == null ? null : destination.json();
  }
}
