package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The whole program on loopback, which may send to 127.0.0.1 and to no other address here. */
@DisplayName("Destinations of the whole program")
class DestinationsServedTest {
  private final SystemAmbient ambient = new SystemAmbient();
  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SimulatedUpstream upstream;
  private HttpServer receiver;
  private @Nullable RunningGateway running;

  /** What a receiver was sent. */
  private record Received(String method, URI uri, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  @BeforeEach
  void start() throws IOException {
    upstream = SimulatedUpstream.start(ambient);
    upstream.script("large", Script.answer("Hello from afar"));
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    receiver.setExecutor(threads);
    receiver.createContext("/", this::receive);
    receiver.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    if (running != null) {
      running.close();
    }
    receiver.stop(0);
    threads.close();
    upstream.close();
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    var headers = new HashMap<String, String>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    URI uri = exchange.getRequestURI();
    received.add(new Received(exchange.getRequestMethod(), uri, headers, body));
    int status = 200;
    if (uri.getPath().startsWith("/hang")) {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    } else if (uri.getPath().startsWith("/fail")) {
      status = 401;
    } else if (uri.getPath().startsWith("/redirect")) {
      exchange
          .getResponseHeaders()
          .add("Location", "http://127.0.0.2:" + receiver.getAddress().getPort() + "/stolen");
      status = 302;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private String at(String path) {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
  }

  private void serve(String... destinations) {
    String config = Fixtures.config(upstream.baseUri().toString()).stripTrailing();
    config =
        config.substring(0, config.lastIndexOf('}'))
            + ",'store':{'secret_key':'"
            + Base64.getEncoder().encodeToString(new byte[32])
            + "'},'network':{'allow_private':['127.0.0.1']},'observability_destinations':["
            + String.join(",", destinations)
            + "]}";
    running =
        RunningGateway.open(
            new ConfigReader(new JacksonCodec(), name -> null)
                .read(config.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orThrow(),
            ambient);
  }

  private static String destination(String type, String config) {
    return "{'id':'%s','name':'n','type':'%s','broadcast_generation_cost':true,'config':{%s}}"
        .formatted(type + config.hashCode(), type, config);
  }

  private String send(String key, String method, String path, String body) {
    WireResponse response =
        running()
            .gateway()
            .wire()
            .handle(
                new WireRequest(
                    method,
                    path,
                    "",
                    name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + key : null,
                    new ByteArrayInputStream(
                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private void ask() {
    assertThat(send(Fixtures.APP_KEY, "POST", "/chat/completions", Fixtures.CHAT))
        .contains("Hello from afar");
  }

  private Received next() throws InterruptedException {
    return Objects.requireNonNull(received.poll(20, TimeUnit.SECONDS), "nothing was sent");
  }

  private RunningGateway running() {
    return Objects.requireNonNull(running, "nothing was started");
  }

  private DestinationCounts settled() {
    while (true) {
      DestinationCounts counts = running().gateway().destinations().getFirst();
      if (counts.queued() == 0) {
        return counts;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("are sent spans that a parser of OTLP reads")
  void otlp() throws Exception {
    serve(destination("langfuse", "'publicKey':'pk','secretKey':'sk','baseUrl':'" + at("") + "'"));
    ask();
    Received sent = next();
    assertThat(sent.method()).isEqualTo("POST");
    assertThat(sent.uri()).hasToString("/api/public/otel/v1/traces");
    assertThat(sent.headers())
        .containsEntry("Authorization", "Basic cGs6c2s=")
        .containsEntry("Content-type", "application/x-protobuf");
    var span =
        ExportTraceServiceRequest.parseFrom(sent.body())
            .getResourceSpans(0)
            .getScopeSpans(0)
            .getSpans(0);
    assertThat(span.getName()).isEqualTo("acme/large");
    assertThat(span.toString()).contains("Hello from afar").contains("gen_ai.usage.cost");
    assertThat(settled().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent each in the form of its type")
  void forms() throws InterruptedException {
    String port = at("");
    serve(
        destination("webhook", "'url':'" + at("/hook?key=k") + "','method':'PUT'"),
        destination("otel-collector", "'endpoint':'" + port + "'"),
        destination(
            "clickhouse",
            "'host':'" + port + "','database':'d','username':'u','password':'p','table':'t'"),
        destination(
            "s3",
            "'bucketName':'bucket','accessKeyId':'AK','secretAccessKey':'s','endpoint':'"
                + port
                + "'"),
        destination("snowflake", "'account':'" + port + "','token':'t'"),
        destination("datadog", "'apiKey':'k','mlApp':'bot','url':'" + port + "'"),
        destination("posthog", "'apiKey':'phc','endpoint':'" + port + "'"));
    ask();
    var paths = new HashMap<String, Received>();
    for (int i = 0; i < 7; i++) {
      Received sent = next();
      assertThat(sent.text()).contains("Hello from afar");
      String path = sent.uri().getPath();
      paths.put(path.substring(1, Math.min(path.length(), 5)), sent);
    }
    assertThat(paths).containsOnlyKeys("hook", "v1/t", "", "buck", "api/", "batc");
    assertThat(sent(paths, "hook").method()).isEqualTo("PUT");
    assertThat(sent(paths, "buck").method()).isEqualTo("PUT");
    assertThat(sent(paths, "buck").headers()).containsKey("Authorization");
    assertThat(sent(paths, "").uri().getQuery()).contains("INSERT INTO `t` FORMAT JSONEachRow");
  }

  private static Received sent(Map<String, Received> paths, String path) {
    return Objects.requireNonNull(paths.get(path), path);
  }

  @Test
  @DisplayName("that hang delay no call, and the program ends in time")
  void hangs() throws InterruptedException {
    serve(destination("webhook", "'url':'" + at("/hang") + "'"));
    for (int i = 0; i < 20; i++) {
      ask();
    }
    next();
    assertThat(running().gateway().destinations().getFirst().queued()).isEqualTo(20);
    RunningGateway closing = running();
    running = null;
    closing.close();
    DestinationCounts counts = closing.gateway().destinations().getFirst();
    assertThat(counts.queued()).isZero();
    assertThat(counts.droppedFailed()).isEqualTo(20);
  }

  @Test
  @DisplayName("that refuse, or lead on to a private address, lose their calls; nobody follows")
  void refuses() throws InterruptedException {
    serve(
        destination("webhook", "'url':'" + at("/redirect") + "'"),
        destination("webhook", "'url':'" + at("/fail") + "'"));
    ask();
    next();
    next();
    while (running().gateway().destinations().stream().anyMatch(one -> one.queued() > 0)) {
      Thread.onSpinWait();
    }
    assertThat(running().gateway().destinations())
        .allMatch(counts -> counts.droppedRefused() == 1 && counts.failing());
    assertThat(received).isEmpty();
  }

  @Test
  @DisplayName("at private addresses, or with a certificate nobody vouches for, are sent nothing")
  void unreachable() {
    TestAmbient secured = TestAmbient.realTime();
    serve();
    try (RawUpstream impostor =
        RawUpstream.start(secured, true, connection -> received.add(none(connection.readHead())))) {
      String elsewhere = "http://127.0.0.2:" + receiver.getAddress().getPort() + "/?key=k-secret";
      assertThat(tested(elsewhere)).contains("network rules").doesNotContain("secret");
      assertThat(tested("http://169.254.169.254/latest")).contains("network rules");
      assertThat(tested("http://127.0.0.1.nip.invalid/")).contains("no answer");
      assertThat(tested(impostor.baseUri().toString())).contains("no answer");
      ask();
      running().close();
      assertThat(running().gateway().destinations())
          .hasSize(4)
          .allMatch(counts -> counts.delivered() == 0 && counts.droppedFailed() == 1);
      running = null;
    } finally {
      secured.assertNoThreadsLeft();
    }
    assertThat(received).isEmpty();
  }

  private static Received none(String head) {
    return new Received(head, URI.create("/"), Map.of(), new byte[0]);
  }

  /** Makes a destination at an address, and tests the connection. */
  private String tested(String url) {
    String path = "/observability/destinations";
    String made =
        send(
            Fixtures.ADMIN_KEY,
            "POST",
            path,
            "{'name':'n','type':'webhook','config':{'url':'" + url + "'}}");
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(made);
    assertThat(id.find()).as(made).isTrue();
    String tested = send(Fixtures.ADMIN_KEY, "POST", path + "/" + id.group(1) + "/test", "");
    assertThat(tested).contains("\"passed\":false");
    return tested;
  }
}
