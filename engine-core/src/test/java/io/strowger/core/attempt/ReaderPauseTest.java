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
  private final Watchdog watchdog = new Watchdog(ambient);
  private final Cancellation cancellation = new Cancellation();
  private final Watchdog.Attempt attempt =
      new Watchdog.Attempt(cancellation, Long.MAX_VALUE, GAP.toNanos());

  @BeforeEach
  void pauseReader() {
    var watch =
        new Watchdog.Watch(
            watchdog, new Cancellation(), Duration.ofDays(1).toNanos(), new Object(), () -> {});
    attempt.commit();
    watch.setAttempt(attempt);
    watchdog.add(watch);
    poll(GAP);
    poll(GAP);
    assertThat(attempt.isReaderPaused()).isTrue();
  }

  @AfterEach
  void close() {
    assertThat(cancellation.isCancelled()).isFalse();
    watchdog.close();
    ambient.assertNoThreadsLeft();
  }

  /** Advances the clock by a time, then waits until the watchdog has checked once more. */
  private void poll(Duration after) {
    ambient.awaitSleep("strowger-watchdog");
    ambient.advance(after);
    ambient.awaitSleep("strowger-watchdog");
  }

  /** Counts steps of the reader: each event is two, one before the wait for it and one after. */
  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      attempt.countStep();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9})
  @DisplayName("ends on a stream so fast that events arrive between any two polls for five seconds")
  void fast(int stepsPerPoll) {
    for (int i = 0; i < 50; i++) {
      steps(stepsPerPoll);
      poll(Duration.ofMillis(100));
      assertThat(attempt.isReaderPaused()).as("after %d polls", i).isTrue();
    }
    steps(stepsPerPoll);
    poll(Duration.ofMillis(100));
    assertThat(attempt.isReaderPaused()).isFalse();
  }

  @Test
  @DisplayName("ends if the reader waits for an event and the event arrives")
  void waits() {
    steps(1);
    poll(Duration.ofMillis(10));
    poll(Duration.ofSeconds(6));
    assertThat(attempt.isReaderPaused()).as("no event has arrived").isTrue();
    steps(1);
    poll(Duration.ofMillis(10));
    assertThat(attempt.isReaderPaused()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("continues if the reader stops reading again")
  void stalls(int first) {
    steps(first);
    poll(Duration.ofMillis(10));
    steps(1);
    poll(Duration.ofMillis(10));
    poll(GAP.minusSeconds(1)); // the events that it reads next may have been ready all this time
    steps(2);
    poll(Duration.ofMillis(10));
    assertThat(attempt.isReaderPaused()).isTrue();
  }
}
