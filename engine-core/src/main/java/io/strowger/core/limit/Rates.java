package io.strowger.core.limit;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.limit.Quota;
import io.strowger.spi.limit.RateLimitSubject;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.limit.RateLimiter.Decision;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks the limiter for a request: as one of its key, which is known before its body is read, and as
 * one for models that cost nothing, which is known when it has been decoded. A request counts when
 * it is admitted, also when it fails later. Safe on any thread. Routing fact sheet, section 10;
 * open question 86.
 */
public final class Rates {
  private static final String FREE = "free";
  private static final String FREE_ROUTER = "router/free";

  private final RateLimiter limiter;
  private final Ambient ambient;
  private final List<Quota> perKey;
  private final List<Quota> free;

  /**
   * @param perKey hold for each key by itself; none: no limit
   * @param free hold for all keys of the account together, on {@code :free} models; none: no limit
   */
  public Rates(RateLimiter limiter, Ambient ambient, List<Quota> perKey, List<Quota> free) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.perKey = List.copyOf(perKey);
    this.free = List.copyOf(free);
  }

  /** Limits nobody. */
  public static Rates none(Ambient ambient) {
    return new Rates(RateLimiter.NONE, ambient, List.of(), List.of());
  }

  /** Why a request of this key may not go on; null when it may. */
  public @Nullable GatewayError ofKey(KeyId key) {
    return perKey.isEmpty() || limiter == RateLimiter.NONE
        ? null
        : refusal(new RateLimitSubject(RateLimitSubject.Kind.KEY, key.hex(), perKey));
  }

  /**
   * Why a request for these models may not go on; null when it may. One free model among them makes
   * it a request for free models.
   */
  public @Nullable GatewayError ofModels(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (model.variants().contains(FREE) || model.slug().equals(FREE_ROUTER)) {
        return refusal(new RateLimitSubject(RateLimitSubject.Kind.FREE_MODELS, "default", free));
      }
    }
    return null;
  }

  private @Nullable GatewayError refusal(RateLimitSubject subject) {
    Instant now = ambient.now();
    Decision decision = limiter.admit(subject, now);
    return decision.admitted()
        ? null
        : GatewayError.of(ErrorCode.RATE_LIMIT_EXCEEDED)
            .withRetryAfter(decision.retryAfterSeconds(now))
            .withHeader("X-RateLimit-Limit", Long.toString(decision.limit()))
            .withHeader("X-RateLimit-Remaining", Long.toString(decision.remaining()))
            .withHeader("X-RateLimit-Reset", Long.toString(decision.reset().toEpochMilli()));
  }
}
