package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A health policy")
class HealthPolicyTest {
  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static HealthPolicy.CoolDowns coolDowns(
      long shortest, long longest, long quota, long longestQuota) {
    return new HealthPolicy.CoolDowns(
        seconds(shortest),
        seconds(longest),
        seconds(1),
        seconds(1),
        seconds(quota),
        seconds(longestQuota));
  }

  private static HealthPolicy.Breaker breaker(long coolDown, long longestCoolDown, long slowStart) {
    return new HealthPolicy.Breaker(
        1,
        1,
        seconds(coolDown),
        seconds(longestCoolDown),
        seconds(1),
        seconds(1),
        seconds(slowStart));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, 1, 'longest must be at least shortest, which is PT2S, was PT1S'",
    "1, -1, 1, 1, 'longest must be at least shortest, which is PT1S, was PT-1S'",
    "1, 1, 3, 2, 'longestQuota must be at least quota, which is PT3S, was PT2S'",
    "0, 1, 1, 1, 'shortest must be positive, was PT0S'",
  })
  @DisplayName("has no cool-down whose longest wait is shorter than its shortest")
  void coolDownsInOrder(
      long shortest, long longest, long quota, long longestQuota, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coolDowns(shortest, longest, quota, longestQuota))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1, 0, 'longestCoolDown must be at least coolDown, which is PT2S, was PT1S'",
    "1, 1, -1, 'slowStart must not be negative, was PT-1S'",
  })
  @DisplayName("has no breaker with an impossible cool-down or slow start")
  void breakerTimes(long coolDown, long longestCoolDown, long slowStart, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> breaker(coolDown, longestCoolDown, slowStart))
        .withMessage(message);
  }

  @Test
  @DisplayName("may have equal shortest and longest waits, and no slow start")
  void equalTimes() {
    assertThat(coolDowns(1, 1, 2, 2).longest()).isEqualTo(seconds(1));
    assertThat(breaker(1, 1, 0).slowStart()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Outage", "Breaker", "CoolDowns", "Uptime", "Exacto"})
  @DisplayName("has all its standard values, whichever of its classes is initialized first")
  void initialization(String first) throws Exception {
    URL classes = HealthPolicy.class.getProtectionDomain().getCodeSource().getLocation();
    try (var fresh = new URLClassLoader(new URL[] {classes}, null)) {
      Class.forName(HealthPolicy.class.getName() + "$" + first, true, fresh);
      Class<?> policy = Class.forName(HealthPolicy.class.getName(), true, fresh);
      assertThat(policy.getField("STANDARD").get(null))
          .hasToString(HealthPolicy.STANDARD.toString());
    }
  }
}
