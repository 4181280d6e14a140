package io.strowger.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The values of a label")
class BoundedLabelValuesTest {
  @Test
  @DisplayName("are kept up to the bound, and replaced by other beyond it")
  void bound() {
    var values = new BoundedLabelValues(2);
    assertThat(values.valueOrOther("a")).isEqualTo("a");
    assertThat(values.valueOrOther("b")).isEqualTo("b");
    assertThat(values.valueOrOther("c")).isEqualTo("other");
    assertThat(values.valueOrOther("a")).as("admitted before").isEqualTo("a");
    assertThat(new BoundedLabelValues(0).valueOrOther("a")).isEqualTo("other");
    assertThatThrownBy(() -> new BoundedLabelValues(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("never exceed the bound, even if many threads add new ones at once")
  void concurrent() {
    var values = new BoundedLabelValues(50);
    Set<String> admitted = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 100_000)
        .parallel()
        .mapToObj(i -> "value-" + i % 1_000)
        .filter(values::admits)
        .forEach(admitted::add);
    assertThat(admitted).hasSizeBetween(1, 50);
    assertThat(admitted).allMatch(values::admits);
  }
}
