package io.strowger.spi.observe;

import io.strowger.spi.catalog.Usd;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a gateway is doing at one moment, for gauges. The figures are read one after the other while
 * calls come and go, so they may differ by those. Immutable.
 *
 * @param inFlight requests that were let in and have not ended, without those of management keys
 * @param queued requests that wait for a place
 * @param bodyBytes bytes of request bodies in flight
 * @param refusals how many requests were refused since the gateway was built because there was too
 *     much of something, by the reason in lower case; every reason is in it
 * @param holds how many acts under way have money set aside; 0 where the ledger does not say
 * @param held the credits they have set aside together; 0 where the ledger does not say
 * @param endpoints the endpoints of the catalog that were used, by {@link
 *     io.strowger.spi.catalog.Endpoint#id()}
 */
public record LoadSnapshot(
    int inFlight,
    int queued,
    long bodyBytes,
    Map<String, Long> refusals,
    int holds,
    Usd held,
    Map<String, EndpointLoad> endpoints) {
  public LoadSnapshot {
    Objects.requireNonNull(held, "held");
    refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
    endpoints = Collections.unmodifiableMap(new LinkedHashMap<>(endpoints));
  }

  /** What the breaker of an endpoint does. */
  public enum Breaker {
    /** Everything passes. */
    CLOSED,
    /** One request finds out whether the endpoint is back. */
    HALF_OPEN,
    /** Nothing passes. */
    OPEN
  }

  /**
   * One endpoint.
   *
   * @param inFlight attempts that have not ended
   * @param passedOver how often it was passed over because it was full, since the gateway was built
   */
  public record EndpointLoad(int inFlight, long passedOver, Breaker breaker) {
    public EndpointLoad {
      Objects.requireNonNull(breaker, "breaker");
    }
  }
}
