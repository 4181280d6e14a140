package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Planning steps that set some endpoints of a model aside when others suit the request better, but
 * never all of them.
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
   * @param facts the trace that receives each narrowing; null when no trace is made
   */
  static void narrow(Shortlist shortlist, RuleContext context, @Nullable List<TraceEntry> facts) {
    softParameters(shortlist, context.query().parameters(), facts);
    flexTier(shortlist, context.query(), facts);
    contextLength(shortlist, context, facts);
  }

  /**
   * Sets aside endpoints that would ignore a parameter that others support. When no endpoint
   * supports it, all stay and the parameter is not sent (routing fact sheet, section 7, "Always-on
   * soft preference").
   *
   * @param asked mask of the parameters present in the request
   */
  private static void softParameters(
      Shortlist shortlist, long asked, @Nullable List<TraceEntry> facts) {
    if ((asked & SOFT_PARAMETERS) == 0) {
      return;
    }
    for (Parameter parameter : SOFT) {
      if ((asked & parameter.bit()) != 0) {
        softParameter(shortlist, parameter, facts);
      }
    }
  }

  private static void softParameter(
      Shortlist shortlist, Parameter parameter, @Nullable List<TraceEntry> facts) {
    int before = shortlist.size();
    int supporting = 0;
    for (int i = 0; i < before; i++) {
      supporting += shortlist.endpoint(i).supports(parameter) ? 1 : 0;
    }
    if (supporting != 0 && supporting != before) {
      shortlist.keepSupporting(parameter.bit());
      note(shortlist, parameter.wireName(), before, facts);
    }
  }

  /**
   * Where {@code service_tier} asks for flex, sets aside endpoints of other tiers. A model without
   * flex endpoints is served by its usual ones. Routing fact sheet, section 9.
   */
  private static void flexTier(
      Shortlist shortlist, RoutingQuery query, @Nullable List<TraceEntry> facts) {
    if (!ServiceTierMask.onlyFlex(query)) {
      return;
    }
    int before = shortlist.size();
    int flex = 0;
    for (int i = 0; i < before; i++) {
      flex += ServiceTierMask.of(shortlist.endpoint(i)) == ServiceTierMask.FLEX ? 1 : 0;
    }
    if (flex != 0 && flex != before) {
      shortlist.keepTiers(ServiceTierMask.FLEX);
      note(shortlist, "service_tier", before, facts);
    }
  }

  /** Sets aside endpoints for which the prompt would have to be compressed. */
  private static void contextLength(
      Shortlist shortlist, RuleContext context, @Nullable List<TraceEntry> facts) {
    long needed = ContextLengthRule.needed(context.query());
    if (needed <= context.index().traits().leastContext()) {
      return;
    }
    int before = shortlist.size();
    int holding = 0;
    for (int i = 0; i < before; i++) {
      holding += ContextLengthRule.isTooShort(shortlist.endpoint(i), needed) ? 0 : 1;
    }
    if (holding != 0 && holding != before) {
      shortlist.keepHolding(needed);
      note(shortlist, "context_length", before, facts);
    }
  }

  private static void note(
      Shortlist shortlist, String why, int before, @Nullable List<TraceEntry> facts) {
    if (facts != null) {
      int kept = shortlist.size();
      facts.add(new TraceEntry.Narrowed(shortlist.name(), why, kept, before - kept));
    }
  }
}
