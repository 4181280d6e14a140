package io.strowger.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  @DisplayName(
      "A quantile is the smallest sample that at least its share of all samples does not exceed")
  void quantile() {
    var samples = new Samples();
    for (long value = 2_000; value >= 1; value--) {
      samples.add(value);
    }
    assertThat(samples.size()).isEqualTo(2_000);
    assertThat(samples.quantile(0.5)).isEqualTo(1_000);
    assertThat(samples.quantile(0.99)).isEqualTo(1_980);
    assertThat(samples.quantile(1)).isEqualTo(2_000);
    assertThat(samples.quantile(0.0001)).isEqualTo(1);
  }

  @Test
  @DisplayName("Without samples there is no quantile")
  void none() {
    assertThatThrownBy(() -> new Samples().quantile(0.5)).isInstanceOf(IllegalStateException.class);
  }
}
