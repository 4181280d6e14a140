package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Planning steps that set some endpoints of a model aside when other endpoints suit the request
 * better, but never all of them.
 */
final class Narrowers {
  private static final List<Parameter> SOFT =
      List.of(
          Parameter.TOOLS,
          Parameter.STRUCTURED_OUTPUTS,
          Parameter.RESPONSE_FORMAT,
          Parameter.VERBOSITY);

  /** Mask of the parameters for which endpoints without support are set aside. */
  static final long SOFT_PARAMETERS = Parameter.mask(SOFT);

  private Narrowers() {}

  /**
   * Applies all narrowers, in order.
   *
   * @param trace the trace that receives each narrowing; null when no trace is made
   */
  static void narrow(Shortlist shortlist, RuleContext context, @Nullable List<TraceEntry> trace) {
    softParameters(shortlist, context.query().parameters(), trace);
    flexTier(shortlist, context.query(), trace);
    contextLength(shortlist, context, trace);
  }

  /**
   * Sets aside endpoints that would ignore a parameter that other endpoints of the model support.
   * When no endpoint supports the parameter, all stay and the parameter is not sent (routing fact
   * sheet, section 7, "Always-on soft preference").
   *
   * @param requested mask of the parameters present in the request
   */
  private static void softParameters(
      Shortlist shortlist, long requested, @Nullable List<TraceEntry> trace) {
    if ((requested & SOFT_PARAMETERS) == 0) {
      return;
    }
    for (Parameter parameter : SOFT) {
      if ((requested & parameter.bit()) != 0) {
        int sizeBefore = shortlist.size();
        shortlist.preferSupporting(parameter.bit());
        note(shortlist, parameter.wireName(), sizeBefore, trace);
      }
    }
  }

  /**
   * Where {@code service_tier} asks for flex, sets aside endpoints of other tiers. A model without
   * flex endpoints is served by its usual ones. Routing fact sheet, section 9.
   */
  private static void flexTier(
      Shortlist shortlist, RoutingQuery query, @Nullable List<TraceEntry> trace) {
    if (query.tier() == ServiceTier.FLEX) {
      int sizeBefore = shortlist.size();
      shortlist.preferTier(ServiceTierMask.FLEX);
      note(shortlist, "service_tier", sizeBefore, trace);
    }
  }

  /** Sets aside endpoints for which the prompt would have to be compressed. */
  private static void contextLength(
      Shortlist shortlist, RuleContext context, @Nullable List<TraceEntry> trace) {
    long requiredTokens = ContextLengthRule.requiredTokens(context.query());
    if (requiredTokens > context.index().traits().minContext()) {
      int sizeBefore = shortlist.size();
      shortlist.preferWithContext(requiredTokens);
      note(shortlist, "context_length", sizeBefore, trace);
    }
  }

  private static void note(
      Shortlist shortlist, String reason, int sizeBefore, @Nullable List<TraceEntry> trace) {
    int sizeAfter = shortlist.size();
    if (trace != null && sizeAfter < sizeBefore) {
      trace.add(
          new TraceEntry.Narrowed(shortlist.modelId(), reason, sizeAfter, sizeBefore - sizeAfter));
    }
  }
}
