package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Readiness;
import io.strowger.core.wire.WireResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The probes of a host")
class ProbesTest {
  private final AtomicReference<Readiness> readiness = new AtomicReference<>(Readiness.READY);
  private final Probes probes = new Probes(readiness::get);

  private WireResponse probe(String path) {
    return Objects.requireNonNull(probes.answer("GET", path), path);
  }

  private static String body(WireResponse answer) throws IOException {
    var out = new ByteArrayOutputStream();
    while (answer.body().writeNext(out)) {
      // until nothing is left
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("report that the process is alive, ready or not")
  void live(Readiness now) throws IOException {
    readiness.set(now);
    assertThat(probe("/livez").status()).isEqualTo(200);
    assertThat(body(probe("/livez"))).isEqualTo("{\"status\":\"ok\"}");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("report whether requests are served, and the reason if they are not")
  void ready(Readiness now) throws IOException {
    readiness.set(now);
    WireResponse answer = probe("/readyz");
    if (now == Readiness.READY) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(body(answer)).isEqualTo("{\"status\":\"ready\"}");
    } else {
      assertThat(answer.status()).isEqualTo(503);
      assertThat(body(answer))
          .contains("\"status\":\"not ready\"", "\"reason\":\"" + now.reason() + "\"");
    }
  }

  @Test
  @DisplayName("report that the host drains before any other reason")
  void draining() throws IOException {
    probes.drain();
    assertThat(probe("/readyz").status()).isEqualTo(503);
    assertThat(body(probe("/readyz"))).contains("\"reason\":\"draining\"");
    readiness.set(Readiness.STORE_UNAVAILABLE);
    assertThat(body(probe("/readyz"))).contains("\"reason\":\"draining\"");
    assertThat(probe("/livez").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/livez/x", "/api/v1", "/api/v1/health", "/api/v1/livezz", "readyz"})
  @DisplayName("do not answer any other path")
  void others(String path) {
    assertThat(probes.answer("GET", path)).isNull();
  }

  @Test
  @DisplayName("are answered over HTTP without a key, at the root and below the API")
  void overHttp() throws Exception {
    var threads = new LiveThreads();
    var settings = new HttpHost.Settings("127.0.0.1", 0, 100_000, Duration.ofMillis(200));
    try (HttpHost host = HttpHost.start(new FakeApi(), readiness::get, settings, threads);
        var client = new RawClient(host.port())) {
      for (String root : new String[] {"", "/api/v1"}) {
        assertThat(client.get(root + "/livez").response().status()).isEqualTo(200);
        assertThat(client.get(root + "/readyz").response().status()).isEqualTo(200);
        readiness.set(Readiness.STARTING);
        RawClient.Response starting = client.get(root + "/readyz").response();
        assertThat(starting.status()).isEqualTo(503);
        assertThat(starting.header("content-type")).isEqualTo("application/json");
        assertThat(starting.header("cache-control")).isEqualTo("no-store");
        assertThat(starting.body()).contains("\"reason\":\"starting\"");
        readiness.set(Readiness.READY);
        RawClient.Response posted = client.post(root + "/readyz", "x").response();
        assertThat(posted.status()).isEqualTo(405);
        assertThat(posted.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
        RawClient.Response options =
            client.send(RawClient.request("OPTIONS", root + "/livez", "")).response();
        assertThat(options.status()).isEqualTo(200);
        assertThat(options.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(options.body()).isEmpty();
      }
    }
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }
}
