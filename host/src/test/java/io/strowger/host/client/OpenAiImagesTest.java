package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.BadRequestException;
import com.openai.models.images.ImageGenerateParams;
import com.openai.models.images.ImagesResponse;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
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
@DisplayName("The OpenAI client library for images")
class OpenAiImagesTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Images\n.*?```json\n(.*?)```", Pattern.DOTALL);

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
        SimulatedUpstream.start(ambient).script("paint-1", Script.builder().tokens(5, 80).build());
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

  @Test
  @DisplayName("gets the images it asks for, and the usage")
  void pictures() {
    ImagesResponse answer =
        client
            .images()
            .generate(
                ImageGenerateParams.builder().model("acme/paint").prompt("a cat").n(2L).build());
    assertThat(answer.data()).hasValueSatisfying(data -> assertThat(data).hasSize(2));
    assertThat(answer.data().orElseThrow().getFirst().b64Json())
        .hasValueSatisfying(base64 -> assertThat(base64).startsWith("iVBOR"));
    assertThat(answer.created()).isPositive();
    assertThat(answer.validate().usage().orElseThrow().totalTokens()).isEqualTo(85);
  }

  @Test
  @DisplayName("throws its own exception for an invalid request")
  void wrong() {
    var many = ImageGenerateParams.builder().model("acme/paint").prompt("a cat").n(11L).build();
    assertThatThrownBy(() -> client.images().generate(many))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("/n");
  }
}
