package io.strowger.spi.observe;

import io.strowger.spi.catalog.Usd;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A snapshot of a gateway's current load, for gauges. The figures are read one after the other, so
 * they may differ by calls that start or end meanwhile. Immutable.
 *
 * @param inFlight admitted requests that have not ended, without those of management keys
 * @param queued requests that wait for admission
 * @param bodyBytes bytes of request bodies in flight
 * @param refusals how many requests were refused because of overload since the gateway was built,
 *     by reason in lower case; contains every reason
 * @param openHolds the number of holds that are not settled or released yet; 0 if the ledger does
 *     not say
 * @param heldAmount the credits set aside by these holds; 0 if the ledger does not say
 * @param endpoints the endpoints of the catalog that were used, by {@link
 *     io.strowger.spi.catalog.Endpoint#id()}
 * @param batchRequests requests of batches that this node is answering; those that wait for a
 *     worker are in the store and are not counted here
 * @param destinations the active observability destinations, each once
 */
public record LoadSnapshot(
    int inFlight,
    int queued,
    long bodyBytes,
    Map<String, Long> refusals,
    int openHolds,
    Usd heldAmount,
    Map<String, EndpointLoad> endpoints,
    int batchRequests,
    List<DestinationLoad> destinations) {
  public LoadSnapshot {
    Objects.requireNonNull(heldAmount, "heldAmount");
    refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
    endpoints = Collections.unmodifiableMap(new LinkedHashMap<>(endpoints));
    destinations = List.copyOf(destinations);
  }

  /** The state of an endpoint's circuit breaker. */
  public enum Breaker {
    /** All requests pass. */
    CLOSED,
    /** One request tests whether the endpoint has recovered. */
    HALF_OPEN,
    /** No request passes. */
    OPEN
  }

  /**
   * The load of one endpoint.
   *
   * @param inFlight attempts that have not ended
   * @param skippedWhenFull how often it was passed over because it was full, since the gateway was
   *     built
   */
  public record EndpointLoad(int inFlight, long skippedWhenFull, Breaker breaker) {
    public EndpointLoad {
      Objects.requireNonNull(breaker, "breaker");
    }
  }

  /**
   * One observability destination. Every call that was handed over is delivered, dropped or
   * waiting.
   *
   * @param id the id of the destination
   * @param type the type, a word of a fixed set, such as {@code webhook}
   * @param queued calls that wait in memory, or are on their way from there
   * @param queuedBytes about how many bytes of memory they take
   * @param diskCalls calls that wait on disk, or are on their way from there; 0 without a disk
   *     queue
   * @param diskBytes size of their files in bytes
   * @param delivered calls that the destination accepted since the gateway was built
   * @param droppedByReason calls that were dropped since then, by reason, a word of a fixed set;
   *     every reason is in it
   * @param failures requests to the destination that failed, since then
   * @param failing whether the last request failed
   */
  public record DestinationLoad(
      String id,
      String type,
      long queued,
      long queuedBytes,
      long diskCalls,
      long diskBytes,
      long delivered,
      Map<String, Long> droppedByReason,
      long failures,
      boolean failing) {
    public DestinationLoad {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(type, "type");
      droppedByReason = Collections.unmodifiableMap(new LinkedHashMap<>(droppedByReason));
    }
  }
}
