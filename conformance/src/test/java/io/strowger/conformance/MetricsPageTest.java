package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.MetricsPage;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.LoadSnapshot.Breaker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.assertj.core.data.Offset;
import org.hawkular.agent.prometheus.PrometheusScraper;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests the page with the whole program on loopback; a library reads it as Prometheus would. */
@DisplayName("The metrics page")
class MetricsPageTest {
  private final Ambient ambient = new SystemAmbient();
  private final HttpClient client = HttpClient.newHttpClient();
  private SimulatedUpstream bad;
  private SimulatedUpstream good;
  private MetricsPage page;
  private RunningGateway running;
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    bad = SimulatedUpstream.start(ambient).script("large", Script.status(503));
    good = SimulatedUpstream.start(ambient).script("large", Script.answer("Hello from afar"));
    page = new MetricsPage(ambient);
    String config =
        Fixtures.twoProviders(bad.baseUri().toString(), good.baseUri().toString())
            .replaceFirst("\"timeouts\": \\{.*},", "") // no deadline is tested here
            .replace(
                "\"management\": false }",
                "\"management\": false }, { \"name\": \"admin\", \"key\": \"%s\", \"management\": true }"
                    .formatted(Fixtures.ADMIN_KEY))
            .stripTrailing();
    config =
        config.substring(0, config.lastIndexOf('}'))
            + """
            , "network": { "allow_private": ["127.0.0.1"] },
              "observability_destinations": [
                { "id": "traces", "name": "n", "type": "webhook", "config": { "url": "%s/none" } } ] }
            """
                .formatted(good.baseUri());
    running =
        RunningGateway.open(
            new ConfigReader(new JacksonCodec(), name -> null)
                .read(config.getBytes(StandardCharsets.UTF_8))
                .orThrow(),
            ambient,
            page.sink());
    page.watch(running.gateway());
    serve(running.api(by -> new ReloadResult.StoreUnavailable(), page));
  }

  private void serve(Function<WireRequest, WireResponse> api) throws IOException {
    host =
        HttpHost.start(
            api,
            running.gateway()::readiness,
            page,
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                1 << 20,
                Duration.ofMillis(200),
                Duration.ZERO,
                Duration.ofSeconds(30),
                null,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            ambient);
  }

  @AfterEach
  void stop() {
    client.close();
    host.close();
    running.close();
    page.close();
    bad.close();
    good.close();
  }

  private HttpResponse<String> get(URI uri, String key) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (!key.isEmpty()) {
      request.header("authorization", "Bearer " + key);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private URI admin(String path) {
    return URI.create("http://127.0.0.1:" + host.adminPort() + path);
  }

  private void ask(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      String body =
          Fixtures.CHAT.replace(
              "\"messages\"", "\"provider\":{\"order\":[\"bad\",\"good\"]},\"messages\"");
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(host.uri() + "/chat/completions"))
                  .header("authorization", "Bearer " + Fixtures.APP_KEY)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
    awaitCounted(times);
  }

  /**
   * Waits until the calls are counted, which happens a moment after clients see the end of an
   * answer.
   */
  private void awaitCounted(int times) throws IOException {
    long deadline = ambient.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (ambient.nanoTime() < deadline) {
      boolean counted =
          scrape().stream()
              .filter(family -> family.getName().equals("strowger_requests_total"))
              .flatMap(family -> family.getMetrics().stream())
              .anyMatch(metric -> ((Counter) metric).getValue() == times);
      if (counted) {
        return;
      }
    }
    throw new AssertionError(times + " requests were not counted");
  }

  private List<MetricFamily> scrape() throws IOException {
    return new PrometheusScraper(admin("/metrics").toURL()).scrape();
  }

  private static Metric metric(List<MetricFamily> all, String name, Map<String, String> labels) {
    return all.stream()
        .filter(family -> family.getName().equals(name))
        .flatMap(family -> family.getMetrics().stream())
        .filter(metric -> metric.getLabels().entrySet().containsAll(labels.entrySet()))
        .reduce(
            (one, other) -> {
              throw new AssertionError("more than one " + name + labels);
            })
        .orElseThrow(() -> new AssertionError("no " + name + labels + " in " + all));
  }

  private static double counter(List<MetricFamily> all, String name, Map<String, String> labels) {
    return ((Counter) metric(all, name, labels)).getValue();
  }

  private static double gauge(List<MetricFamily> all, String name, Map<String, String> labels) {
    return ((Gauge) metric(all, name, labels)).getValue();
  }

  @Test
  @DisplayName("counts requests, attempts, times, tokens and money, and shows what is in progress")
  void counts() throws Exception {
    ask(3);
    List<MetricFamily> all = scrape();
    assertThat(
            counter(
                all,
                "strowger_requests_total",
                Map.of("operation", "chat", "model", "acme/large", "outcome", "complete")))
        .isEqualTo(3);
    Map<String, String> toGood = Map.of("endpoint", "acme/large@good", "provider", "good");
    assertThat(counter(all, "strowger_attempts_total", toGood)).isEqualTo(3);
    assertThat(
            counter(
                all,
                "strowger_attempts_total",
                Map.of("endpoint", "acme/large@bad", "failure", "overloaded")))
        .isEqualTo(3);
    assertThat(counter(all, "strowger_tokens_total", Map.of("type", "input"))).isEqualTo(30);
    assertThat(counter(all, "strowger_tokens_total", Map.of("type", "output"))).isEqualTo(24);
    assertThat(counter(all, "strowger_cost_usd_total", toGood))
        .isCloseTo(3 * 26e-6, Offset.offset(1e-12));
    assertThat(counter(all, "strowger_holds_granted_total", Map.of())).isEqualTo(3);
    var times = (Histogram) metric(all, "strowger_request_duration_seconds", Map.of());
    assertThat(times.getSampleCount()).isEqualTo(3);
    assertThat(times.getBuckets()).hasSize(14);
    assertThat(
            ((Histogram) metric(all, "strowger_request_first_content_seconds", Map.of()))
                .getSampleCount())
        .isEqualTo(3);
    assertThat(gauge(all, "strowger_requests_queued", Map.of())).isZero();
    assertThat(gauge(all, "strowger_holds", Map.of())).isZero();
    assertThat(gauge(all, "strowger_holds_usd", Map.of())).isZero();
    assertThat(counter(all, "strowger_refusals_total", Map.of("reason", "queue_full"))).isZero();
  }

  @Test
  @DisplayName("shows a breaker that is open")
  void breakers() throws Exception {
    ask(6);
    assertThat(running.gateway().load().endpoints())
        .hasEntrySatisfying(
            "acme/large@bad", one -> assertThat(one.breaker()).isEqualTo(Breaker.OPEN));
    List<MetricFamily> all = List.of();
    long deadline = ambient.nanoTime() + Duration.ofSeconds(10).toNanos();
    do { // gauges are read from the gateway at most once a second
      all = scrape();
    } while (gauge(all, "strowger_breakers", Map.of("state", "open")) != 1
        && ambient.nanoTime() < deadline);
    assertThat(gauge(all, "strowger_breakers", Map.of("state", "open"))).isEqualTo(1);
    assertThat(gauge(all, "strowger_endpoint_breaker", Map.of("endpoint", "acme/large@bad")))
        .isEqualTo(2);
    assertThat(gauge(all, "strowger_endpoint_breaker", Map.of("endpoint", "acme/large@good")))
        .isZero();
  }

  @Test
  @DisplayName("shows the calls that destinations delivered, dropped or have queued")
  void destinations() throws Exception {
    ask(3); // the upstream has no such page and answers 404
    Map<String, String> refused =
        Map.of("destination", "traces", "type", "webhook", "reason", "refused");
    Map<String, String> traces = Map.of("destination", "traces", "type", "webhook");
    List<MetricFamily> all = List.of();
    long deadline = ambient.nanoTime() + Duration.ofSeconds(10).toNanos();
    do { // the gateway is asked at most once a second
      all = scrape();
    } while ((counter(all, "strowger_destination_dropped_total", refused) != 3
            || counter(all, "strowger_destination_failed_requests_total", traces) == 0
            || gauge(all, "strowger_destination_queue_calls", traces) != 0
            || gauge(all, "strowger_destination_queue_bytes", traces) != 0)
        && ambient.nanoTime() < deadline); // a page may be written while they change
    assertThat(counter(all, "strowger_destination_dropped_total", refused)).isEqualTo(3);
    assertThat(counter(all, "strowger_destination_delivered_total", traces)).isZero();
    assertThat(counter(all, "strowger_destination_failed_requests_total", traces)).isPositive();
    assertThat(gauge(all, "strowger_destination_failing", traces)).isEqualTo(1);
    assertThat(gauge(all, "strowger_destination_queue_calls", traces)).isZero();
    assertThat(gauge(all, "strowger_destination_queue_bytes", traces)).isZero();
  }

  @Test
  @DisplayName("is served without a key on the admin address, as text that must not be cached")
  void adminAddress() throws Exception {
    HttpResponse<String> text = get(admin("/metrics"), "");
    assertThat(text.statusCode()).isEqualTo(200);
    assertThat(text.headers().firstValue("content-type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(text.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(text.body()).doesNotContain("sk-", "\"app\"");
  }

  @Test
  @DisplayName(
      "is served on the public address only if that is enabled, and then only to management keys")
  void publicAddress() throws Exception {
    assertThat(get(URI.create(host.uri() + "/metrics"), Fixtures.ADMIN_KEY).statusCode())
        .isEqualTo(404);
    URI shown = URI.create(host.uri() + "/admin/metrics");
    assertThat(get(shown, "").statusCode()).isEqualTo(401);
    assertThat(get(shown, Fixtures.APP_KEY).statusCode()).isEqualTo(403);
    assertThat(get(shown, Fixtures.ADMIN_KEY).body()).contains("# TYPE strowger_holds gauge");
    host.close();
    serve(running.api(by -> new ReloadResult.StoreUnavailable()));
    assertThat(get(URI.create(host.uri() + "/admin/metrics"), Fixtures.ADMIN_KEY).statusCode())
        .isEqualTo(404);
  }

  @Test
  @DisplayName("has the names that docs/telemetry.md lists, and no others")
  void names() throws Exception {
    ask(1);
    String documented = Files.readString(Path.of("../docs/telemetry.md"));
    var listed = new TreeSet<String>();
    for (String word : documented.split("`")) {
      if (word.matches("strowger_[a-z_]+")) {
        listed.add(word);
      }
    }
    var served = new TreeSet<String>();
    for (MetricFamily family : scrape()) {
      if (!family.getName().endsWith("_seconds_max")) { // the maximum beside each histogram
        served.add(family.getName());
      }
    }
    assertThat(served).isEqualTo(listed);
  }
}
