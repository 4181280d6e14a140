package io.strowger.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.overload.AdaptiveLimit.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An adaptive limit")
class AdaptiveLimitTest {
  private static final long USUAL = 200_000_000;
  private static final int MOST = 100;

  private final AdaptiveLimit limit = new AdaptiveLimit();

  private void answers(Kind kind, long nanos, int times) {
    for (int i = 0; i < times; i++) {
      limit.recordSample(kind, nanos, limit.limit(), MOST);
    }
  }

  @Test
  @DisplayName("grows while answers come as fast as usual, up to what is configured")
  void grows() {
    assertThat(limit.limit()).isEqualTo(20);
    answers(Kind.FIRST_CONTENT, USUAL, 20);
    assertThat(limit.limit()).isBetween(30, 40);
    answers(Kind.FIRST_CONTENT, USUAL, 1_000);
    assertThat(limit.limit()).isEqualTo(MOST);
  }

  @Test
  @DisplayName("shrinks while answers are late, and recovers")
  void shrinks() {
    answers(Kind.FIRST_CONTENT, USUAL, 60);
    int before = limit.limit();
    answers(Kind.FIRST_CONTENT, 10 * USUAL, 20);
    assertThat(limit.limit()).isLessThan(before / 2);
    answers(Kind.FIRST_CONTENT, USUAL, 100);
    assertThat(limit.limit()).isGreaterThan(before / 2);
  }

  @Test
  @DisplayName("compares whole answers with whole answers only")
  void kinds() {
    answers(Kind.FIRST_CONTENT, USUAL, 20);
    int before = limit.limit();
    answers(Kind.WHOLE_ANSWER, 50 * USUAL, 20); // as long as whole answers take
    assertThat(limit.limit()).isGreaterThan(before);
  }

  @Test
  @DisplayName("stays where it is while it holds nobody back")
  void idle() {
    for (int i = 0; i < 100; i++) {
      limit.recordSample(Kind.FIRST_CONTENT, USUAL, 1, MOST);
    }
    assertThat(limit.limit()).isEqualTo(20);
  }

  @Test
  @DisplayName("shrinks by a tenth when the endpoint has too much to do, to 4 at least")
  void backsOff() {
    limit.recordOverload(MOST);
    assertThat(limit.limit()).isEqualTo(18);
    for (int i = 0; i < 100; i++) {
      limit.recordOverload(MOST);
    }
    assertThat(limit.limit()).isEqualTo(4);
  }

  @Test
  @DisplayName("never exceeds a configured limit below its own least")
  void least() {
    limit.recordOverload(2);
    assertThat(limit.limit()).isEqualTo(2);
  }
}
