package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.BadRequestException;
import com.openai.models.embeddings.CreateEmbeddingResponse;
import com.openai.models.embeddings.EmbeddingCreateParams;
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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests over real HTTP, with the example of a model in {@code docs/operating.md}. */
@DisplayName("The OpenAI client library for embeddings")
class OpenAiEmbeddingsTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("## Embeddings\n.*?```json\n(.*?)```", Pattern.DOTALL);

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
            .script("embed-large", Script.builder().tokens(5, 0).build());
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

  private static EmbeddingCreateParams.Builder request() {
    return EmbeddingCreateParams.builder().model("acme/embed");
  }

  @Test
  @DisplayName("gets one embedding for each text, in order, and the usage")
  void texts() {
    CreateEmbeddingResponse answer =
        client
            .embeddings()
            .create(request().inputOfArrayOfStrings(List.of("one", "two", "three")).build());
    assertThat(answer.data()).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(answer.data().get(i).index()).isEqualTo(i);
      assertThat(answer.data().get(i).embedding()).hasSize(4);
    }
    assertThat(answer.data().get(0).embedding()).isNotEqualTo(answer.data().get(1).embedding());
    assertThat(answer.model()).isEqualTo("acme/embed");
    assertThat(answer.usage().promptTokens()).isEqualTo(5);
    assertThat(answer.usage().totalTokens()).isEqualTo(5);
  }

  @Test
  @DisplayName("gets embeddings with the requested dimensions, of a text and of tokens")
  void dimensions() {
    CreateEmbeddingResponse answer =
        client.embeddings().create(request().input("hello").dimensions(16).build());
    assertThat(answer.data().getFirst().embedding()).hasSize(16);
    assertThat(
            client
                .embeddings()
                .create(request().inputOfArrayOfTokens(List.of(1L, 2L, 3L)).build())
                .data())
        .hasSize(1);
  }

  @Test
  @DisplayName("throws its own exception for an unknown model")
  void noModel() {
    var missing = EmbeddingCreateParams.builder().model("acme/nothing").input("x").build();
    assertThatThrownBy(() -> client.embeddings().create(missing))
        .isInstanceOf(BadRequestException.class);
  }
}
