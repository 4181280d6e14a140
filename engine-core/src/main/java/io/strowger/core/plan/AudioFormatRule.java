package io.strowger.core.plan;

import io.strowger.core.routing.SpeechNeeds;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/**
 * Drops endpoints that do not make the format of sound that was asked for. Contract: "POST
 * /audio/speech", {@code response_format}.
 */
final class AudioFormatRule implements EndpointRule {
  @Override
  public String name() {
    return "response_format";
  }

  @Override
  public Test compile(RuleContext context) {
    SpeechNeeds needs = context.query().speech();
    if (needs == null) {
      return Test.KEEPS_ALL;
    }
    String format = needs.format();
    return endpoint -> !endpoint.audioFormats().contains(format);
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "makes sound as " + String.join(", ", endpoint.audioFormats());
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }
}
