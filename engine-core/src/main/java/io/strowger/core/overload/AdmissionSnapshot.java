package io.strowger.core.overload;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The requests in flight at one moment, and the refusals until then. The figures are read one after
 * the other while requests come and go, so they may not match exactly.
 *
 * @param inFlight requests that were admitted and have not ended; those of management keys are not
 *     counted
 * @param queued requests that wait for a place
 * @param bodyBytes bytes of request bodies in flight, as counted against the budget
 * @param refusals how many requests were refused since the gateway was built, by reason; every
 *     reason is in it
 * @param endpoints the endpoints that were used, by id
 */
public record AdmissionSnapshot(
    int inFlight,
    int queued,
    long bodyBytes,
    Map<RefusalReason, Long> refusals,
    Map<String, EndpointLoad> endpoints) {
  public AdmissionSnapshot {
    var all = new EnumMap<RefusalReason, Long>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      all.put(reason, refusals.getOrDefault(reason, 0L));
    }
    refusals = Collections.unmodifiableMap(all);
    endpoints = Map.copyOf(endpoints);
  }

  /**
   * The load of one endpoint.
   *
   * @param inFlight attempts that have not ended
   * @param limit current maximum of attempts; {@link OverloadLimits#UNLIMITED} for no limit
   * @param passedOver how often it was passed over because it was full
   */
  public record EndpointLoad(int inFlight, int limit, long passedOver) {}
}
