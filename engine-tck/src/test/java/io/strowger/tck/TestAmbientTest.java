package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Manual time")
class TestAmbientTest {
  private final TestAmbient ambient = TestAmbient.at("2026-01-05T23:59:59Z");

  @Test
  @DisplayName("stands still until it is advanced, both as wall clock and as nanoTime")
  void standsStill() {
    long before = ambient.nanoTime();
    assertThat(ambient.now()).isEqualTo(Instant.parse("2026-01-05T23:59:59Z"));

    ambient.advance(Duration.ofMillis(1500));

    assertThat(ambient.now()).isEqualTo(Instant.parse("2026-01-06T00:00:00.500Z"));
    assertThat(ambient.nanoTime() - before).isEqualTo(1_500_000_000L);
  }

  @Test
  @DisplayName("never runs backwards")
  void neverBackwards() {
    assertThatThrownBy(() -> ambient.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("wakes exactly the sleepers that are due, to the nanosecond")
  void wakes() throws InterruptedException {
    var woken = new LinkedBlockingQueue<String>();
    sleeper("one", Duration.ofSeconds(1), woken);
    sleeper("two", Duration.ofSeconds(2), woken);
    ambient.awaitSleepers(2);

    ambient.advance(Duration.ofNanos(999_999_999));
    assertThat(woken).isEmpty();
    ambient.advance(Duration.ofNanos(1));
    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
    ambient.awaitSleepers(1);
    ambient.advance(Duration.ofSeconds(1));
    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo("two");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("wakes an interrupted sleeper")
  void interrupted() {
    Thread thread = sleeper("one", Duration.ofDays(1), new LinkedBlockingQueue<>());
    ambient.awaitSleepers(1);
    thread.interrupt();
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName(
      "knows whether all threads are idle; a sleeper that is due is not idle, even before it wakes")
  void allWait() {
    assertThat(ambient.allIdle()).as("there is no thread").isTrue();
    var mayEnd = new AtomicBoolean();
    ambient.start(
        "one",
        () -> {
          try {
            ambient.sleep(Duration.ofSeconds(1));
            while (!mayEnd.get()) {
              Thread.onSpinWait();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    ambient.awaitSleepers(1);
    assertThat(ambient.allIdle()).as("it is asleep").isTrue();
    ambient.advance(Duration.ofNanos(999_999_999));
    assertThat(ambient.allIdle()).as("it is still asleep").isTrue();
    ambient.advance(Duration.ofNanos(1));
    assertThat(ambient.allIdle()).as("it is due").isFalse();
    mayEnd.set(true);
    ambient.assertNoThreadsLeft();
    assertThat(ambient.allIdle()).as("it has ended").isTrue();
  }

  @Test
  @DisplayName("counts a thread as idle that waits for another one without a timeout")
  void waitsForAnother() {
    var end = new CountDownLatch(1);
    ambient.start(
        "one",
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    while (!ambient.allIdle()) {
      Thread.onSpinWait();
    }
    assertThat(ambient.sleepers()).isZero();
    end.countDown();
    ambient.assertNoThreadsLeft();
  }

  private Thread sleeper(String name, Duration time, LinkedBlockingQueue<String> woken) {
    return ambient.start(
        name,
        () -> {
          try {
            ambient.sleep(time);
            woken.add(name);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  @DisplayName("has the same random numbers in every run: SplitMix64 from zero")
  void randomNumbers() {
    assertThat(ambient.seed()).isEqualTo(0xE220A8397B1DCDAFL);
    assertThat(ambient.seed()).isEqualTo(0x6E789E6AA1B965F4L);
    assertThat(ambient.seed()).isEqualTo(0x06C45D188009454FL);
  }

  @Test
  @DisplayName("reports a thread that has not ended by its name")
  void threadLeft() {
    var end = new CountDownLatch(1);
    var impatient = TestAmbient.at("2026-01-05T23:59:59Z").withPatience(Duration.ofMillis(20));
    impatient.start(
        "forgotten",
        () -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThatThrownBy(impatient::assertNoThreadsLeft).hasMessageContaining("forgotten");
    end.countDown();
  }

  @Test
  @DisplayName("reports a thread that failed with its exception")
  void threadFailed() {
    ambient.start(
        "unlucky",
        () -> {
          throw new IllegalStateException("bad luck");
        });
    assertThatThrownBy(ambient::assertNoThreadsLeft)
        .hasMessageContaining("unlucky")
        .hasMessageContaining("bad luck");
  }

  @Test
  @DisplayName("cannot be advanced when it is real time")
  void realTime() {
    assertThatThrownBy(() -> TestAmbient.realTime().advance(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("lets the time of day be set forwards and backwards without time passing")
  void timeOfDay() {
    var ambient = TestAmbient.at("2026-01-05T00:00:00Z");
    ambient.advance(Duration.ofSeconds(1));
    ambient.stepTimeOfDay(Duration.ofHours(2));
    assertThat(ambient.now()).isEqualTo("2026-01-05T02:00:01Z");
    ambient.stepTimeOfDay(Duration.ofHours(-3));
    assertThat(ambient.now()).isEqualTo("2026-01-04T23:00:01Z");
    assertThat(ambient.nanoTime()).isEqualTo(1_000_000_000L);
    assertThatThrownBy(() -> TestAmbient.realTime().stepTimeOfDay(Duration.ofHours(1)))
        .isInstanceOf(IllegalStateException.class);
  }
}
