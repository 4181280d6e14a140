package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.config.TelemetrySettings;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.server.TraceExport;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the host's gateway with a collector on loopback. */
@DisplayName("Traces that are exported")
class TelemetryExportTest {
  /** A request that the collector received. */
  private record Batch(
      String target, String type, String authorization, ExportTraceServiceRequest spans) {}

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

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
          batches.add(
              new Batch(
                  exchange.getRequestURI().toString(),
                  exchange.getRequestHeaders().getFirst("Content-Type"),
                  String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                  ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())));
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

  private String address(String rest) {
    return "http://127.0.0.1:" + collector.getAddress().getPort() + rest;
  }

  private void ask(String otlp) throws IOException {
    ask(new TelemetrySettings.Traces(otlp, Map.of(), 1, true));
  }

  private void ask(TelemetrySettings.Traces traces) throws IOException {
    var config =
        new ConfigReader(new JacksonCodec(), name -> null)
            .read(Fixtures.config(upstream.baseUri().toString()).getBytes(StandardCharsets.UTF_8))
            .orThrow();
    try (TraceExport export = TraceExport.to(traces, ambient);
        var running =
            RunningGateway.open(
                config,
                ambient,
                new RunningGateway.HostResources(
                    null, SecretKeySource.NONE, null, export.tracer()))) {
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
                          switch (name.toLowerCase(Locale.ROOT)) {
                            case "authorization" -> "Bearer " + Fixtures.APP_KEY;
                            case "traceparent" -> "00-" + TRACE + "-b7ad6b7169203331-01";
                            default -> null;
                          },
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
  @DisplayName("reach the collector over OTLP when the host stops, and contain no secrets")
  void exported() throws IOException {
    ask(address(""));
    assertThat(batches).hasSize(1);
    Batch batch = batches.element();
    assertThat(batch.target()).isEqualTo("/v1/traces");
    assertThat(batch.type()).isEqualTo("application/x-protobuf");
    assertThat(batch.spans().getResourceSpansList()).hasSize(1);
    ResourceSpans resourceSpans = batch.spans().getResourceSpans(0);
    assertThat(resourceSpans.getResource().getAttributesList())
        .extracting(KeyValue::getKey)
        .contains("service.name", "service.instance.id");
    List<Span> spans =
        resourceSpans.getScopeSpansList().stream()
            .flatMap(scope -> scope.getSpansList().stream())
            .toList();
    assertThat(spans)
        .extracting(Span::getName)
        .containsExactlyInAnyOrder("chat acme/large", "chat large");
    assertThat(spans)
        .allSatisfy(
            span ->
                assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray()))
                    .isEqualTo(TRACE));
    assertThat(spans.stream().flatMap(span -> span.getAttributesList().stream()))
        .extracting(KeyValue::getKey)
        .contains("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens");
    assertThat(batch.spans().toString())
        .contains("strowger")
        .doesNotContain("Hello")
        .doesNotContain("sk-");
    assertThat(upstream.last().header("traceparent")).matches("00-.{32}-.{16}-0[13]");
  }

  @ParameterizedTest
  @CsvSource({
    "/, /v1/traces",
    "/v1/traces, /v1/traces",
    "/otlp/, /otlp/v1/traces",
    "/otlp?api=a%2Fb, /otlp/v1/traces?api=a%2Fb",
    "?api=b, /v1/traces?api=b"
  })
  @DisplayName("are sent below the path of the address, with its query")
  void target(String rest, String target) throws IOException {
    ask(address(rest));
    assertThat(batches).extracting(Batch::target).containsExactly(target);
  }

  @Test
  @DisplayName("are sent with the headers of the configuration")
  void headers() throws IOException {
    ask(
        new TelemetrySettings.Traces(
            address(""), Map.of("Authorization", "Basic dXNlcjpwYXNz"), 1, true));
    assertThat(batches).extracting(Batch::authorization).containsExactly("Basic dXNlcjpwYXNz");
    assertThat(upstream.last().header("authorization")).doesNotContain("dXNlcjpwYXNz");
  }

  @Test
  @DisplayName(
      "follow the caller's sampling decision, unless that is switched off and the ratio decides")
  void sampled() throws IOException {
    ask(new TelemetrySettings.Traces(address(""), Map.of(), 0, true));
    assertThat(batches).as("traces; the caller samples this one").hasSize(1);
    assertThat(upstream.last().header("traceparent")).contains(TRACE);
    ask(new TelemetrySettings.Traces(address(""), Map.of(), 0, false));
    assertThat(batches).as("traces; the ratio is 0").hasSize(1);
    assertThat(upstream.last().header("traceparent"))
        .matches("00-(?!" + TRACE + ").{32}-.{16}-0[02]");
    ask(new TelemetrySettings.Traces(address(""), Map.of(), 1, false));
    assertThat(batches).hasSize(2);
    assertThat(upstream.last().header("traceparent"))
        .matches("00-(?!" + TRACE + ").{32}-.{16}-0[13]");
  }

  @Test
  @DisplayName("are lost if the collector cannot be reached, and the request is still served")
  void refused() throws IOException {
    String gone = address("/");
    collector.stop(0);
    ask(gone);
    assertThat(batches).isEmpty();
  }
}
