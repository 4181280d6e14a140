package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.OpenAIException;
import com.openai.errors.RateLimitException;
import com.openai.errors.UnauthorizedException;
import com.openai.errors.UnexpectedStatusCodeException;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
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
import io.strowger.spi.observe.CallRecord;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The OpenAI client library")
class OpenAiClientTest {
  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "openai-chat", "base_url": "${ALPHA}", "api_key": "upstream-secret" },
          { "slug": "beta", "protocol": "openai-chat", "base_url": "${BETA}" } ],
        "models": [
          { "id": "acme/large", "endpoints": [
            { "provider": "alpha", "upstream_model": "large", "pricing": { "prompt": "0.000001", "completion": "0.000002" } },
            { "provider": "beta", "upstream_model": "large", "pricing": { "prompt": "0.00001", "completion": "0.00002" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" }, { "name": "poor", "key": "sk-poor", "limit": 0.00001 } ] }
      """;

  private final Ambient ambient = new SystemAmbient();
  private final BlockingQueue<CallRecord> records = new LinkedBlockingQueue<>();
  private SimulatedUpstream alpha;
  private SimulatedUpstream beta;
  private RunningGateway running;
  private HttpHost host;
  private OpenAIClient client;

  @BeforeEach
  void start() throws IOException {
    alpha = SimulatedUpstream.start(ambient).script("large", Script.answer("Hello from alpha"));
    beta = SimulatedUpstream.start(ambient).script("large", Script.answer("Hello from beta"));
    Map<String, String> variables =
        Map.of("ALPHA", alpha.baseUri().toString(), "BETA", beta.baseUri().toString());
    GatewayConfig config =
        new ConfigReader(new JacksonCodec(), variables::get)
            .read(CONFIG.getBytes(StandardCharsets.UTF_8))
            .orThrow();
    running = RunningGateway.open(config, ambient, records::add);
    host =
        HttpHost.start(
            running.gateway().wire()::handle,
            new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
            ambient);
    client = client("sk-app");
  }

  @AfterEach
  void stop() {
    host.close();
    running.close();
    alpha.close();
    beta.close();
  }

  private OpenAIClient client(String key) {
    return OpenAIOkHttpClient.builder()
        .baseUrl(host.uri().toString())
        .apiKey(key)
        .maxRetries(0)
        .timeout(Duration.ofSeconds(20))
        .build();
  }

  /** Returns a request that goes to alpha first. */
  private static ChatCompletionCreateParams.Builder request() {
    return ChatCompletionCreateParams.builder()
        .model("acme/large")
        .addUserMessage("Hello?")
        .putAdditionalBodyProperty(
            "provider", JsonValue.from(Map.of("order", List.of("alpha", "beta"))));
  }

  private CallRecord record() throws InterruptedException {
    return Objects.requireNonNull(records.poll(10, TimeUnit.SECONDS), "no record");
  }

  @Test
  @DisplayName("reads an answer, its model and its usage")
  void answer() {
    ChatCompletion answer = client.chat().completions().create(request().build());
    assertThat(answer.choices().getFirst().message().content()).contains("Hello from alpha");
    assertThat(answer.choices().getFirst().finishReason())
        .isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
    assertThat(answer.model()).isEqualTo("acme/large");
    assertThat(answer.usage())
        .hasValueSatisfying(
            usage -> {
              assertThat(usage.promptTokens()).isEqualTo(10);
              assertThat(usage.completionTokens()).isEqualTo(8);
            });
    assertThat(alpha.last().header("Authorization")).isEqualTo("Bearer upstream-secret");
    assertThat(alpha.last().text()).contains("\"large\"").doesNotContain("provider", "sk-app");
  }

  @Test
  @DisplayName("reads a stream to its end, usage included when asked for")
  void stream() {
    var request =
        request()
            .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
            .build();
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request)) {
      List<ChatCompletionChunk> chunks = stream.stream().toList();
      assertThat(text(chunks)).isEqualTo("Hello from alpha");
      assertThat(chunks)
          .filteredOn(chunk -> !chunk.choices().isEmpty())
          .anySatisfy(
              chunk ->
                  assertThat(chunk.choices().getFirst().finishReason())
                      .contains(ChatCompletionChunk.Choice.FinishReason.STOP));
      assertThat(chunks.getLast().usage())
          .hasValueSatisfying(usage -> assertThat(usage.totalTokens()).isEqualTo(18));
    }
  }

  @Test
  @DisplayName("gets its answer from the next provider when the first fails, without noticing")
  void fallback() throws InterruptedException {
    alpha
        .answerNextWith(Script.status(500))
        .answerNextWith(Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD)));
    assertThat(
            client
                .chat()
                .completions()
                .create(request().build())
                .choices()
                .getFirst()
                .message()
                .content())
        .contains("Hello from beta");
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request().build())) {
      assertThat(text(stream.stream().toList())).isEqualTo("Hello from beta");
    }
    assertThat(record().endpoint()).isEqualTo("acme/large@beta");
  }

  @Test
  @DisplayName("gets tool calls as the model made them, whole and streamed")
  void tools() {
    Script weather =
        Script.builder().text("").toolCall("call_1", "weather", "{\"city\":\"Bern\"}").build();
    alpha.answerNextWith(weather).answerNextWith(weather);
    var request =
        request()
            .addFunctionTool(
                FunctionDefinition.builder()
                    .name("weather")
                    .parameters(
                        FunctionParameters.builder()
                            .putAdditionalProperty("type", JsonValue.from("object"))
                            .build())
                    .build())
            .build();
    var call =
        client
            .chat()
            .completions()
            .create(request)
            .choices()
            .getFirst()
            .message()
            .toolCalls()
            .orElseThrow()
            .getFirst()
            .asFunction();
    assertThat(call.id()).isEqualTo("call_1");
    assertThat(call.function().name()).isEqualTo("weather");
    assertThat(call.function().arguments()).isEqualTo("{\"city\":\"Bern\"}");
    assertThat(alpha.last().text()).contains("\"tools\"", "\"weather\"");
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request)) {
      String arguments =
          stream.stream()
              .flatMap(chunk -> chunk.choices().stream())
              .flatMap(choice -> choice.delta().toolCalls().stream().flatMap(List::stream))
              .flatMap(part -> part.function().flatMap(f -> f.arguments()).stream())
              .collect(Collectors.joining());
      assertThat(arguments).isEqualTo("{\"city\":\"Bern\"}");
    }
  }

  @Test
  @DisplayName("throws UnauthorizedException for a wrong key")
  void wrongKey() {
    assertThatThrownBy(() -> client("sk-nobody").chat().completions().create(request().build()))
        .isInstanceOf(UnauthorizedException.class);
    assertThat(alpha.requests()).isZero();
  }

  @Test
  @DisplayName("throws BadRequestException for a bad request, with every problem in the message")
  void badRequest() {
    var failure =
        catchThrowableOfType(
            BadRequestException.class,
            () ->
                client
                    .chat()
                    .completions()
                    .create(request().temperature(3).maxCompletionTokens(-1).build()));
    assertThat(failure.getMessage()).contains("/temperature", "/max_completion_tokens");
    assertThat(alpha.requests()).isZero();
  }

  @Test
  @DisplayName("throws an exception with status 402 when the key cannot pay for the request")
  void tooPoor() {
    var failure =
        catchThrowableOfType(
            UnexpectedStatusCodeException.class,
            () ->
                client("sk-poor")
                    .chat()
                    .completions()
                    .create(request().maxCompletionTokens(1000).build()));
    assertThat(failure.statusCode()).isEqualTo(402);
    assertThat(alpha.requests()).isZero();
  }

  @Test
  @DisplayName("throws RateLimitException when every provider reports a rate limit")
  void rateLimited() {
    alpha.answerNextWith(Script.status(429));
    beta.answerNextWith(Script.status(429));
    assertThatThrownBy(() -> client.chat().completions().create(request().build()))
        .isInstanceOf(RateLimitException.class);
  }

  @Test
  @DisplayName("throws InternalServerException when every provider fails")
  void allFail() {
    alpha.answerNextWith(Script.status(500));
    beta.answerNextWith(Script.status(503));
    assertThatThrownBy(() -> client.chat().completions().create(request().build()))
        .isInstanceOf(InternalServerException.class);
  }

  @Test
  @DisplayName("throws when a stream breaks after content, having delivered that content")
  void brokenStream() {
    alpha.answerNextWith(
        Script.builder().text("one two three four").fault(new ScriptedFault.Cut(2)).build());
    var seen = new StringBuilder();
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request().build())) {
      assertThatThrownBy(() -> stream.stream().forEach(chunk -> seen.append(text(List.of(chunk)))))
          .isInstanceOf(OpenAIException.class);
    }
    assertThat("one two three four").startsWith(seen.toString());
    assertThat(seen).isNotEmpty();
    assertThat(beta.requests()).isZero();
  }

  @Proves("chat.answer.cancel")
  @Test
  @DisplayName("ends the upstream's work when it closes a stream early, and pays for what it got")
  void cancel() throws InterruptedException {
    alpha.answerNextWith(
        Script.builder().text("one two three four").fault(new ScriptedFault.Stall(2)).build());
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request().build())) {
      assertThat(stream.stream().filter(chunk -> !text(List.of(chunk)).isEmpty()).findFirst())
          .isPresent();
    }
    assertThat(alpha.awaitClientGone(Duration.ofSeconds(10))).isTrue();
    CallRecord record = record();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    assertThat(record.cost().nanos()).isPositive();
  }

  private static String text(List<ChatCompletionChunk> chunks) {
    return chunks.stream()
        .flatMap(chunk -> chunk.choices().stream())
        .flatMap(choice -> choice.delta().content().stream())
        .collect(Collectors.joining());
  }
}
