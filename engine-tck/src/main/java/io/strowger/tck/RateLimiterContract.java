package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.limit.Quota;
import io.strowger.spi.limit.Quota.Window;
import io.strowger.spi.limit.RateLimitSubject;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.limit.RateLimiter.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link RateLimiter}: no window ever admits more requests than its quota, and
 * a refused request is admitted at the reset time that its refusal states. The author of a limiter
 * extends this class and returns the limiter.
 *
 * <p>Each test uses subjects with ids of their own, so all tests may share one store.
 */
public abstract class RateLimiterContract {
  private static final Instant MORNING = Instant.parse("2026-01-05T08:00:00.250Z");

  /** Returns a limiter that counts requests and enforces the quotas of its subjects. */
  protected abstract RateLimiter limiter();

  private static RateLimitSubject subject(String id, Quota... quotas) {
    return new RateLimitSubject(RateLimitSubject.Kind.KEY, id, List.of(quotas));
  }

  private static Quota perMinute(int limit) {
    return new Quota(Window.MINUTE, limit);
  }

  private static Quota perDay(int limit) {
    return new Quota(Window.DAY, limit);
  }

  private static int countAdmitted(
      RateLimiter limiter, RateLimitSubject subject, Instant at, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += limiter.admit(subject, at).admitted() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  @DisplayName("without a quota every request is admitted, and no limit is reported")
  void unlimited() {
    RateLimiter limiter = limiter();
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.admit(subject("unlimited"), MORNING)).isEqualTo(Decision.UNLIMITED);
    }
  }

  @Test
  @DisplayName("a quota admits its number of requests and no more, and remaining() counts down")
  void countsDown() {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("counts", perMinute(3));
    for (int left = 2; left >= 0; left--) {
      Decision decision = limiter.admit(subject, MORNING);
      assertThat(decision.admitted()).isTrue();
      assertThat(decision.limit()).isEqualTo(3);
      assertThat(decision.remaining()).isEqualTo(left);
    }
    Decision refused = limiter.admit(subject, MORNING);
    assertThat(refused.admitted()).isFalse();
    assertThat(refused.limit()).isEqualTo(3);
    assertThat(refused.remaining()).isZero();
    assertThat(refused.reset()).isAfter(MORNING);
  }

  @Test
  @DisplayName("a refused request is admitted at the reset time, and not two seconds earlier")
  void reset() {
    RateLimiter limiter = limiter();
    for (Quota quota : List.of(perMinute(2), perDay(2))) {
      RateLimitSubject subject = subject("reset-" + quota.window(), quota);
      assertThat(countAdmitted(limiter, subject, MORNING, 2)).isEqualTo(2);
      Decision refused = limiter.admit(subject, MORNING.plusSeconds(1));
      assertThat(limiter.admit(subject, refused.reset().minusSeconds(2)).admitted()).isFalse();
      assertThat(limiter.admit(subject, refused.reset()).admitted()).isTrue();
    }
  }

  @Test
  @DisplayName("no interval of 60 seconds admits more than the quota per minute")
  void slides() {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("slides", perMinute(5));
    var times = new ArrayList<Instant>();
    for (int i = 0; i < 1_000; i++) {
      Instant at = MORNING.plusMillis(i * 370L);
      if (limiter.admit(subject, at).admitted()) {
        times.add(at);
      }
    }
    assertThat(times).as("in 370 seconds").hasSizeGreaterThanOrEqualTo(25);
    for (int i = 5; i < times.size(); i++) {
      assertThat(Duration.between(times.get(i - 5), times.get(i)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(60));
    }
  }

  @Test
  @DisplayName("a quota per day starts again at midnight UTC")
  void midnight() {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("midnight", perDay(2));
    Instant late = Instant.parse("2026-01-05T23:59:59.900Z");
    assertThat(countAdmitted(limiter, subject, MORNING, 1)).isEqualTo(1);
    assertThat(countAdmitted(limiter, subject, late, 5)).isEqualTo(1);
    Decision refused = limiter.admit(subject, late);
    assertThat(refused.reset()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    assertThat(countAdmitted(limiter, subject, refused.reset(), 5)).isEqualTo(2);
  }

  @Test
  @DisplayName("a request counts for all quotas or for none")
  void together() {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("together", perMinute(2), perDay(3));
    assertThat(countAdmitted(limiter, subject, MORNING, 100)).isEqualTo(2);
    Instant later = MORNING.plusSeconds(120);
    assertThat(countAdmitted(limiter, subject, later, 100)).as("left of the day").isEqualTo(1);
    Decision refused = limiter.admit(subject, later);
    assertThat(refused.limit()).isEqualTo(3);
    assertThat(refused.reset()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
  }

  @Test
  @DisplayName("a refused request does not count")
  void refusedIsFree() {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("refused", perMinute(1));
    assertThat(limiter.admit(subject, MORNING).admitted()).isTrue();
    Instant reset = limiter.admit(subject, MORNING.plusSeconds(30)).reset();
    for (int second = 31; second < 59; second++) {
      assertThat(limiter.admit(subject, MORNING.plusSeconds(second)).reset()).isEqualTo(reset);
    }
    assertThat(limiter.admit(subject, reset).admitted()).isTrue();
  }

  @Test
  @DisplayName("requests of one subject do not count for another")
  void apart() {
    RateLimiter limiter = limiter();
    RateLimitSubject one = subject("one", perMinute(1));
    RateLimitSubject other = subject("other", perMinute(1));
    var free =
        new RateLimitSubject(RateLimitSubject.Kind.FREE_MODELS, "one", List.of(perMinute(1)));
    for (RateLimitSubject subject : List.of(one, other, free)) {
      assertThat(countAdmitted(limiter, subject, MORNING, 3)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a quota that is raised admits at once, one that is lowered refuses at once")
  void changed() {
    RateLimiter limiter = limiter();
    assertThat(countAdmitted(limiter, subject("changed", perMinute(2)), MORNING, 5)).isEqualTo(2);
    assertThat(countAdmitted(limiter, subject("changed", perMinute(5)), MORNING, 5)).isEqualTo(3);
    assertThat(countAdmitted(limiter, subject("changed", perMinute(4)), MORNING, 5)).isZero();
  }

  @Test
  @DisplayName("concurrent requests are admitted up to the quota, and not one more")
  void concurrent() throws InterruptedException {
    RateLimiter limiter = limiter();
    RateLimitSubject subject = subject("concurrent", perMinute(1_000), perDay(2_000));
    var admitted = new AtomicInteger();
    var start = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 64; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      start.await();
                    } catch (InterruptedException ended) {
                      return;
                    }
                    admitted.addAndGet(countAdmitted(limiter, subject, MORNING, 50));
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted.get()).isEqualTo(1_000);
  }
}
