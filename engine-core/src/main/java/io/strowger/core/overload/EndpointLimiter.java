package io.strowger.core.overload;

import io.strowger.core.overload.AdmissionSnapshot.EndpointLoad;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the attempts in flight at each endpoint. A full endpoint is passed over for the next
 * candidate, which does not affect its health. Counts are kept when the catalog changes. Safe on
 * any thread; takes no lock except on the first attempt at an endpoint.
 *
 * <p>Requests of batches, for which no caller waits, are background requests. A share of the places
 * is reserved for live requests; when live requests take all places, one is kept for background
 * requests as long as they ask for one, so that neither kind starves the other. Decision 59.
 */
public final class EndpointLimiter {
  private final Supplier<OverloadLimits> limits;
  private final Ambient ambient;
  private final Map<String, Places> endpoints = new ConcurrentHashMap<>();
  private final LongAdder refusals = new LongAdder();
  private final double liveShare;

  /** How long a place is kept for background requests after one of them found none. */
  private static final long BACKGROUND_RESERVE_NANOS = 5_000_000_000L;

  /** The places at one endpoint. */
  private static final class Places {
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger backgroundInFlight = new AtomicInteger(); // of those in flight
    private final AtomicLong reservedUntil = new AtomicLong(); // 0: no place is kept
    private final LongAdder passedOver = new LongAdder();
    private final ServiceTime serviceTime = new ServiceTime();
    private final AdaptiveLimit adaptive = new AdaptiveLimit();

    int limit(OverloadLimits overloadLimits) {
      return overloadLimits.adaptive()
          ? Math.min(adaptive.limit(), overloadLimits.perEndpoint())
          : overloadLimits.perEndpoint();
    }
  }

  /**
   * @param limits the current limits
   */
  public EndpointLimiter(Supplier<OverloadLimits> limits, Ambient ambient) {
    this(limits, ambient, 0.5);
  }

  /**
   * @param limits the current limits
   * @param liveShare the fraction of the places at an endpoint that is reserved for live requests;
   *     0 to 1
   */
  public EndpointLimiter(Supplier<OverloadLimits> limits, Ambient ambient, double liveShare) {
    if (!(liveShare >= 0 && liveShare <= 1)) {
      throw new IllegalArgumentException("liveShare must be 0 to 1, was " + liveShare);
    }
    this.limits = limits;
    this.ambient = ambient;
    this.liveShare = liveShare;
  }

  /**
   * Takes a place.
   *
   * @param endpoint the id of the endpoint
   * @param byokKey id of the customer's own key the attempt is made with; null for the gateway's
   *     credential
   * @return the place, which must be released; null when the endpoint is full
   */
  public @Nullable Slot tryAcquire(String endpoint, @Nullable String byokKey) {
    Places places = places(endpoint);
    int max = places.limit(limits.get());
    if (places.reservedUntil.get() != 0 && hasReservedPlace(places)) {
      max--;
    }
    Slot slot = take(places, max, byokKey, false);
    if (slot == null) {
      places.passedOver.increment();
      places.serviceTime.recordShortage(ambient.nanoTime());
    }
    return slot;
  }

  /**
   * Takes a place for a background request, as {@link #tryAcquire}. When there is none and no
   * background request has one, a place is kept for background requests for the next seconds.
   */
  public @Nullable Slot tryAcquireBackground(String endpoint, @Nullable String byokKey) {
    Places places = places(endpoint);
    int max = places.limit(limits.get());
    int share = Math.max(1, (int) Math.min(max, max * (1 - liveShare)));
    int current = places.backgroundInFlight.getAndIncrement();
    Slot slot = current < share ? take(places, max, byokKey, true) : null;
    if (slot == null) {
      places.backgroundInFlight.decrementAndGet();
      if (current == 0) {
        places.reservedUntil.set((ambient.nanoTime() + BACKGROUND_RESERVE_NANOS) | 1);
      }
    } else if (places.reservedUntil.get() != 0) {
      places.reservedUntil.set(0);
    }
    return slot;
  }

  private Places places(String endpoint) {
    Places places = endpoints.get(endpoint);
    return places == null ? endpoints.computeIfAbsent(endpoint, id -> new Places()) : places;
  }

  /** Returns whether a place is kept for background requests. */
  private boolean hasReservedPlace(Places places) {
    long deadline = places.reservedUntil.get();
    if (deadline != 0 && ambient.nanoTime() - deadline >= 0) {
      places.reservedUntil.compareAndSet(deadline, 0);
      return false;
    }
    return deadline != 0 && places.backgroundInFlight.get() == 0;
  }

  private @Nullable Slot take(
      Places places, int max, @Nullable String byokKey, boolean background) {
    for (int current = places.inFlight.get(); current < max; current = places.inFlight.get()) {
      if (places.inFlight.compareAndSet(current, current + 1)) {
        long now = places.serviceTime.isMeasuring() ? ambient.nanoTime() : 0;
        return new Slot(places, byokKey == null, now, background);
      }
    }
    return null;
  }

  /**
   * Counts a request that found no place at any endpoint, and returns its error.
   *
   * @param fullEndpoints the ids of the endpoints that had no place; at least one
   * @return 503, with the expected time until the first place is free in {@code Retry-After}
   */
  public GatewayError refusal(List<String> fullEndpoints) {
    refusals.increment();
    long now = ambient.nanoTime();
    long minSeconds = Long.MAX_VALUE;
    for (String endpoint : fullEndpoints) {
      Places places = endpoints.get(endpoint);
      if (places != null) {
        int inFlight = places.inFlight.get();
        minSeconds = Math.min(minSeconds, places.serviceTime.retryAfterSeconds(1, inFlight, now));
      }
    }
    return GatewayError.of(ErrorCode.UNAVAILABLE)
        .withMetadata("overload", Json.of(RefusalReason.ENDPOINT.wireName()))
        .withRetryAfter(minSeconds == Long.MAX_VALUE ? 1 : minSeconds);
  }

  /** Returns how many requests received a {@link #refusal}. */
  long refusals() {
    return refusals.sum();
  }

  /** Returns the endpoints that were used, by id. */
  public Map<String, EndpointLoad> loads() {
    var loads = new HashMap<String, EndpointLoad>();
    OverloadLimits overloadLimits = limits.get();
    endpoints.forEach(
        (id, places) ->
            loads.put(
                id,
                new EndpointLoad(
                    places.inFlight.get(), places.limit(overloadLimits), places.passedOver.sum())));
    return loads;
  }

  /** A place at an endpoint, for one attempt. Safe on any thread. */
  public final class Slot {
    private final Places places;
    private final boolean gatewayCredential;
    private final long acquiredNanos; // 0: not measured
    private final boolean background;
    private final AtomicBoolean released = new AtomicBoolean();

    private Slot(Places places, boolean gatewayCredential, long acquiredNanos, boolean background) {
      this.places = places;
      this.gatewayCredential = gatewayCredential;
      this.acquiredNanos = acquiredNanos;
      this.background = background;
    }

    /** Records the time from the start of the attempt to the first content of a stream. */
    public void recordFirstContent(long nanos) {
      recordSample(AdaptiveLimit.Kind.FIRST_CONTENT, nanos);
    }

    /** Records the time from the start of the attempt to the end of an unstreamed answer. */
    public void recordWholeAnswer(long nanos) {
      recordSample(AdaptiveLimit.Kind.WHOLE_ANSWER, nanos);
    }

    private void recordSample(AdaptiveLimit.Kind kind, long nanos) {
      OverloadLimits overloadLimits = limits.get();
      if (overloadLimits.adaptive()) {
        places.adaptive.recordSample(
            kind, nanos, places.inFlight.get(), overloadLimits.perEndpoint());
      }
    }

    /** Records that the attempt failed; a failure by overload lowers the limit. */
    public void recordFailure(FailureKind kind) {
      // a rate limit of a customer's own key does not concern other requests
      boolean isRateLimited = kind == FailureKind.RATE_LIMITED && gatewayCredential;
      if (isRateLimited || kind == FailureKind.OVERLOADED) {
        recordOverload();
      }
    }

    /** Records that the attempt timed out: no time is measured, but the limit is lowered. */
    public void recordTimeout() {
      recordOverload();
    }

    private void recordOverload() {
      OverloadLimits overloadLimits = limits.get();
      if (overloadLimits.adaptive()) {
        places.adaptive.recordOverload(overloadLimits.perEndpoint());
      }
    }

    /** Gives the place back. Only the first call has an effect. */
    public void release() {
      if (released.compareAndSet(false, true)) {
        places.inFlight.decrementAndGet();
        if (background) {
          places.backgroundInFlight.decrementAndGet();
        }
        if (acquiredNanos != 0) {
          long now = ambient.nanoTime();
          places.serviceTime.recordDuration(now - acquiredNanos, now);
        }
      }
    }
  }
}
