package io.strowger.core.plan;

import io.strowger.core.routing.UnknownPart;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Problem;
import java.util.Objects;
import java.util.Set;

/**
 * Drops endpoints that could not be told a part of the conversation: one of a type the engine does
 * not know has a form in the dialect it came in only, and must not disappear on its way into
 * another. A protocol of an embedder's own is another as well, however alike it may be. Simulated
 * endpoints are kept, since they speak every dialect, and so are those of which it is not known
 * what they speak: a catalog need not say it. Decision 10.
 */
final class UnknownPartRule implements EndpointRule {
  /** Protocols of endpoints that speak every dialect, or nobody knows which. */
  private static final Set<String> ANY = Set.of("simulated", "");

  @Override
  public String name() {
    return "unknown_part";
  }

  @Override
  public Test compile(RuleContext context) {
    UnknownPart part = context.query().unknownPart();
    return part == null
        ? Test.KEEPS_ALL
        : endpoint -> {
          String protocol = endpoint.provider().protocol();
          return !protocol.equals(part.protocol()) && !ANY.contains(protocol);
        };
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    UnknownPart part = part(context);
    return "speaks "
        + endpoint.provider().protocol()
        + ", which has no form for the "
        + named(part)
        + " at "
        + part.at();
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.INVALID_REQUEST;
  }

  /** What a caller reads when this rule took the last endpoint. */
  static Problem problem(RuleContext context, String detail) {
    UnknownPart part = part(context);
    return new Problem(
        part.at(),
        "must be of a type that is known here, or be for an endpoint of "
            + part.protocol()
            + ": "
            + detail,
        part.type());
  }

  private static UnknownPart part(RuleContext context) {
    return Objects.requireNonNull(context.query().unknownPart(), "unknownPart");
  }

  private static String named(UnknownPart part) {
    return part.type().isEmpty() ? "part of unknown type" : "part of type " + part.type();
  }
}
