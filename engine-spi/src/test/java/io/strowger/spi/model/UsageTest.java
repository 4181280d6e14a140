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
}
