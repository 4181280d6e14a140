package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.MultipartField;
import com.openai.errors.BadRequestException;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams;
import com.openai.models.audio.transcriptions.TranscriptionCreateResponse;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
@DisplayName("The OpenAI client library for transcriptions")
class OpenAiTranscriptionsTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Transcriptions\n.*?```json\n(.*?)```", Pattern.DOTALL);

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
            .script("hear-1", Script.builder().text("what was said").tokens(5, 0).build());
    String document =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
          "models": [ %s ],
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
            .timeout(Duration.ofSeconds(20))
            .build();
  }

  @AfterEach
  void stop() {
    host.close();
    running.close();
    alpha.close();
  }

  private static TranscriptionCreateParams.Builder request(byte[] sound) {
    return TranscriptionCreateParams.builder()
        .model("acme/hear")
        .file(
            MultipartField.<InputStream>builder()
                .value(new ByteArrayInputStream(sound))
                .filename("speech.mp3")
                .build());
  }

  @Test
  @DisplayName("sends a recording as a form, and gets its text")
  void text() {
    TranscriptionCreateResponse answer =
        client
            .audio()
            .transcriptions()
            .create(request(new byte[4096]).language("en").temperature(0.2).build());
    assertThat(answer.asTranscription().text()).isEqualTo("what was said");
    assertThat(alpha.last().text()).contains("name=\"language\"", "name=\"temperature\"");
    assertThat(alpha.last().body().length).isGreaterThan(4096);
  }

  @Test
  @DisplayName("throws its own exception for an invalid request")
  void wrong() {
    var empty = request(new byte[0]).build();
    assertThatThrownBy(() -> client.audio().transcriptions().create(empty))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("/file");
  }
}
