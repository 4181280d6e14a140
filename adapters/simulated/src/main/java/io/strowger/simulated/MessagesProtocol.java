package io.strowger.simulated;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The messages dialect: {@code POST .../messages}. */
final class MessagesProtocol implements UpstreamProtocol {
  private static final byte[] PING = utf8("event: ping\ndata: {\"type\":\"ping\"}\n\n");
  private static final byte[] BROKEN =
      utf8("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"ind\n\n");

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    return request.path().endsWith("/messages") ? RequestScanner.asked(request.body()) : null;
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new SimulatedMessagesFrames(script, asked.model());
  }

  @Override
  public byte[] keepAlive() {
    return PING;
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
