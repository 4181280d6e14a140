package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import java.util.Locale;

/** Drops endpoints of another kind of request: a speech endpoint does not chat. */
final class EndpointKindRule implements EndpointRule {
  private static final Test NO_CHAT = endpoint -> endpoint.kind() != Endpoint.Kind.CHAT;
  private static final Test NO_SPEECH = endpoint -> endpoint.kind() != Endpoint.Kind.SPEECH;
  private static final Test NO_EMBEDDINGS = endpoint -> endpoint.kind() != Endpoint.Kind.EMBEDDINGS;
  private static final Test NO_TRANSCRIPTIONS =
      endpoint -> endpoint.kind() != Endpoint.Kind.TRANSCRIPTIONS;
  private static final Test NO_IMAGES = endpoint -> endpoint.kind() != Endpoint.Kind.IMAGES;
  private static final Test NO_RERANK = endpoint -> endpoint.kind() != Endpoint.Kind.RERANK;

  @Override
  public String name() {
    return "endpoint_kind";
  }

  @Override
  public Test compile(RuleContext context) {
    Endpoint.Kind kind = context.query().kind();
    if (context.index().traits().isAll(kind)) {
      return Test.KEEPS_ALL;
    }
    return switch (kind) {
      case CHAT -> NO_CHAT;
      case SPEECH -> NO_SPEECH;
      case EMBEDDINGS -> NO_EMBEDDINGS;
      case RERANK -> NO_RERANK;
      case IMAGES -> NO_IMAGES;
      case TRANSCRIPTIONS -> NO_TRANSCRIPTIONS;
    };
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "serves "
        + endpoint.kind().name().toLowerCase(Locale.ROOT)
        + ", not "
        + context.query().kind().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.WRONG_ENDPOINT;
  }
}
