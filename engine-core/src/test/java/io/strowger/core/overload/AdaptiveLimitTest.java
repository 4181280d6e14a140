package io.strowger.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.overload.AdaptiveLimit.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An adaptive limit")
class AdaptiveLimitTest {
  private static final long USUAL_NANOS = 200_000_000;
  private static final int CONFIGURED_LIMIT = 100;

  private final AdaptiveLimit limit = new AdaptiveLimit();

  private void recordSamples(Kind kind, long nanos, int times) {
    for (int i = 0; i < times; i++) {
      limit.recordSample(kind, nanos, limit.limit(), CONFIGURED_LIMIT);
    }
  }

  @Test
  @DisplayName("grows while answers come as fast as usual, up to the configured limit")
  void grows() {
    assertThat(limit.limit()).isEqualTo(20);
    recordSamples(Kind.FIRST_CONTENT, USUAL_NANOS, 20);
    assertThat(limit.limit()).isBetween(30, 40);
    recordSamples(Kind.FIRST_CONTENT, USUAL_NANOS, 1_000);
    assertThat(limit.limit()).isEqualTo(CONFIGURED_LIMIT);
  }

  @Test
  @DisplayName("shrinks while answers are slow, and recovers")
  void shrinks() {
    recordSamples(Kind.FIRST_CONTENT, USUAL_NANOS, 60);
    int before = limit.limit();
    recordSamples(Kind.FIRST_CONTENT, 10 * USUAL_NANOS, 20);
    assertThat(limit.limit()).isLessThan(before / 2);
    recordSamples(Kind.FIRST_CONTENT, USUAL_NANOS, 100);
    assertThat(limit.limit()).isGreaterThan(before / 2);
  }

  @Test
  @DisplayName("compares the time of whole answers only with that of whole answers")
  void kinds() {
    recordSamples(Kind.FIRST_CONTENT, USUAL_NANOS, 20);
    int before = limit.limit();
    recordSamples(Kind.WHOLE_ANSWER, 50 * USUAL_NANOS, 20); // the usual time of whole answers
    assertThat(limit.limit()).isGreaterThan(before);
  }

  @Test
  @DisplayName("stays the same while too few requests are in flight to reach it")
  void idle() {
    for (int i = 0; i < 100; i++) {
      limit.recordSample(Kind.FIRST_CONTENT, USUAL_NANOS, 1, CONFIGURED_LIMIT);
    }
    assertThat(limit.limit()).isEqualTo(20);
  }

  @Test
  @DisplayName("shrinks by a tenth when the endpoint reports overload, but not below 4")
  void backsOff() {
    limit.recordOverload(CONFIGURED_LIMIT);
    assertThat(limit.limit()).isEqualTo(18);
    for (int i = 0; i < 100; i++) {
      limit.recordOverload(CONFIGURED_LIMIT);
    }
    assertThat(limit.limit()).isEqualTo(4);
  }

  @Test
  @DisplayName("never exceeds the configured limit, even when that is below 4")
  void least() {
    limit.recordOverload(2);
    assertThat(limit.limit()).isEqualTo(2);
  }
}
