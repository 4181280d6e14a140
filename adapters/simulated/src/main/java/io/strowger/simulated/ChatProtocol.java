package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The chat dialect: {@code POST .../chat/completions}. */
final class ChatProtocol implements UpstreamProtocol {
  private static final byte[] COMMENT = utf8(": SIMULATED PROCESSING\n\n");
  private static final byte[] BROKEN = utf8("data: {\"id\":\"chatcmpl-simulated\",\"choi\n\n");
  private static final byte[] DONE = utf8("data: [DONE]\n\n");

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    return request.path().endsWith("/chat/completions")
        ? RequestScanner.asked(request.body())
        : null;
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new Completion(script, asked, new SimulatedChatFrames(script, asked.model()));
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
    return utf8("data: " + json + "\n\n");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private record Completion(Script script, Asked asked, SimulatedChatFrames frames)
      implements Spoken {
    @Override
    public Json.Obj document() {
      return frames.completion();
    }

    @Override
    public List<byte[]> opening() {
      var opening = new ArrayList<byte[]>();
      opening.add(UpstreamProtocol.frame(null, frames.role()));
      opening.addAll(written(frames.reasoning()));
      return opening;
    }

    @Override
    public List<byte[]> text() {
      return written(frames.content());
    }

    @Override
    public List<byte[]> calls() {
      return written(frames.calls());
    }

    @Override
    public List<byte[]> ending() {
      var ending = new ArrayList<byte[]>();
      ending.add(UpstreamProtocol.frame(null, frames.finish()));
      if (asked.usageWanted() && script.usage() == Script.UsageStyle.WHEN_ASKED) {
        ending.add(UpstreamProtocol.frame(null, frames.usageFrame()));
      }
      ending.add(DONE);
      return ending;
    }

    private static List<byte[]> written(List<Json.Obj> frames) {
      return frames.stream().map(frame -> UpstreamProtocol.frame(null, frame)).toList();
    }
  }
}
