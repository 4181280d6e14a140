package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.model.InferenceRequest;
import java.nio.charset.StandardCharsets;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadBenchmarkTest {
  @ParameterizedTest(name = "{0}: {1} bytes, {2} messages, {3} tools")
  @CsvSource({
    "1k, 1024, 2, 0",
    "32k, 33500, 17, 0",
    "256k, 268000, 129, 0",
    "many, 44000, 200, 20"
  })
  @DisplayName("A body is as large as its name says, and the engine reads all of it")
  void sizes(String name, int bytes, int messages, int tools) throws Exception {
    var benchmark = benchmark(name);
    InferenceRequest request = benchmark.readAndCheck();
    assertThat(ChatBodies.named(name).length).isCloseTo(bytes, Percentage.withPercentage(10));
    assertThat(request.messages()).hasSize(messages);
    assertThat(request.tools()).hasSize(tools);
    assertThat(request.maxOutputTokens()).isEqualTo(2_000);
    assertThat(request.preferences().order()).containsExactly("provider-0", "provider-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1k", "32k", "wide32k", "256k", "many"})
  @DisplayName("The engine and its peer read the same document")
  void sameDocument(String name) throws Exception {
    var benchmark = benchmark(name);
    var jackson = new JacksonPeer();
    byte[] treeWritten = jackson.write(benchmark.tree());
    assertThat(new JacksonCodec().parse(treeWritten)).isEqualTo(benchmark.read());
    assertThat(benchmark.scan()).isEqualTo(jackson.scan(treeWritten)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"32k", "wide32k"})
  @DisplayName("Only the wide body is mostly not ASCII")
  void wide(String name) {
    byte[] body = ChatBodies.named(name);
    long ascii = new String(body, StandardCharsets.UTF_8).chars().filter(c -> c < 0x80).count();
    if (name.equals("32k")) {
      assertThat(ascii).isEqualTo(body.length);
    } else {
      assertThat(ascii).isLessThan(body.length * 3L / 4);
    }
  }

  private static ReadBenchmark benchmark(String name) {
    var benchmark = new ReadBenchmark();
    benchmark.body = name;
    benchmark.setUp();
    return benchmark;
  }
}
