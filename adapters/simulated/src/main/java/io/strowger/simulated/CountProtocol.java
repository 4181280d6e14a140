package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dialect's way to have a prompt counted. The count is the prompt tokens of the script, always as
 * one document.
 */
final class CountProtocol implements UpstreamProtocol {
  private final String ending;
  private final String member;
  private final MessagesProtocol messages = new MessagesProtocol();

  /**
   * @param ending how its paths end
   * @param member the name of the count
   */
  CountProtocol(String ending, String member) {
    this.ending = ending;
    this.member = member;
  }

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    RequestScanner requestScanner =
        request.path().endsWith(ending) ? RequestScanner.of(request.body()) : null;
    return requestScanner == null
        ? null
        : new Asked(requestScanner.model() == null ? "" : requestScanner.model(), false, false);
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new Count(member, script.promptTokens());
  }

  @Override
  public byte[] keepAlive() {
    return messages.keepAlive();
  }

  @Override
  public byte[] broken() {
    return messages.broken();
  }

  @Override
  public byte[] error(String json) {
    return messages.error(json);
  }

  /** A count is never streamed. */
  private record Count(String member, int tokens) implements Spoken {
    @Override
    public Json.Obj document() {
      return Json.object().put(member, tokens).build();
    }

    @Override
    public List<byte[]> opening() {
      return List.of(document().toBytes());
    }

    @Override
    public List<byte[]> text() {
      return List.of();
    }

    @Override
    public List<byte[]> calls() {
      return List.of();
    }

    @Override
    public List<byte[]> ending() {
      return List.of();
    }
  }
}
