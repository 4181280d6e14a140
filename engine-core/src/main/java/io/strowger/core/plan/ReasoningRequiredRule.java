package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.BitSet;

/**
 * Drops models that cannot but reason where the request says that there is to be no reasoning. Who
 * asks for the latest of a family does not choose such a model and is let through: the request is
 * raised to the least effort it has. Routing fact sheet, section 10.
 */
final class ReasoningRequiredRule implements EndpointRule {
  @Override
  public String name() {
    return "reasoning";
  }

  @Override
  public Test compile(RuleContext context) {
    CatalogTraits traits = context.index().traits();
    if (context.query().reasoningOff() == null || !traits.hasReasoners()) {
      return Test.KEEPS_ALL;
    }
    BitSet latest = latest(context);
    return endpoint ->
        traits.alwaysReasons(endpoint.modelOrdinal()) && !latest.get(endpoint.modelOrdinal());
  }

  /** The models that were asked for as the latest of a family. */
  private static BitSet latest(RuleContext context) {
    var latest = new BitSet();
    RoutingQuery query = context.query();
    RequestedModel[] asked = ModelNames.resolve(query, context.index());
    if (asked != null) {
      for (RequestedModel one : asked) {
        ModelEndpoints model = one.model();
        if (model != null && ModelNames.isLatest(query.models().get(one.place()))) {
          latest.set(model.model().ordinal());
        }
      }
    }
    return latest;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "always reasons, and the request says that it is not to";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.INVALID_REQUEST;
  }
}
