package io.strowger.core.wire;

import io.strowger.core.account.Caller;
import io.strowger.core.flow.Question;
import io.strowger.core.flow.Snapshot;
import io.strowger.core.meter.PromptEstimate;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;

/**
 * {@code POST /messages/count_tokens}: about how many tokens the prompt of a messages request has,
 * in the vendor's form. The body is that of {@code /messages} and held to the same rules. No
 * provider is asked, nothing is paid, and {@code estimate} says that the number is none a provider
 * counted. Safe on any thread.
 */
final class TokenCountService {
  private final InferenceBodies bodies;
  private final Resources resources;

  TokenCountService(InferenceBodies bodies, Resources resources) {
    this.bodies = bodies;
    this.resources = resources;
  }

  WireResponse count(Caller caller, WireRequest wire, Responses responses) {
    InferenceRequest request = bodies.read(caller, wire).request();
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    RoutingQuery query =
        Question.of(request, PromptSize.of(request), snapshot, caller)
            .at(resources.ambient().now())
            .build();
    if (snapshot.planner().plan(query) instanceof RoutePlan.NoRoute none
        && none.error().code() == ErrorCode.MODEL_NOT_FOUND) {
      throw none.error().toException();
    }
    return responses.ok(
        Json.object()
            .put("input_tokens", PromptEstimate.tokens(request))
            .put("estimate", true)
            .build()
            .toBytes(),
        null);
  }
}
