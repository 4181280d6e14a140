package io.strowger.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.strowger.spi.observe.LoadSnapshot.DestinationLoad;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;

/**
 * The meters of observability destinations. Destinations come and go while a gateway runs, so their
 * counters are incremented by what was added since the previous reading: the counters of a removed
 * destination keep their values, and those labelled {@code other} never decrease. Safe on any
 * thread.
 */
final class DestinationMeters {
  private static final String NAME = "strowger.destination.";

  private final MeterRegistry registry;
  private final BoundedLabelValues ids;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Label> gaugedLabels = new HashSet<>(); // guarded by lock
  private Map<Key, Totals> countedTotals = Map.of(); // of existing destinations; guarded by lock
  private volatile List<DestinationLoad> lastLoads = List.of();

  /** Identifies a destination of the gateway. */
  private record Key(String id, String type) {}

  /** The labels of a destination; both are {@code other} beyond the bound. */
  private record Label(String destination, String type) {
    Tags tags() {
      return Tags.of("destination", destination, "type", type);
    }
  }

  /**
   * The sums of the counters of the destinations with the same key.
   *
   * @param destinations how many there are
   */
  private record Totals(
      int destinations, long delivered, Map<String, Long> dropped, long failures) {
    static final Totals NONE = new Totals(0, 0, Map.of(), 0);

    Totals plus(DestinationLoad load) {
      var sums = new HashMap<>(dropped);
      load.droppedByReason().forEach((reason, count) -> sums.merge(reason, count, Long::sum));
      return new Totals(
          destinations + 1, delivered + load.delivered(), sums, failures + load.failures());
    }
  }

  /**
   * @param ids bounds how many destinations have labels of their own
   */
  DestinationMeters(MeterRegistry registry, BoundedLabelValues ids) {
    this.registry = registry;
    this.ids = ids;
  }

  /** Updates the meters to these destinations. */
  void update(List<DestinationLoad> loads) {
    lock.lock();
    try {
      lastLoads = loads;
      var next = new HashMap<Key, Totals>();
      for (DestinationLoad load : loads) {
        // a destination in the file may have the same id as one created over HTTP
        next.merge(
            new Key(load.id(), load.type()), Totals.NONE.plus(load), (sum, same) -> sum.plus(load));
        Label label = label(load);
        if (gaugedLabels.add(label)) {
          registerGauges(label);
        }
      }
      next.forEach(
          (key, totals) -> {
            Totals previous = previousTotals(key, next.keySet());
            // when one of several is removed, the sums fall, and what the others added is unknown
            if (totals.destinations() >= previous.destinations()) {
              incrementCounters(key, totals, previous);
            }
          });
      countedTotals = next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns what was counted of a destination. A reload may change its type: then the calls that
   * were counted under the former type stay there. Called under the lock.
   *
   * @param current the keys of all existing destinations
   */
  private Totals previousTotals(Key key, Set<Key> current) {
    Totals totals = countedTotals.get(key);
    if (totals != null) {
      return totals;
    }
    for (Map.Entry<Key, Totals> former : countedTotals.entrySet()) {
      if (former.getKey().id().equals(key.id()) && !current.contains(former.getKey())) {
        return former.getValue();
      }
    }
    return Totals.NONE;
  }

  private Label label(DestinationLoad load) {
    return label(load.id(), load.type());
  }

  private Label label(String id, String type) {
    return ids.admits(id)
        ? new Label(id, type)
        : new Label(BoundedLabelValues.OTHER, BoundedLabelValues.OTHER);
  }

  private void incrementCounters(Key key, Totals current, Totals previous) {
    Tags tags = label(key.id(), key.type()).tags();
    Counter.builder(NAME + "delivered")
        .description("Calls that destinations accepted")
        .tags(tags)
        .register(registry)
        .increment((double) increase(current.delivered(), previous.delivered()));
    current
        .dropped()
        .forEach(
            (reason, count) ->
                Counter.builder(NAME + "dropped")
                    .description("Calls that were dropped instead of delivered")
                    .tags(tags)
                    .tag("reason", reason)
                    .register(registry)
                    .increment(
                        (double) increase(count, previous.dropped().getOrDefault(reason, 0L))));
    Counter.builder(NAME + "failed.requests")
        .description("Requests to destinations that failed")
        .tags(tags)
        .register(registry)
        .increment((double) increase(current.failures(), previous.failures()));
  }

  /** Returns the increase; a destination created again under the same id starts at 0. */
  private static long increase(long current, long previous) {
    return current < previous ? current : current - previous;
  }

  private void registerGauges(Label label) {
    registerGauge(
        label,
        "queue.calls",
        "Calls that wait in memory or are on their way",
        load -> load.queued());
    registerGauge(
        label,
        "queue.bytes",
        "About how much memory the waiting calls take",
        load -> load.queuedBytes());
    registerGauge(label, "disk.calls", "Calls that wait on disk", load -> load.diskCalls());
    registerGauge(
        label,
        "disk.bytes",
        "Bytes of the files that hold waiting calls",
        load -> load.diskBytes());
    registerGauge(
        label,
        "failing",
        "Destinations whose last request failed",
        load -> load.failing() ? 1.0 : 0.0);
  }

  /** Registers a gauge of the sum over all destinations with the label; 0 when there is none. */
  private void registerGauge(
      Label label, String name, String description, ToDoubleFunction<DestinationLoad> value) {
    Gauge.builder(
            NAME + name,
            this,
            it ->
                it.lastLoads.stream()
                    .filter(load -> it.label(load).equals(label))
                    .mapToDouble(value)
                    .sum())
        .description(description)
        .tags(label.tags())
        .strongReference(true)
        .register(registry);
  }
}
