package io.strowger.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Upstream;
import io.strowger.simulated.SimulatedUpstream;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("A rung of the ladder")
class LayersTest {
  private SimulatedUpstream upstream;

  @BeforeEach
  void start() {
    upstream = Upstream.start();
  }

  @AfterEach
  void stop() {
    upstream.close();
  }

  @ParameterizedTest
  @EnumSource(value = Rung.class, names = "HOST", mode = Mode.EXCLUDE)
  @DisplayName("sends one request to the upstream for each call, in every scenario")
  void calls(Rung rung) throws Exception {
    try (var layers = new Layers(upstream.baseUri(), null)) {
      long before = upstream.requests();
      for (Scenario scenario : Scenario.ALL) {
        Layers.Layer layer = layers.of(rung, scenario);
        layer.call();
        layer.call();
      }
      assertThat(upstream.requests() - before).isEqualTo(2L * Scenario.ALL.size());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Rung.class,
      names = {"TURN", "INFERENCE", "WIRE"})
  @DisplayName("stores its ledger in the data directory if it has one")
  void durable(Rung rung, @TempDir Path data) throws Exception {
    try (var layers = new Layers(upstream.baseUri(), data)) {
      Layers.Layer layer = layers.of(rung, Scenario.of("1k"));
      layer.call();
      layer.call();
      assertThat(data).isNotEmptyDirectory();
      assertThat(upstream.requests()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("takes commands as lines of text, and answers with results or failures")
  void lines() {
    try (var layers = new Layers(upstream.baseUri(), null)) {
      var process = new RungProcess(Rung.WIRE, layers);
      assertThat(process.answer("serial 1")).startsWith(RungProcess.FAILED);
      assertThat(process.answer("open 1k")).isEqualTo(RungProcess.OK);
      long before = upstream.requests();
      assertThat(RungProcess.samples(process.answer("serial 3")).size()).isEqualTo(3);
      int answered = Integer.parseInt(process.answer("load 2 20"));
      assertThat(answered).isPositive();
      assertThat(upstream.requests() - before).isEqualTo(3 + answered);
      assertThat(process.answer("open 2k")).startsWith(RungProcess.FAILED);
      assertThat(process.answer("jump")).startsWith(RungProcess.FAILED);
      upstream.close();
      assertThat(process.answer("load 2 20")).startsWith(RungProcess.FAILED);
    }
  }

  @Test
  @DisplayName("cannot be the host, which is a process of its own")
  void host() {
    try (var layers = new Layers(upstream.baseUri(), null)) {
      assertThatThrownBy(() -> layers.of(Rung.HOST, Scenario.of("1k")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
