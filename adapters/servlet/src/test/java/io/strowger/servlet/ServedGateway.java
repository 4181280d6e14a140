package io.strowger.servlet;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A gateway in a container, and its upstream. A request for at most 100 tokens holds $0.1 of the $1
 * that the key may spend.
 */
final class ServedGateway implements AutoCloseable {
  static final String KEY = "sk-app-secret";
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** The largest body that the gateway accepts. */
  static final int MAX_BYTES = 10_000;

  final SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient());
  final BlockingQueue<CallRecord> records = new LinkedBlockingQueue<>();
  final Gateway gateway;
  final Container.Running container;

  ServedGateway(Container container, Container.Settings settings) {
    this(container, settings, Duration.ofSeconds(30));
  }

  ServedGateway(Container container, Container.Settings settings, Duration drain) {
    GatewayConfig config =
        GatewayConfig.builder()
            .provider("alpha", "openai-chat", upstream.baseUri().toString(), p -> p.apiKey("a"))
            .model(
                "acme/large",
                m -> m.endpoint("alpha", e -> e.upstreamModel("m").usdPerMillion("0", "1000")))
            .key("app", KEY, k -> k.limit("1"))
            .set("/server/max_request_bytes", Json.of(MAX_BYTES))
            .build();
    gateway = Gateway.builder(config).provider(new OpenAiChatFactory()).sink(records::add).build();
    try {
      this.container = container.start(settings, new GatewayServlet(gateway, drain));
    } catch (RuntimeException e) {
      gateway.close();
      upstream.close();
      throw e;
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + container.port() + Container.ROOT + path);
  }

  HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(uri(path))
        .timeout(TIMEOUT.multipliedBy(2))
        .header("Authorization", "Bearer " + KEY)
        .header("Content-Type", "application/json");
  }

  /** Returns a chat request for at most this many tokens. */
  HttpRequest chat(int tokens, boolean stream) {
    return to("/chat/completions").POST(BodyPublishers.ofString(body(tokens, stream))).build();
  }

  static String body(int tokens, boolean stream) {
    return "{\"model\":\"acme/large\",\"stream\":%b,\"max_tokens\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
        .formatted(stream, tokens);
  }

  @Override
  public void close() {
    container.close();
    gateway.close();
    upstream.close();
  }
}
