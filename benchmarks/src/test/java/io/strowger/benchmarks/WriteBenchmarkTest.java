package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"1k", "32k"})
  @DisplayName("The engine and its peer write the same document, which is not the caller's")
  void sameDocument(String body) throws Exception {
    var benchmark = new WriteBenchmark();
    benchmark.body = body;
    benchmark.setUp();
    Json written = new JacksonCodec().parse(benchmark.write().toByteArray());
    assertThat(written).isEqualTo(new JacksonCodec().parse(benchmark.tree()));
    assertThat(written).isNotEqualTo(new JacksonCodec().parse(benchmark.copy()));
    assertThat(((Json.Obj) written).text("model")).isEqualTo("large-2026-05-01");
    assertThat(((Json.Obj) written).has("provider")).isFalse();
  }
}
