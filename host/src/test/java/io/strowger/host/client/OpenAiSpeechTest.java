package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.HttpResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.models.audio.speech.SpeechCreateParams;
import com.openai.models.audio.speech.SpeechCreateParams.ResponseFormat;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests over real HTTP, with the example of a model in {@code docs/operating.md}. */
@DisplayName("The OpenAI client library for speech")
class OpenAiSpeechTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Speech\n.*?```json\n(.*?)```", Pattern.DOTALL);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final String TEXT = "Hello from a voice.";
  private static final int FRAME = 144; // bytes of audio for each letter of the simulated voice
  private static final String BODY =
      "{\"model\":\"acme/voice\",\"input\":\"hello\",\"voice\":\"alloy\",\"response_format\":\"mp3\"}";

  private final Ambient ambient = new SystemAmbient();
  private SimulatedUpstream alpha;
  private RunningGateway running;
  private HttpHost host;
  private OpenAIClient client;

  private static String example() throws IOException {
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/operating.md")));
    assertThat(example.find()).as("an example in docs/operating.md").isTrue();
    return example.group(1);
  }

  @BeforeEach
  void start() throws IOException {
    alpha =
        SimulatedUpstream.start(ambient)
            .script("voice-1", Script.builder().text(TEXT).chunks(5).build());
    String document =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "%1$s" },
            { "slug": "gamma", "protocol": "gemini", "base_url": "%1$s" } ],
          "models": [ %2$s ],
          "keys": [ { "name": "app", "key": "sk-app" } ] }
        """
            .formatted(alpha.baseUri(), example());
    GatewayConfig config =
        new ConfigReader(new JacksonCodec(), name -> null)
            .read(document.getBytes(StandardCharsets.UTF_8))
            .orThrow();
    running = RunningGateway.open(config, ambient, record -> {});
    host =
        HttpHost.start(
            running.gateway().wire()::handle,
            new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
            ambient);
    client =
        OpenAIOkHttpClient.builder()
            .baseUrl(host.uri().toString())
            .apiKey("sk-app")
            .maxRetries(0)
            .timeout(TIMEOUT)
            .build();
  }

  @AfterEach
  void stop() {
    host.close();
    running.close();
    alpha.close();
  }

  private static SpeechCreateParams.Builder request() {
    return SpeechCreateParams.builder()
        .model("acme/voice")
        .input("hello")
        .voice("alloy")
        .responseFormat(ResponseFormat.MP3);
  }

  @Test
  @DisplayName("gets every byte of the audio, its type and the id of the generation")
  void whole() throws IOException {
    try (HttpResponse answer = client.audio().speech().create(request().speed(1.25).build())) {
      assertThat(answer.headers().values("Content-Type")).containsExactly("audio/mpeg");
      assertThat(answer.headers().values("X-Generation-Id"))
          .singleElement()
          .asString()
          .startsWith("gen-");
      assertThat(answer.body().readAllBytes()).hasSize(TEXT.length() * FRAME);
    }
    assertThat(alpha.last().text()).contains("\"speed\":1.25", "\"model\":\"voice-1\"");
  }

  @Test
  @DisplayName("gets the first bytes while the upstream is still sending, and may then disconnect")
  void streamed() throws Exception {
    alpha.answerNextWith(
        Script.builder().text(TEXT).chunks(5).fault(new ScriptedFault.Stall(2)).build());
    try (HttpResponse answer = client.audio().speech().create(request().build())) {
      InputStream sound = answer.body();
      assertThat(sound.readNBytes(FRAME)).hasSize(FRAME).startsWith(0xff, 0xfb);
    }
    assertThat(alpha.awaitClientGone(TIMEOUT)).isTrue();
  }

  @Test
  @DisplayName("gets an error if the audio breaks off, so that it never looks complete")
  void cut() {
    alpha.answerNextWith(
        Script.builder().text(TEXT).chunks(5).fault(new ScriptedFault.Cut(3)).build());
    try (HttpResponse answer = client.audio().speech().create(request().build())) {
      InputStream sound = answer.body();
      assertThatThrownBy(sound::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  @Test
  @DisplayName("throws its own exceptions for refusals")
  void refused() {
    var missing = request().model("acme/nothing").build();
    assertThatThrownBy(() -> client.audio().speech().create(missing))
        .isInstanceOf(BadRequestException.class);
    alpha.answerNextWith(Script.status(500));
    assertThatThrownBy(() -> client.audio().speech().create(request().build()))
        .isInstanceOf(InternalServerException.class);
  }

  @Test
  @DisplayName("would see a reset over HTTP/1.0, which has no chunks, if the audio breaks off")
  void withoutChunks() throws IOException {
    alpha.answerNextWith(
        Script.builder().text(TEXT).chunks(5).fault(new ScriptedFault.Cut(3)).build());
    try (var socket = new Socket("127.0.0.1", host.uri().getPort())) {
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      String head =
          "POST /api/v1/audio/speech HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer sk-app\r\n"
              + "Content-Length: "
              + BODY.length()
              + "\r\n\r\n";
      socket.getOutputStream().write((head + BODY).getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertThatThrownBy(in::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reset");
    }
  }
}
