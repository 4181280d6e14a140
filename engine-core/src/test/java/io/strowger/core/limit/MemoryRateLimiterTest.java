package io.strowger.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.limit.Quota;
import io.strowger.spi.limit.Quota.Window;
import io.strowger.spi.limit.RateLimitSubject;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.tck.RateLimiterContract;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rate limiter in memory")
class MemoryRateLimiterTest extends RateLimiterContract {
  @Override
  protected RateLimiter limiter() {
    return new MemoryRateLimiter(TestAmbient.at("2026-01-05T08:00:00Z"));
  }

  private static RateLimitSubject key(int number) {
    return new RateLimitSubject(
        RateLimitSubject.Kind.KEY, "key-" + number, List.of(new Quota(Window.DAY, 1)));
  }

  @Test
  @DisplayName("forgets a key that has sent nothing for more than a day, and no other")
  void forgets() {
    var ambient = TestAmbient.at("2026-01-05T00:00:00Z");
    var limiter = new MemoryRateLimiter(ambient);
    for (int i = 0; i < 1_000; i++) {
      limiter.admit(key(i), ambient.now());
    }
    ambient.advance(Duration.ofHours(23));
    assertThat(limiter.admit(key(7), ambient.now()).admitted()).isFalse();
    assertThat(limiter.size()).isEqualTo(1_000);
    ambient.advance(Duration.ofHours(3));
    assertThat(limiter.size()).isEqualTo(1);
    assertThat(limiter.admit(key(7), ambient.now()).admitted()).isTrue();
  }

  @Proves("open.86")
  @Test
  @DisplayName("stores nothing for a key without a quota")
  void keepsNobody() {
    var limiter = new MemoryRateLimiter(TestAmbient.at("2026-01-05T00:00:00Z"));
    limiter.admit(new RateLimitSubject(RateLimitSubject.Kind.KEY, "k", List.of()), Instant.EPOCH);
    assertThat(limiter.size()).isZero();
  }

  @Test
  @DisplayName("does not grant a quota again when the clock is set back")
  void clockGoesBack() {
    var limiter = limiter();
    Instant noon = Instant.parse("2026-01-05T12:00:00Z");
    assertThat(limiter.admit(key(1), noon).admitted()).isTrue();
    assertThat(limiter.admit(key(1), noon.minusSeconds(86_400)).admitted()).isFalse();
  }
}
