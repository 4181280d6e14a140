package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Usage")
class UsageTest {
  private static Usage.Builder withAllCounts() {
    return Usage.builder()
        .freshInput(1)
        .inputAudio(2)
        .cacheRead(4)
        .cacheWrite5m(8)
        .cacheWrite1h(16)
        .outputText(32)
        .reasoning(64)
        .outputAudio(128)
        .images(256)
        .searches(512);
  }

  @Test
  @DisplayName("adds up its classes of tokens; each token is in exactly one class")
  void sums() {
    assertThat(withAllCounts().build().promptTokens()).isEqualTo(31);
    assertThat(withAllCounts().build().completionTokens()).isEqualTo(224);
  }

  @Test
  @DisplayName("refuses a count below zero, since upstreams do send them")
  void negative() {
    assertThatThrownBy(() -> Usage.builder().reasoning(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThat(Usage.builder().reasoning(0).build()).isEqualTo(Usage.NONE);
  }

  @Test
  @DisplayName("stays as it was built when its builder, or one made from it, is changed")
  void immutable() {
    Usage.Builder builder = withAllCounts();
    Usage built = builder.build();
    Usage.Builder copy = built.toBuilder();
    builder.reasoning(1000);
    copy.searches(2000);
    assertThat(built).isEqualTo(withAllCounts().build());
    assertThat(builder.build()).isEqualTo(withAllCounts().reasoning(1000).build());
    assertThat(copy.build()).isEqualTo(withAllCounts().searches(2000).build());
  }

  @Test
  @DisplayName("is equal when every count is, and both are reported or both estimated")
  void equality() {
    assertThat(withAllCounts().build()).isEqualTo(withAllCounts().build());
    assertThat(withAllCounts().build()).hasSameHashCodeAs(withAllCounts().build());
    assertThat(withAllCounts().searches(0).build()).isNotEqualTo(withAllCounts().build());
    assertThat(withAllCounts().estimated(true).build()).isNotEqualTo(withAllCounts().build());
  }

  @Test
  @DisplayName("returns each count also by its quantity, which has a wire name")
  void quantities() {
    Usage.Builder counted = Usage.builder();
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      counted.set(quantity, 1L << quantity.ordinal());
    }
    Usage usage = counted.build();

    assertThat(usage.freshInput()).isEqualTo(usage.count(Usage.Quantity.FRESH_INPUT)).isEqualTo(1);
    assertThat(usage.toolCallsExecuted()).isEqualTo(1 << 14);
    assertThat(usage.plus(usage).cacheWrite1h()).isEqualTo(1 << 5);
    assertThat(usage.toBuilder().build()).isEqualTo(usage);
    assertThat(Usage.Quantity.CACHE_WRITE_5M.wireName()).isEqualTo("cache_write_5m");
  }
}
