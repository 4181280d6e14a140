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
 * Applies the rate limits to requests: the limits of the key before the body is read, and the
 * limits on free models once it is decoded. A request counts once it is admitted, even if it fails
 * later. Safe on any thread. Routing fact sheet, section 10; open question 86.
 */
public final class Rates {
  private static final String FREE = "free";
  private static final String FREE_ROUTER = "router/free";

  private final RateLimiter limiter;
  private final Ambient ambient;
  private final List<Quota> keyQuotas;
  private final List<Quota> freeModelQuotas;

  /**
   * @param keyQuotas the quotas of each single key; empty for no limit
   * @param freeModelQuotas the quotas of all keys together on {@code :free} models; empty for no
   *     limit
   */
  public Rates(
      RateLimiter limiter, Ambient ambient, List<Quota> keyQuotas, List<Quota> freeModelQuotas) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.keyQuotas = List.copyOf(keyQuotas);
    this.freeModelQuotas = List.copyOf(freeModelQuotas);
  }

  /** Returns rates without limits. */
  public static Rates none(Ambient ambient) {
    return new Rates(RateLimiter.NONE, ambient, List.of(), List.of());
  }

  /**
   * Counts a request of this key; returns the error when it is refused, null when it is admitted.
   */
  public @Nullable GatewayError checkKey(KeyId key) {
    return keyQuotas.isEmpty() || limiter == RateLimiter.NONE
        ? null
        : refusal(new RateLimitSubject(RateLimitSubject.Kind.KEY, key.hex(), keyQuotas));
  }

  /**
   * Counts a request for these models; returns the error when it is refused, null when it is
   * admitted. A request with at least one free model counts as a request for free models.
   */
  public @Nullable GatewayError checkModels(List<ModelRef> models) {
    for (ModelRef model : models) {
      if (model.variants().contains(FREE) || model.slug().equals(FREE_ROUTER)) {
        return refusal(
            new RateLimitSubject(RateLimitSubject.Kind.FREE_MODELS, "default", freeModelQuotas));
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
