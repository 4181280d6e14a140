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

  private List<HttpContender> parties() {
    return List.of(
        HttpContender.direct(upstream.baseUri(), NO_TIME),
        HttpContender.relay(BlindRelay.uri(relay), NO_TIME),
        HttpContender.gateway("memory", host.uri(), NO_TIME, () -> 0));
  }

  @Test
  @DisplayName(
      "The relay passes on exactly what the upstream says, the gateway says the same words")
  void sameAnswers() throws IOException {
    for (Scenario scenario : Scenario.ALL) {
      String direct = answer(parties().get(0), scenario);
      assertThat(answer(parties().get(1), scenario)).isEqualTo(direct);
      String gateways = answer(parties().get(2), scenario);
      assertThat(occurrences(gateways, "word"))
          .isEqualTo(occurrences(direct, "word"))
          .isEqualTo(scenario.streaming() ? Upstream.CHUNKS : 25);
    }
  }

  @Test
  @DisplayName("Everybody has as many turns as the others, and every request reaches the upstream")
  void turns() throws Exception {
    Scenario scenario = Scenario.ALL.getFirst();
    long before = upstream.requests();
    List<InterleavedComparison.SerialResult> scores;
    try (var duel = new InterleavedComparison(scenario, parties())) {
      scores = duel.run(Duration.ofMillis(1));
    }
    int rounds = scores.getFirst().rounds().size();
    assertThat(rounds).isPositive();
    for (InterleavedComparison.SerialResult score : scores) {
      assertThat(score.allSamples().size()).isEqualTo(rounds * scenario.perRound());
    }
    long sent = 3L * rounds * scenario.perRound() + 3; // each is tried once first
    assertThat(upstream.requests() - before).isEqualTo(sent);
  }

  @Test
  @DisplayName("Under load, what was answered is counted")
  void load() throws Exception {
    try (var duel = new InterleavedComparison(Scenario.ALL.getFirst(), parties())) {
      long before = upstream.requests();
      InterleavedComparison.Load load = duel.saturate(2, 3, Duration.ofMillis(50));
      assertThat(load.perSecond()).isPositive();
      assertThat(upstream.requests()).isGreaterThan(before);
    }
  }

  @Test
  @DisplayName("An answer that is none stops the comparison and is shown")
  void refused() {
    var wrong =
        new HttpContender("wrong", URI.create(host.uri() + "/nowhere"), "", NO_TIME, () -> 0);
    assertThatThrownBy(() -> new InterleavedComparison(Scenario.ALL.getFirst(), List.of(wrong)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("wrong answered 404");
  }

  private static String answer(HttpContender party, Scenario scenario) throws IOException {
    try (HttpSession session = party.open(scenario)) {
      return session.text();
    }
  }

  private static int occurrences(String text, String word) {
    return text.split(word, -1).length - 1;
  }
}
