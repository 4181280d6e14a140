package io.strowger.core.wire;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.query.PathParameters;
import io.strowger.core.decode.query.Queries;
import io.strowger.core.decode.resource.DestinationDecoder;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;

/**
 * The operations whose service does not exist yet. What they are asked is held to the whole of the
 * contract all the same: a wrong request is told what is wrong with it, a good one that it cannot
 * be served. A service that gets built takes its lines out of here. Safe on any thread.
 */
final class UnbuiltServices {
  private final BodyReader bodies;
  private final DestinationDecoder destinations = new DestinationDecoder();
  private final int problemLimit;

  UnbuiltServices(BodyReader bodies, int problemLimit) {
    this.bodies = bodies;
    this.problemLimit = problemLimit;
  }

  /**
   * Holds a request to the contract.
   *
   * @return that it cannot be served
   * @throws io.strowger.spi.error.GatewayException what is wrong with it
   */
  GatewayError refuse(Operation operation, WireRequest request) {
    var problems = new Problems(problemLimit);
    String query = request.query();
    switch (operation) {
      case CREATE_DESTINATION -> destinations.create(bodies.read(request), problems);
      case LIST_DESTINATIONS -> Queries.destinations(query, problems);
      case GET_DESTINATION, DELETE_DESTINATION -> destination(request);
      case UPDATE_DESTINATION -> {
        destinations.update(bodies.read(request), null, problems);
        problems.throwIfAny();
        destination(request);
      }

      case HEALTH,
          CHAT,
          MESSAGES,
          RESPONSES,
          EMBEDDINGS,
          SPEECH,
          RERANK,
          IMAGES,
          TRANSCRIPTIONS,
          CREATE_BATCH,
          LIST_BATCHES,
          GET_BATCH,
          DELETE_BATCH,
          CREATE_KEY,
          LIST_KEYS,
          GET_KEY,
          UPDATE_KEY,
          DELETE_KEY,
          ROTATE_KEY,
          CURRENT_KEY,
          CREATE_GUARDRAIL,
          LIST_GUARDRAILS,
          GET_GUARDRAIL,
          UPDATE_GUARDRAIL,
          DELETE_GUARDRAIL,
          LIST_KEY_ASSIGNMENTS,
          ASSIGN_KEYS,
          UNASSIGN_KEYS,
          LIST_MEMBER_ASSIGNMENTS,
          ASSIGN_MEMBERS,
          UNASSIGN_MEMBERS,
          CREATE_WORKSPACE,
          LIST_WORKSPACES,
          GET_WORKSPACE,
          UPDATE_WORKSPACE,
          DELETE_WORKSPACE,
          LIST_BUDGETS,
          SET_BUDGET,
          DELETE_BUDGET,
          CREATE_OWN_KEY,
          LIST_OWN_KEYS,
          GET_OWN_KEY,
          UPDATE_OWN_KEY,
          DELETE_OWN_KEY,
          LIST_AUDIT_LOG,
          CREDITS,
          LIST_MEMBERS,
          PRESET_FROM_CHAT,
          PRESET_FROM_MESSAGES,
          PRESET_FROM_RESPONSES,
          LIST_PRESETS,
          GET_PRESET,
          LIST_PRESET_VERSIONS,
          GET_PRESET_VERSION,
          GET_GENERATION,
          GET_GENERATION_CONTENT,
          SEND_FEEDBACK,
          LIST_MODELS,
          COUNT_MODELS,
          LIST_USABLE_MODELS,
          GET_MODEL,
          LIST_MODEL_ENDPOINTS,
          LIST_PROVIDERS,
          LIST_ZDR_ENDPOINTS,
          OPTIONS,
          OTHER_METHOD,
          NOWHERE ->
          throw new IllegalStateException(operation + " is served");
    }
    problems.throwIfAny();
    return GatewayError.of(ErrorCode.NOT_IMPLEMENTED);
  }

  private static void destination(WireRequest request) {
    if (PathParameters.destinationId(request.segment(2)) == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
  }
}
