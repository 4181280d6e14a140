package io.strowger.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Usage")
class UsageTest {
  private static Usage.Builder everything() {
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
  @DisplayName("adds up its classes: each token is in one of them")
  void sums() {
    assertThat(everything().build().promptTokens()).isEqualTo(31);
    assertThat(everything().build().completionTokens()).isEqualTo(224);
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
  @DisplayName("is equal when every count is, and both are told or both estimated")
  void equality() {
    assertThat(everything().build()).isEqualTo(everything().build());
    assertThat(everything().build()).hasSameHashCodeAs(everything().build());
    assertThat(everything().searches(0).build()).isNotEqualTo(everything().build());
    assertThat(everything().estimated(true).build()).isNotEqualTo(everything().build());
  }

  @Test
  @DisplayName("has each of its counts by its quantity too, under the name that is written")
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

  @Test
  @DisplayName("stays as it is when its builder goes on")
  void immutable() {
    Usage.Builder builder = everything();
    Usage before = builder.build();
    builder.images(1);

    assertThat(before.images()).isEqualTo(256);
  }
}
