package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Speech in the OpenAI form: {@code POST .../audio/speech}, always a stream of sound. It follows
 * from the words of the script, in as many pieces.
 */
final class SpeechProtocol implements UpstreamProtocol {
  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    RequestScanner requestScanner =
        request.path().endsWith("/audio/speech") ? RequestScanner.of(request.body()) : null;
    if (requestScanner == null) {
      return null;
    }
    String format = Objects.requireNonNullElse(requestScanner.member("response_format"), "mp3");
    return new Asked(
        Objects.requireNonNullElse(requestScanner.model(), ""),
        true,
        false,
        format.replace("\"", ""));
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new Sound(script, asked.detail());
  }

  /** One sample. */
  @Override
  public byte[] keepAlive() {
    return new byte[2];
  }

  @Override
  public byte[] broken() {
    return "<html>simulated nonsense</html>".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public byte[] error(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private record Sound(Script script, String format) implements Spoken {
    @Override
    public String contentType() {
      return SimulatedSpeech.mediaType(format);
    }

    @Override
    public Json.Obj document() {
      throw new IllegalStateException("sound is no document");
    }

    @Override
    public List<byte[]> opening() {
      return List.of();
    }

    @Override
    public List<byte[]> text() {
      var pieces = new ArrayList<byte[]>();
      for (String piece : SimulatedChatFrames.pieces(script.text(), script.chunks())) {
        pieces.add(SimulatedSpeech.sound(format, piece, 0));
      }
      return pieces;
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
