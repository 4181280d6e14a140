package io.strowger.core.limit;

import io.strowger.spi.limit.Quota;
import io.strowger.spi.limit.RateLimitSubject;
import io.strowger.spi.limit.RateLimiter.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the requests of one subject: those of the last minute by second, and those of today. No
 * period of sixty seconds exceeds the quota, since a second that has partly passed still counts in
 * full. The size does not depend on the number of requests.
 */
final class SubjectTally {
  private static final int MINUTE = 60;
  private static final long DAY = Duration.ofDays(1).toSeconds();

  private final ReentrantLock lock = new ReentrantLock();
  private final int[] bySecond = new int[MINUTE + 1]; // the current second and the sixty before
  private int minuteCount;
  private long second = Long.MIN_VALUE; // the latest one seen
  private long day = Long.MIN_VALUE;
  private int todayCount;

  /** Counts a request when all quotas have room for it. */
  Decision admit(RateLimitSubject subject, Instant at) {
    lock.lock();
    try {
      advanceTo(at.getEpochSecond());
      Quota tightest = null;
      for (Quota quota : subject.quotas()) {
        if (tightest == null || isTighter(quota, tightest)) {
          tightest = quota;
        }
      }
      if (tightest == null) {
        return Decision.UNLIMITED;
      }
      if (left(tightest) <= 0) {
        return new Decision(false, tightest.maxRequests(), 0, latestReset(subject));
      }
      bySecond[slot(second)]++;
      minuteCount++;
      todayCount++;
      return new Decision(true, tightest.maxRequests(), left(tightest), reset(tightest));
    } finally {
      lock.unlock();
    }
  }

  private boolean isTighter(Quota a, Quota b) {
    int difference = left(a) - left(b);
    return difference < 0 || difference == 0 && reset(a).isAfter(reset(b));
  }

  private int left(Quota quota) {
    return switch (quota.window()) {
      case MINUTE -> quota.maxRequests() - minuteCount;
      case DAY -> quota.maxRequests() - todayCount;
    };
  }

  /** Returns when all exhausted quotas have room again. */
  private Instant latestReset(RateLimitSubject subject) {
    Instant latest = Instant.EPOCH;
    for (Quota quota : subject.quotas()) {
      Instant reset = reset(quota);
      latest = left(quota) <= 0 && reset.isAfter(latest) ? reset : latest;
    }
    return latest;
  }

  /** Returns when the quota has more room than now; if it is overdrawn, when it has any. */
  private Instant reset(Quota quota) {
    return switch (quota.window()) {
      case MINUTE -> Instant.ofEpochSecond(minuteReset(Math.max(1, 1 - left(quota))));
      case DAY -> LocalDate.ofEpochDay(day).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    };
  }

  /** Returns when this many requests have left the last minute, in Unix seconds. */
  private long minuteReset(int requests) {
    int count = 0;
    for (long past = second - MINUTE; past <= second; past++) {
      count += bySecond[slot(past)];
      if (count >= requests) {
        return past + MINUTE + 1;
      }
    }
    return second + 1;
  }

  /** Drops expired counts; a clock that goes backwards is treated as standing still. */
  private void advanceTo(long now) {
    if (second == Long.MIN_VALUE || now - second > MINUTE) {
      Arrays.fill(bySecond, 0);
      minuteCount = 0;
      second = now;
    }
    while (second < now) {
      second++;
      minuteCount -= bySecond[slot(second)];
      bySecond[slot(second)] = 0;
    }
    long date = Math.floorDiv(second, DAY);
    if (date != day) {
      day = date;
      todayCount = 0;
    }
  }

  private static int slot(long second) {
    return (int) Math.floorMod(second, (long) MINUTE + 1);
  }
}
