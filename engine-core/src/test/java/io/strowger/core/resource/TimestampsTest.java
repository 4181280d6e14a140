package io.strowger.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A timestamp")
class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "2026-11-22T12:00:00Z, 2026-11-22T12:00:00Z",
    "2026-11-22T12:00:00.5Z, 2026-11-22T12:00:00.500Z",
    "2026-11-22T12:00:00.123456789Z, 2026-11-22T12:00:00.123456Z",
    "2026-11-22T12:00:00.000000001Z, 2026-11-22T12:00:00Z"
  })
  @DisplayName("is written with at most microseconds")
  void micros(String moment, String written) {
    assertThat(Timestamps.format(Instant.parse(moment))).isEqualTo(written);
    assertThat(Timestamps.parse(written)).isEqualTo(Instant.parse(written));
  }

  @Test
  @DisplayName("of the system clock has whole microseconds, which a database returns unchanged")
  void system() {
    Instant now = new SystemAmbient().now();
    assertThat(now).isEqualTo(now.truncatedTo(ChronoUnit.MICROS));
  }
}
