package io.strowger.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.OverloadSettings;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The limits that the configuration does not set")
class OverloadLimitsTest {
  private static final long MEBIBYTE = 1 << 20;

  /** The memory that a request in flight was measured to use, in bytes, rounded up. */
  private static final long PER_REQUEST = 192 * 1024;

  /** The bytes of memory for each byte of a body in flight: one as received and one as sent. */
  private static final long PER_BODY_BYTE = 2;

  private static OverloadLimits limits(long heap) {
    var open = new OverloadSettings(null, null, null, null, 100, Duration.ofMillis(500), false);
    return OverloadLimits.of(open, heap, Duration.ofMinutes(10));
  }

  @ParameterizedTest
  @ValueSource(longs = {256, 512, 1024, 8192})
  @DisplayName("fit the heap together even when every place and every byte is taken")
  void fit(long mebibytes) {
    long heap = mebibytes * MEBIBYTE;
    OverloadLimits limits = limits(heap);
    long answers = heap / 8; // AnswerMemory
    long bodies = PER_BODY_BYTE * limits.byteLimitFor(1, true);
    long places = PER_REQUEST * limits.inFlight();
    assertThat(bodies + places + answers).isLessThan(heap * 4 / 5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1024, 4096})
  @DisplayName("allow a thousand requests in flight in a heap of 1 GiB")
  void room(long mebibytes) {
    assertThat(limits(mebibytes * MEBIBYTE).inFlight()).isGreaterThanOrEqualTo((int) mebibytes);
  }
}
