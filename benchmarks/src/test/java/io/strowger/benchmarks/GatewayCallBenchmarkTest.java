package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayCallBenchmarkTest {
  private final JacksonPeer jackson = new JacksonPeer();

  @ParameterizedTest
  @ValueSource(strings = {"1k", "32k"})
  @Timeout(60)
  @DisplayName(
      "A call through the gateway returns the same text as one without it, and its cost is"
          + " measured")
  void sameText(String body) throws Exception {
    var benchmark = new GatewayCallBenchmark();
    benchmark.body = body;
    benchmark.setUp();
    try {
      var cpu = new CallCpu();
      cpu.begin();
      String raw = text(benchmark.raw(cpu));
      assertThat(text(benchmark.gateway(cpu))).isEqualTo(raw).startsWith("A few words.");
      assertThat(text(benchmark.telemetry(cpu))).isEqualTo(raw);
      assertThat(text(benchmark.privateDestinations(cpu))).isEqualTo(raw);
      assertThat(text(benchmark.sampledDestinations(cpu))).isEqualTo(raw);
      assertThat(text(benchmark.destinations(cpu))).isEqualTo(raw);
      cpu.end();
      while (benchmark.delivered() < 3) { // the timeout ends this if a destination gets nothing
        Thread.onSpinWait();
      }
      assertThat(cpu.calls).isEqualTo(6);
      assertThat(cpu.callerBytes).isPositive();
      assertThat(cpu.cpuNanos).isPositive();
    } finally {
      benchmark.tearDown();
    }
  }

  private String text(byte[] answer) throws Exception {
    JsonNode document = jackson.tree(answer);
    return document.at("/choices/0/message/content").asText();
  }
}
