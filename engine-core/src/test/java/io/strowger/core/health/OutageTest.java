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
  private final HealthFixture fixture = new HealthFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Proves({"routing.draw.1", "open.24"})
  @ParameterizedTest(name = "{0} successes, {1} failures: {2}")
  @DisplayName("is at least three failures that are more than half of the requests of 30 seconds")
  @CsvSource({"0, 2, false", "0, 3, true", "2, 3, true", "3, 3, false", "3, 4, true"})
  void significant(int successes, int failures, boolean expected) {
    fixture.succeed("alpha", successes);
    fixture.fail("alpha", failures);
    fixture.publish();
    assertThat(fixture.statistics("alpha").hasOutage()).isEqualTo(expected);
    assertThat(fixture.statistics("alpha").isBreakerOpen()).isFalse();
  }

  @Proves({"routing.draw.1", "open.24"})
  @Test
  @DisplayName("is over after 30 seconds, to the second, even without further requests")
  void over() {
    fixture.fail("alpha", 3);
    fixture.publish();
    fixture.advance(Duration.ofSeconds(30).minusMillis(250));
    assertThat(fixture.statistics("alpha").hasOutage()).as("at 30 s").isTrue();
    fixture.advance(Duration.ofSeconds(1));
    assertThat(fixture.statistics("alpha").hasOutage()).as("at 31 s").isFalse();
  }
}
