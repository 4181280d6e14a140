package io.strowger.core.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.limit.RateLimitSubject;
import io.strowger.spi.limit.RateLimiter;
import java.time.Duration;
import java.time.Instant;

/**
 * Counts requests in the memory of this process; a restart begins at zero. There is one lock per
 * subject and no global one. A subject without requests for 25 hours is forgotten, so memory is
 * bounded by the subjects of about a day.
 */
public final class MemoryRateLimiter implements RateLimiter {
  private static final Duration RETENTION = Duration.ofHours(25);

  private final Cache<SubjectKey, SubjectTally> tallies;

  private record SubjectKey(RateLimitSubject.Kind kind, String id) {}

  public MemoryRateLimiter(Ambient ambient) {
    this.tallies =
        Caffeine.newBuilder()
            .expireAfterAccess(RETENTION)
            .ticker(ambient::nanoTime)
            .executor(Runnable::run) // no thread of its own
            .build();
  }

  @Override
  public Decision admit(RateLimitSubject subject, Instant at) {
    if (subject.quotas().isEmpty()) {
      return Decision.UNLIMITED;
    }
    return tallies
        .get(new SubjectKey(subject.kind(), subject.id()), key -> new SubjectTally())
        .admit(subject, at);
  }

  /** Returns how many subjects are remembered. */
  long size() {
    tallies.cleanUp();
    return tallies.estimatedSize();
  }
}
