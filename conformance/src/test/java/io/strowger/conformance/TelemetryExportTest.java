package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.secret.SecretKeySource;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.server.TraceExport;
import io.strowger.providers.simulated.Script;
import io.strowger.providers.simulated.SimulatedUpstream;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The host's gateway, and a collector on loopback. */
@DisplayName("Traces that are exported")
class TelemetryExportTest {
  /** What a collector received. */
  private record Batch(String path, String type, String body) {}

  private final SystemAmbient ambient = new SystemAmbient();
  private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
  private SimulatedUpstream upstream;
  private HttpServer collector;

  @BeforeEach
  void start() throws IOException {
    upstream = SimulatedUpstream.start(ambient).script("large", Script.answer("Hello from afar"));
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          batches.add(
              new Batch(
                  exchange.getRequestURI().getPath(),
                  exchange.getRequestHeaders().getFirst("Content-Type"),
                  new String(body, StandardCharsets.ISO_8859_1)));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void stop() {
    collector.stop(0);
    upstream.close();
  }

  private void ask(String otlp) throws IOException {
    var config =
        new ConfigReader(new JacksonCodec(), name -> null)
            .read(Fixtures.config(upstream.baseUri().toString()).getBytes(StandardCharsets.UTF_8))
            .orThrow();
    try (TraceExport export = TraceExport.to(otlp);
        var running =
            RunningGateway.open(
                config,
                ambient,
                new RunningGateway.Companions(null, SecretKeySource.NONE, null, export.tracer()))) {
      WireResponse response =
          running
              .gateway()
              .wire()
              .handle(
                  new WireRequest(
                      "POST",
                      "/chat/completions",
                      "",
                      name ->
                          name.equalsIgnoreCase("authorization")
                              ? "Bearer " + Fixtures.APP_KEY
                              : null,
                      new ByteArrayInputStream(Fixtures.CHAT.getBytes(StandardCharsets.UTF_8)),
                      new Cancellation()));
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      }
      assertThat(out.toString(StandardCharsets.UTF_8)).contains("Hello from afar");
    }
  }

  @Test
  @DisplayName("reach the collector over OTLP when the host ends, and say nothing that is secret")
  void exported() throws IOException {
    ask("http://127.0.0.1:" + collector.getAddress().getPort());
    assertThat(batches).hasSize(1);
    Batch batch = batches.element();
    assertThat(batch.path()).isEqualTo("/v1/traces");
    assertThat(batch.type()).isEqualTo("application/x-protobuf");
    assertThat(batch.body())
        .contains("service.name", "strowger", "chat acme/large", "chat large", "gen_ai.usage")
        .doesNotContain("Hello", "sk-");
    assertThat(upstream.last().header("traceparent")).matches("00-.{32}-.{16}-0[13]");
  }

  @Test
  @DisplayName("cost spans and nothing else where the collector refuses them")
  void refused() throws IOException {
    int port = collector.getAddress().getPort();
    collector.stop(0);
    ask("http://127.0.0.1:" + port + "/");
    assertThat(batches).isEmpty();
  }
}
