package io.strowger.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.WebServer;
import io.strowger.benchmarks.EmbeddedGateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.host.server.HttpHost;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.SimulatedUpstream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InterleavedComparisonTest {
  private static final Supplier<ProcessUsage> NO_TIME = () -> ProcessUsage.NONE;

  private SimulatedUpstream upstream;
  private WebServer relay;
  private ApacheTransport transport;
  private EmbeddedGateway gateway;
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    upstream = Upstream.start();
    relay = BlindRelay.start(upstream.baseUri() + "/chat/completions");
    transport = new ApacheTransport();
    gateway = new EmbeddedGateway(transport, upstream.baseUri(), Upstream.SHORT, Upstream.LONG);
    var settings = new HttpHost.Settings("127.0.0.1", 0, 1 << 20, Duration.ofSeconds(1));
    host = HttpHost.start(gateway::handle, settings, new SystemAmbient());
  }

  @AfterEach
  void stop() {
    host.close();
    gateway.close();
    transport.close();
    relay.stop();
    upstream.close();
  }

  private List<HttpContender> contenders() {
    return List.of(
        HttpContender.direct(upstream.baseUri(), NO_TIME),
        HttpContender.relay(BlindRelay.uri(relay), NO_TIME),
        HttpContender.gateway("memory", host.uri(), NO_TIME, () -> 0));
  }

  @Test
  @DisplayName(
      "The relay returns exactly the upstream's answer, and the gateway an answer with the same"
          + " words")
  void sameAnswers() throws IOException {
    for (Scenario scenario : Scenario.ALL) {
      String direct = answer(contenders().get(0), scenario);
      assertThat(answer(contenders().get(1), scenario)).isEqualTo(direct);
      String fromGateway = answer(contenders().get(2), scenario);
      assertThat(occurrences(fromGateway, "word"))
          .isEqualTo(occurrences(direct, "word"))
          .isEqualTo(scenario.streaming() ? Upstream.CHUNKS : 25);
    }
  }

  @Test
  @DisplayName(
      "All contenders have the same number of rounds, and every request reaches the upstream")
  void rounds() throws Exception {
    Scenario scenario = Scenario.ALL.getFirst();
    long before = upstream.requests();
    List<InterleavedComparison.SerialResult> results;
    try (var comparison = new InterleavedComparison(scenario, contenders())) {
      results = comparison.run(Duration.ofMillis(1));
    }
    int rounds = results.getFirst().rounds().size();
    assertThat(rounds).isPositive();
    for (InterleavedComparison.SerialResult result : results) {
      assertThat(result.allSamples().size()).isEqualTo(rounds * scenario.perRound());
    }
    long sent = 3L * rounds * scenario.perRound() + 3; // each contender is first tried once
    assertThat(upstream.requests() - before).isEqualTo(sent);
  }

  @Test
  @DisplayName("Under load, the answers are counted")
  void load() throws Exception {
    try (var comparison = new InterleavedComparison(Scenario.ALL.getFirst(), contenders())) {
      long before = upstream.requests();
      InterleavedComparison.Load load = comparison.saturate(2, 3, Duration.ofMillis(50));
      assertThat(load.perSecond()).isPositive();
      assertThat(upstream.requests()).isGreaterThan(before);
    }
  }

  @Test
  @DisplayName("An error as an answer stops the comparison and is reported")
  void refused() {
    var wrong =
        new HttpContender("wrong", URI.create(host.uri() + "/nowhere"), "", NO_TIME, () -> 0);
    assertThatThrownBy(() -> new InterleavedComparison(Scenario.ALL.getFirst(), List.of(wrong)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("wrong answered 404");
  }

  private static String answer(HttpContender contender, Scenario scenario) throws IOException {
    try (HttpSession session = contender.open(scenario)) {
      return session.text();
    }
  }

  private static int occurrences(String text, String word) {
    return text.split(word, -1).length - 1;
  }
}
