package io.strowger.core;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.overload.AdmissionSnapshot;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.LoadSnapshot;
import io.strowger.spi.observe.LoadSnapshot.Breaker;
import io.strowger.spi.observe.LoadSnapshot.DestinationLoad;
import io.strowger.spi.observe.LoadSnapshot.EndpointLoad;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the snapshot of a gateway's load at one moment. */
final class LoadSnapshots {
  private LoadSnapshots() {}

  /**
   * Returns the snapshot of a gateway's load.
   *
   * @param current the current configuration; null once the gateway is closed
   * @param batchRequests how many requests of batches are in flight
   */
  static LoadSnapshot of(
      AdmissionSnapshot admission,
      Ledger.OpenHolds holds,
      @Nullable Snapshot current,
      int batchRequests,
      List<DestinationCounts> destinations) {
    var refusals = new LinkedHashMap<String, Long>();
    admission.refusals().forEach((reason, count) -> refusals.put(reason.wireName(), count));
    return new LoadSnapshot(
        admission.inFlight(),
        admission.queued(),
        admission.bodyBytes(),
        refusals,
        holds.count(),
        holds.credits(),
        current == null ? Map.of() : endpoints(admission, current),
        batchRequests,
        destinations.stream().map(LoadSnapshots::destination).toList());
  }

  private static DestinationLoad destination(DestinationCounts counts) {
    var dropped = new LinkedHashMap<String, Long>();
    dropped.put("queue_full", counts.droppedFull());
    dropped.put("refused", counts.droppedRefused());
    dropped.put("not_delivered", counts.droppedFailed());
    dropped.put("damaged", counts.droppedDamaged());
    return new DestinationLoad(
        counts.id(),
        counts.type(),
        counts.queued(),
        counts.queuedBytes(),
        counts.diskCalls(),
        counts.diskBytes(),
        counts.delivered(),
        dropped,
        counts.failures(),
        counts.failing());
  }

  private static Map<String, EndpointLoad> endpoints(
      AdmissionSnapshot admission, Snapshot snapshot) {
    Statistics published = snapshot.health().published();
    var loads = new LinkedHashMap<String, EndpointLoad>();
    for (Endpoint endpoint : snapshot.catalog().endpoints()) {
      AdmissionSnapshot.EndpointLoad load = admission.endpoints().get(endpoint.id());
      if (load != null) {
        loads.put(
            endpoint.id(),
            new EndpointLoad(load.inFlight(), load.passedOver(), breaker(published.of(endpoint))));
      }
    }
    return loads;
  }

  private static Breaker breaker(EndpointStatistics statistics) {
    if (statistics.isProbing()) {
      return Breaker.HALF_OPEN;
    }
    return statistics.isBreakerOpen() ? Breaker.OPEN : Breaker.CLOSED;
  }
}
