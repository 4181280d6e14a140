package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A health policy")
class HealthPolicyTest {
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
