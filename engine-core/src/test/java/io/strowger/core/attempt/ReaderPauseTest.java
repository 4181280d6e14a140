package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A pause of the reader")
class ReaderPauseTest {
  private static final Duration GAP = Duration.ofSeconds(60);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Watchdog dog = new Watchdog(ambient);
  private final Cancellation cancellation = new Cancellation();
  private final Watchdog.Attempt attempt =
      new Watchdog.Attempt(cancellation, Long.MAX_VALUE, GAP.toNanos());

  @BeforeEach
  void pauses() {
    var watch =
        new Watchdog.Watch(
            dog, new Cancellation(), Duration.ofDays(1).toNanos(), new Object(), () -> {});
    attempt.commit();
    watch.setAttempt(attempt);
    dog.add(watch);
    look(GAP);
    look(GAP);
    assertThat(attempt.isReaderPaused()).isTrue();
  }

  @AfterEach
  void close() {
    assertThat(cancellation.isCancelled()).isFalse();
    dog.close();
    ambient.assertNoThreadsLeft();
  }

  /** Time passes, and the watchdog looks at its end. */
  private void look(Duration after) {
    ambient.awaitSleep("strowger-watchdog");
    ambient.advance(after);
    ambient.awaitSleep("strowger-watchdog");
  }

  /** Two for each event: before the wait for it, and after. */
  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      attempt.countStep();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9})
  @DisplayName("is forgotten on a stream so fast that events came between any two looks")
  void fast(int perLook) {
    for (int i = 0; i < 50; i++) {
      steps(perLook);
      look(Duration.ofMillis(100));
      assertThat(attempt.isReaderPaused()).as("after %d looks", i).isTrue();
    }
    steps(perLook);
    look(Duration.ofMillis(100));
    assertThat(attempt.isReaderPaused()).isFalse();
  }

  @Test
  @DisplayName("is forgotten when something comes after its reader waited for it")
  void waits() {
    steps(1);
    look(Duration.ofMillis(10));
    look(Duration.ofSeconds(6));
    assertThat(attempt.isReaderPaused()).as("nothing came").isTrue();
    steps(1);
    look(Duration.ofMillis(10));
    assertThat(attempt.isReaderPaused()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("is not forgotten for the time in which its reader reads nothing again")
  void stalls(int first) {
    steps(first);
    look(Duration.ofMillis(10));
    steps(1);
    look(Duration.ofMillis(10));
    look(GAP.minusSeconds(1)); // what it takes then may have waited for it all the time
    steps(2);
    look(Duration.ofMillis(10));
    assertThat(attempt.isReaderPaused()).isTrue();
  }
}
