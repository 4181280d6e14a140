package io.strowger.simulated;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The responses dialect: {@code POST .../responses}. */
final class ResponsesProtocol implements UpstreamProtocol {
  private static final byte[] COMMENT = utf8(": SIMULATED PROCESSING\n\n");
  private static final byte[] BROKEN =
      utf8("event: response.output_text.delta\ndata: {\"type\":\"response.output_te\n\n");

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    return request.path().endsWith("/responses") ? RequestScanner.asked(request.body()) : null;
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new SimulatedResponsesFrames(script, asked.model());
  }

  @Override
  public byte[] keepAlive() {
    return COMMENT;
  }

  @Override
  public byte[] broken() {
    return BROKEN;
  }

  @Override
  public byte[] error(String json) {
    return utf8("event: error\ndata: " + json + "\n\n");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
