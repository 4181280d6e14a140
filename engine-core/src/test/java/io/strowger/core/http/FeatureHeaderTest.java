package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.decode.Problems;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.GatewayException;
import io.strowger.tck.conformance.Proves;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The headers anthropic-beta and x-anthropic-beta")
class FeatureHeaderTest {
  private final Problems problems = new Problems();

  private List<String> read(@Nullable String value) {
    return FeatureHeader.of(name -> name.equals("x-anthropic-beta") ? value : null, problems);
  }

  private List<String> readAll(Map<String, List<String>> sent) {
    return FeatureHeader.of(
        new WireRequest.Headers() {
          @Override
          public @Nullable String first(String name) {
            return all(name).stream().findFirst().orElse(null);
          }

          @Override
          public List<String> all(String name) {
            return sent.getOrDefault(name, List.of());
          }
        },
        problems);
  }

  @Proves("routing.other.features")
  @ParameterizedTest
  @ValueSource(strings = {"anthropic-beta", "x-anthropic-beta"})
  @DisplayName(
      "are read in the same way, also from a host that knows only the first value of a header")
  void bothNames(String header) {
    assertThat(FeatureHeader.of(name -> name.equals(header) ? "a, b" : null, problems))
        .containsExactly("a", "b");
    problems.throwIfAny();
  }

  @Test
  @DisplayName("make one list when both are sent, or one of them several times")
  void together() {
    assertThat(
            readAll(
                Map.of(
                    "anthropic-beta",
                    List.of("own-1,both", "own-2"),
                    "x-anthropic-beta",
                    List.of("both, other"))))
        .containsExactly("own-1", "both", "own-2", "other");
    problems.throwIfAny();
  }

  @Test
  @DisplayName(
      "are refused when they name more than 32 features together, for the one that exceeds the "
          + "limit")
  void tooManyTogether() {
    assertThat(
            readAll(
                Map.of(
                    "anthropic-beta", List.of(names(32)), "x-anthropic-beta", List.of("another"))))
        .isEmpty();
    assertThatThrownBy(problems::throwIfAny).hasMessageContaining("x-anthropic-beta");
  }

  private static String names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "f" + i).collect(Collectors.joining(","));
  }

  @Test
  @DisplayName("name features in order and each once, blanks and empty items left out")
  void names() {
    assertThat(read(" b-2025-01-01,a_1 ,, b-2025-01-01")).containsExactly("b-2025-01-01", "a_1");
    assertThat(read(names(32))).hasSize(32);
    assertThat(read("x".repeat(128))).hasSize(1);
    problems.throwIfAny();
  }

  @Test
  @DisplayName("may be absent or empty")
  void absent() {
    assertThat(read(null)).isEmpty();
    assertThat(read(" ")).isEmpty();
    problems.throwIfAny();
  }

  @Test
  @DisplayName("allocate nothing when neither is sent")
  void nothingMade() {
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    WireRequest.Headers none = name -> null;
    int calls = 2000;
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) { // the first may load classes
      long before = thread.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < calls; i++) {
        FeatureHeader.of(none, problems);
      }
      bytes = Math.min(bytes, thread.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(bytes).isLessThan(calls);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "ä", "a;q=1", "a,b\r\nc"})
  @DisplayName("are refused when a name has other characters")
  void wrong(String value) {
    assertThat(read(value)).isEmpty();
    assertThatThrownBy(problems::throwIfAny)
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("x-anthropic-beta");
  }

  @Test
  @DisplayName(
      "are refused when one names more than 32 features, or one of more than 128 characters")
  void tooMany() {
    assertThat(read(names(33))).isEmpty();
    assertThat(read("x".repeat(129))).isEmpty();
    assertThatThrownBy(problems::throwIfAny).isInstanceOf(GatewayException.class);
  }
}
