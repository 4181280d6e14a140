package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.UnknownPart;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Problem;
import java.util.Objects;
import java.util.Set;

/**
 * Drops endpoints of other protocols where the conversation has a part of a type the engine does
 * not know: such a part has a form only in the dialect it came in, and a translation would lose it.
 * A protocol that an embedder adds counts as another protocol, however similar it is. Simulated
 * endpoints are kept, since they speak every dialect. So are endpoints whose catalog entry does not
 * say which protocol they speak. Decision 10.
 */
final class UnknownPartRule {
  /** The protocols of endpoints that are never dropped; the empty string means unknown. */
  private static final Set<String> ANY_DIALECT_PROTOCOLS = Set.of("simulated", "");

  private UnknownPartRule() {}

  static Test compile(RuleContext context) {
    UnknownPart part = context.query().unknownPart();
    return part == null
        ? Test.KEEPS_ALL
        : endpoint -> {
          String protocol = endpoint.provider().protocol();
          return !protocol.equals(part.protocol()) && !ANY_DIALECT_PROTOCOLS.contains(protocol);
        };
  }

  static String reason(Endpoint endpoint, RuleContext context) {
    UnknownPart part = part(context);
    return "speaks "
        + endpoint.provider().protocol()
        + ", which has no form for the "
        + describe(part)
        + " at "
        + part.pointer();
  }

  /** Returns what the caller is told when this rule dropped the last endpoint. */
  static Problem problem(RuleContext context, String detail) {
    UnknownPart part = part(context);
    return new Problem(
        part.pointer(),
        "must be of a type that is known here, or be sent to an endpoint that speaks "
            + part.protocol()
            + ": "
            + detail,
        part.type());
  }

  private static UnknownPart part(RuleContext context) {
    return Objects.requireNonNull(context.query().unknownPart(), "unknownPart");
  }

  private static String describe(UnknownPart part) {
    return part.type().isEmpty() ? "part of unknown type" : "part of type " + part.type();
  }
}
