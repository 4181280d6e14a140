package io.strowger.spi.observe;

import io.strowger.spi.catalog.Usd;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A snapshot of a gateway's current load, for gauges. The figures are read one after the other
 * while calls come and go, so they may differ by those. Immutable.
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
 * @param batchRequests requests of batches that this node is answering; those that wait for a
 *     worker are in the store and are not counted here
 * @param destinations the observability destinations in force, each once
 */
public record LoadSnapshot(
    int inFlight,
    int queued,
    long bodyBytes,
    Map<String, Long> refusals,
    int holds,
    Usd held,
    Map<String, EndpointLoad> endpoints,
    int batchRequests,
    List<DestinationLoad> destinations) {
  public LoadSnapshot {
    Objects.requireNonNull(held, "held");
    refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
    endpoints = Collections.unmodifiableMap(new LinkedHashMap<>(endpoints));
    destinations = List.copyOf(destinations);
  }

  /** The state of an endpoint's circuit breaker. */
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

  /**
   * One observability destination. Every call that was handed over is delivered, dropped or
   * waiting.
   *
   * @param id of the destination
   * @param type such as {@code webhook}, a word of a closed list
   * @param queued calls that wait in memory, or are on their way from there
   * @param queuedBytes about how many bytes of memory they take
   * @param diskCalls calls that wait on disk, or are on their way from there; 0 without such a
   *     queue
   * @param diskBytes bytes of the files they are in
   * @param delivered calls the destination took, since the gateway was built
   * @param dropped calls that were dropped since then, by the reason, a word of a closed list;
   *     every reason is in it
   * @param failures requests to the destination that failed, since then
   * @param failing the last request failed
   */
  public record DestinationLoad(
      String id,
      String type,
      long queued,
      long queuedBytes,
      long diskCalls,
      long diskBytes,
      long delivered,
      Map<String, Long> dropped,
      long failures,
      boolean failing) {
    public DestinationLoad {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(type, "type");
      dropped = Collections.unmodifiableMap(new LinkedHashMap<>(dropped));
    }
  }
}
