package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("SplitMix64")
class SplitMix64Test {
  @Test
  @DisplayName("returns the published sequence for seed 1234567")
  void publishedVector() {
    var random = new SplitMix64(1234567);
    assertThat(
            new long[] {random.next(), random.next(), random.next(), random.next(), random.next()})
        .containsExactly(
            6457827717110365317L,
            3203168211198807973L,
            Long.parseUnsignedLong("9817491932198370423"),
            4593380528125082431L,
            Long.parseUnsignedLong("16408922859458223821"));
  }

  @Test
  @DisplayName("derives for index n the value that its n-th call would return")
  void derives() {
    var random = new SplitMix64(42);
    for (int n = 0; n < 5; n++) {
      assertThat(SplitMix64.derive(42, n)).isEqualTo(random.next());
    }
  }

  @Test
  @DisplayName("returns doubles from 0 inclusive to 1 exclusive, half of them below the middle")
  void units() {
    var random = new SplitMix64(7);
    int below = 0;
    for (int i = 0; i < 100_000; i++) {
      double unit = random.nextDouble();
      assertThat(unit).isGreaterThanOrEqualTo(0).isLessThan(1);
      below += unit < 0.5 ? 1 : 0;
    }
    assertThat(below).isBetween(49_500, 50_500); // 3 sigma are 474
  }
}
