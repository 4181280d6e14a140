package io.strowger.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The options of bench http")
class HttpOptionsTest {
  @Test
  @DisplayName("select every scenario and both gateways, with 16 connections, by default")
  void defaults() {
    HttpOptions defaults = HttpOptions.of();
    assertThat(defaults.plan().scenarios()).isEqualTo(Scenario.ALL);
    assertThat(defaults.memory()).isTrue();
    assertThat(defaults.durable()).isTrue();
    assertThat(defaults.plan().connections()).isEqualTo(16);
    assertThat(defaults.plan().warmUp()).isEqualTo(Duration.ofSeconds(60));
    assertThat(defaults.baseline()).isNull();
  }

  @Test
  @DisplayName("select scenarios, a gateway, times and another build")
  void selected() {
    HttpOptions selected =
        HttpOptions.of(
            "--scenario",
            "stream",
            "--scenario",
            "1k",
            "--gateway",
            "durable",
            "--load",
            "3",
            "--baseline",
            "a.jar:b/*",
            "--connections",
            "4");
    assertThat(selected.plan().scenarios())
        .extracting(Scenario::id)
        .containsExactly("1k", "stream");
    assertThat(selected.memory()).isFalse();
    assertThat(selected.durable()).isTrue();
    assertThat(selected.plan().load()).isEqualTo(Duration.ofSeconds(3));
    assertThat(selected.baseline()).isEqualTo("a.jar:b/*");
    assertThat(selected.plan().connections()).isEqualTo(4);
  }

  @Test
  @DisplayName("divide all times by four with --quick, whatever the order")
  void quick() {
    HttpOptions quick = HttpOptions.of("--quick", "--serial", "8");
    assertThat(quick.plan().serialTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(quick.plan().warmUp()).isEqualTo(Duration.ofSeconds(15));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--scenario 2k", "--gateway both", "--load 0", "--load x", "--load", "--other 1"})
  @DisplayName("that are invalid are refused with exit code 2, and the valid ones are printed")
  void refused(String line) throws Exception {
    String[] args = line.split(" ");
    assertThatThrownBy(() -> HttpOptions.of(args)).isInstanceOf(IllegalArgumentException.class);
    var out = new ByteArrayOutputStream();
    assertThat(HttpComparison.run(args, new PrintStream(out))).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--baseline");
  }
}
