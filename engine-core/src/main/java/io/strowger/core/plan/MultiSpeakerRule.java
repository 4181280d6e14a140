package io.strowger.core.plan;

import io.strowger.core.routing.SpeechNeeds;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;

/**
 * Drops endpoints that speak with one voice when the text comes as turns of several. Contract:
 * "POST /audio/speech", {@code input}.
 */
final class MultiSpeakerRule implements EndpointRule {
  @Override
  public String name() {
    return "multi_speaker";
  }

  @Override
  public Test compile(RuleContext context) {
    SpeechNeeds needs = context.query().speech();
    return needs != null && needs.multiSpeaker()
        ? endpoint -> !endpoint.multiSpeaker()
        : Test.KEEPS_ALL;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    return "speaks a text of one speaker only";
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }
}
