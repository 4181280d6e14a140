package io.strowger.host.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.ServerTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole gateway on a free port, with one simulated upstream. Each model is requested from the
 * upstream in another dialect.
 */
final class LoopbackGateway implements AutoCloseable {
  static final String OVER_CHAT = "acme/over-chat";
  static final String OVER_RESPONSES = "acme/over-responses";
  static final String OVER_MESSAGES = "acme/over-messages";
  static final String OVER_GEMINI = "acme/over-gemini";

  /** A key that may use every model. */
  static final String KEY = "sk-app";

  /** A key with almost no credit. */
  static final String POOR_KEY = "sk-poor";

  static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "chat", "protocol": "openai-chat", "base_url": "${UPSTREAM}", "api_key": "upstream-secret" },
          { "slug": "responses", "protocol": "openai-responses", "base_url": "${UPSTREAM}", "api_key": "upstream-secret" },
          { "slug": "messages", "protocol": "anthropic-messages", "base_url": "${UPSTREAM}", "api_key": "upstream-secret" },
          { "slug": "gemini", "protocol": "gemini", "base_url": "${UPSTREAM}", "api_key": "upstream-secret" } ],
        "models": [
          { "id": "acme/over-chat", "endpoints": [ { "provider": "chat", "upstream_model": "large",
            "input_modalities": ["text", "image"], "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
          { "id": "acme/over-responses", "endpoints": [ { "provider": "responses", "upstream_model": "large",
            "input_modalities": ["text", "image"], "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
          { "id": "acme/over-messages", "endpoints": [ { "provider": "messages", "upstream_model": "large",
            "input_modalities": ["text", "image"], "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
          { "id": "acme/over-gemini", "endpoints": [ { "provider": "gemini", "upstream_model": "large",
            "input_modalities": ["text", "image"], "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app" }, { "name": "poor", "key": "sk-poor", "limit": 0.00001 } ] }
      """;

  private final BlockingQueue<CallRecord> records = new LinkedBlockingQueue<>();
  private final SimulatedUpstream upstream;
  private final Gateway gateway;
  private final Runnable closeGateway;
  private final HttpHost host;

  LoopbackGateway() throws IOException {
    this(null);
  }

  /**
   * Starts a gateway.
   *
   * @param tool the only plugin or tool; null for all those of the program
   */
  LoopbackGateway(@Nullable ServerTool tool) throws IOException {
    Ambient ambient = new SystemAmbient();
    upstream = SimulatedUpstream.start(ambient);
    Map<String, String> variables = Map.of("UPSTREAM", upstream.baseUri().toString());
    GatewayConfig config =
        new ConfigReader(new JacksonCodec(), variables::get)
            .read(CONFIG.getBytes(StandardCharsets.UTF_8))
            .orThrow();
    if (tool == null) {
      RunningGateway running = RunningGateway.open(config, ambient, records::add);
      gateway = running.gateway();
      closeGateway = running::close;
    } else {
      gateway = withTool(config, ambient, tool);
      closeGateway = gateway::close;
    }
    host =
        HttpHost.start(
            gateway.wire()::handle,
            new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofMillis(200)),
            ambient);
  }

  private Gateway withTool(GatewayConfig config, Ambient ambient, ServerTool tool) {
    return Gateway.builder(config)
        .ambient(ambient)
        .plugins(Plugins.none().tool(tool))
        .provider(new OpenAiChatFactory())
        .provider(new OpenAiResponsesFactory())
        .provider(new AnthropicMessagesFactory())
        .provider(new GeminiFactory())
        .sink(records::add)
        .build();
  }

  /** Returns the models of the upstream dialects that also have a client library here. */
  static Stream<String> models() {
    return Stream.of(OVER_CHAT, OVER_RESPONSES, OVER_MESSAGES);
  }

  /** Returns the models of all upstream dialects. */
  static Stream<String> everyModel() {
    return Stream.concat(models(), Stream.of(OVER_GEMINI));
  }

  /** Returns the root of the API. */
  URI uri() {
    return host.uri();
  }

  SimulatedUpstream upstream() {
    return upstream;
  }

  /** Returns the body of the last request to the upstream. */
  JsonNode lastRequest() {
    try {
      return new ObjectMapper().readTree(upstream.last().body());
    } catch (IOException notJson) {
      throw new UncheckedIOException(notJson);
    }
  }

  /** Returns the record of the next finished call, and waits for it. */
  CallRecord record() throws InterruptedException {
    return Objects.requireNonNull(
        records.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS), "no call was recorded");
  }

  @Override
  public void close() {
    host.close();
    closeGateway.run();
    upstream.close();
  }
}
