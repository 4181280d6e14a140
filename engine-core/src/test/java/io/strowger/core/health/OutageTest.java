package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An outage")
class OutageTest {
  private final Gate gate = new Gate();

  @AfterEach
  void close() {
    gate.close();
  }

  @Proves({"routing.draw.1", "open.24"})
  @ParameterizedTest(name = "{0} successes, {1} failures: {2}")
  @DisplayName("is three failures that are more than half of the requests of 30 seconds")
  @CsvSource({"0, 2, false", "0, 3, true", "2, 3, true", "3, 3, false", "3, 4, true"})
  void significant(int successes, int failures, boolean expected) {
    gate.succeed("alpha", successes);
    gate.fail("alpha", failures);
    gate.publish();
    assertThat(gate.of("alpha").hasOutage()).isEqualTo(expected);
    assertThat(gate.of("alpha").isBreakerOpen()).isFalse();
  }

  @Proves({"routing.draw.1", "open.24"})
  @Test
  @DisplayName("is over after 30 seconds, to the second, though nobody called meanwhile")
  void over() {
    gate.fail("alpha", 3);
    gate.publish();
    gate.pass(Duration.ofSeconds(30).minusMillis(250));
    assertThat(gate.of("alpha").hasOutage()).as("at 30 s").isTrue();
    gate.pass(Duration.ofSeconds(1));
    assertThat(gate.of("alpha").hasOutage()).as("at 31 s").isFalse();
  }
}
