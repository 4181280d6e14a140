package io.strowger.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.store.Period;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A limit's period")
class PeriodTest {
  @Proves({"limit.reset", "resources.key.limit"})
  @ParameterizedTest(name = "{0} at {1} is {2}")
  @CsvSource({
    "LIFETIME, 2026-11-21T23:59:59Z, all",
    "DAILY, 2026-11-21T23:59:59.999Z, 2026-11-21",
    "DAILY, 2026-11-22T00:00:00Z, 2026-11-22",
    "WEEKLY, 2026-11-22T23:59:59Z, 2026-W47",
    "WEEKLY, 2026-11-23T00:00:00Z, 2026-W48",
    "WEEKLY, 2027-01-03T12:00:00Z, 2026-W53",
    "WEEKLY, 2027-01-04T00:00:00Z, 2027-W01",
    "MONTHLY, 2026-11-30T23:59:59Z, 2026-11",
    "MONTHLY, 2026-12-01T00:00:00Z, 2026-12",
  })
  void windows(Period reset, Instant at, String window) {
    assertThat(reset.window(at)).isEqualTo(window);
  }

  @Proves({"limit.reset", "resources.key.KY-2"})
  @Test
  @DisplayName("KY-2: a week ends on Sunday at midnight UTC")
  void sundayNight() {
    assertThat(Period.WEEKLY.window(Instant.parse("2026-11-22T23:59:59Z")))
        .isNotEqualTo(Period.WEEKLY.window(Instant.parse("2026-11-23T00:00:00Z")));
  }
}
