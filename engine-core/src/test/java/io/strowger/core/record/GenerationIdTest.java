package io.strowger.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The id of a generation")
class GenerationIdTest {
  private static final Instant AT = Instant.ofEpochSecond(1_700_000_000, 999_999_999);

  @Proves("open.83")
  @Test
  @DisplayName("consists of the second and 20 letters and digits, ten from each random number")
  void live() {
    assertThat(GenerationId.of(AT, 0, 0)).isEqualTo("gen-1700000000-" + "0".repeat(20));
    assertThat(GenerationId.of(AT, 61, 62))
        .isEqualTo("gen-1700000000-z00000000001" + "0".repeat(8));
    assertThat(GenerationId.of(AT, -1, Long.MIN_VALUE))
        .matches("gen-1700000000-[0-9A-Za-z]{20}")
        .isNotEqualTo(GenerationId.of(AT, -1, Long.MAX_VALUE));
  }

  @Proves("open.83")
  @Test
  @DisplayName("of a batch consists of the second and 20 hexadecimal digits")
  void batch() {
    assertThat(GenerationId.ofBatch(AT, 0x0123_4567_89ab_cdefL, 0xffff_1234L))
        .isEqualTo("gen-batch-1700000000-0123456789abcdef1234");
  }
}
