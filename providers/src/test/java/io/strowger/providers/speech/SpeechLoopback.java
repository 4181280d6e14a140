package io.strowger.providers.speech;

import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.Given;
import io.strowger.tck.SpeechProviderContract;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.TestTransport;
import io.strowger.tck.UpstreamBehaviour;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** A simulated upstream for speech, and an adapter that is connected to it. */
final class SpeechLoopback implements SpeechProviderContract.ProviderSetup {
  private static final String MODEL = "upstream-model";
  private static final String TEXT = "eight pieces of a sound";

  private final SimulatedUpstream server;
  private final TestTransport transport = new TestTransport();
  private final SpeechProvider provider;
  private final String format;

  SpeechLoopback(TestAmbient ambient, Function<Transport, ProviderFactory> factory, String format) {
    this.format = format;
    server = SimulatedUpstream.start(ambient);
    behave(new UpstreamBehaviour.Echoes());
    provider =
        Objects.requireNonNull(
            factory
                .apply(transport)
                .createSpeech(
                    new ProviderSettings(
                        "acme",
                        server.baseUri(),
                        Map.of(),
                        Duration.ofSeconds(5),
                        new JacksonCodec(),
                        ambient)));
  }

  @Override
  public SpeechProvider provider() {
    return provider;
  }

  @Override
  public Endpoint endpoint() {
    return Given.endpoint("acme", "acme/one", "1").toBuilder()
        .kind(Endpoint.Kind.SPEECH)
        .multiSpeaker(true)
        .upstreamModel(MODEL)
        .build();
  }

  @Override
  public String format() {
    return format;
  }

  @Override
  public byte[] sound() {
    int bytesPerLetter = format.equals("mp3") ? 144 : 128; // a frame or 64 samples
    var sound = ByteBuffer.allocate(TEXT.length() * bytesPerLetter).order(ByteOrder.LITTLE_ENDIAN);
    for (char letter : TEXT.toCharArray()) {
      if (format.equals("mp3")) {
        sound.put(new byte[] {(byte) 0xff, (byte) 0xfb, 0x18, (byte) 0xc4}).put(new byte[140]);
      } else {
        for (int i = 0; i < 64; i++) {
          sound.putShort((short) (i * (8 + (letter & 0x1f)) << 6));
        }
      }
    }
    return sound.array();
  }

  @Override
  public void behave(UpstreamBehaviour behaviour) {
    server.script(
        MODEL,
        switch (behaviour) {
          case UpstreamBehaviour.Echoes echoes ->
              Script.builder().text(TEXT).chunks(8).tokens(3, 9).build();
          case UpstreamBehaviour.Stalls(String text) ->
              Script.failing(
                  new ScriptedFault.Stall(text.isEmpty() ? ScriptedFault.AFTER_HEAD : 2));
          case UpstreamBehaviour.Silent silent ->
              Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD));
          case UpstreamBehaviour.Cuts(String text) ->
              Script.failing(new ScriptedFault.Cut(text.isEmpty() ? ScriptedFault.AFTER_HEAD : 2));
          case UpstreamBehaviour.Garbage garbage ->
              Script.responding(200, Map.of("Content-Type", "text/html"), "<html>no</html>");
          case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
              Script.responding(status, Map.of(), refusal(message));
        });
  }

  private static String refusal(String message) {
    Json.Obj error = Json.object().put("message", message).build();
    return Json.object().put("error", error).build().toString();
  }

  @Override
  public String lastBody() {
    return server.last().path() + " " + server.last().text();
  }

  @Override
  public boolean awaitRequests(long count, Duration atMost) throws InterruptedException {
    return server.awaitRequests(count, atMost);
  }

  @Override
  public void close() {
    server.close();
    transport.close();
  }
}
