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
 * counters are incremented by what was added since the previous reading: the counters of one that
 * is gone keep their values, and those of {@code other} never decrease. Safe on any thread.
 */
final class DestinationMeters {
  private static final String NAME = "strowger.destination.";

  private final MeterRegistry registry;
  private final BoundedLabelValues ids;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Label> gauged = new HashSet<>(); // under the lock
  private Map<Key, Totals> counted = Map.of(); // of those that exist, under the lock
  private volatile List<DestinationLoad> last = List.of();

  /** Identifies a destination of the gateway. */
  private record Key(String id, String type) {}

  /** The labels of a destination; both are {@code other} beyond the bound. */
  private record Label(String destination, String type) {
    Tags tags() {
      return Tags.of("destination", destination, "type", type);
    }
  }

  /** The counters of a destination, which never decrease. */
  private record Totals(long delivered, Map<String, Long> dropped, long failures) {
    static final Totals NONE = new Totals(0, Map.of(), 0);

    Totals plus(DestinationLoad more) {
      var all = new HashMap<>(dropped);
      more.dropped().forEach((reason, count) -> all.merge(reason, count, Long::sum));
      return new Totals(delivered + more.delivered(), all, failures + more.failures());
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
  void follow(List<DestinationLoad> now) {
    lock.lock();
    try {
      last = now;
      var next = new HashMap<Key, Totals>();
      for (DestinationLoad one : now) {
        // a destination in the file may have the same id as one created over HTTP
        next.merge(
            new Key(one.id(), one.type()), Totals.NONE.plus(one), (sum, same) -> sum.plus(one));
        Label label = label(one);
        if (gauged.add(label)) {
          gauges(label);
        }
      }
      next.forEach((key, totals) -> count(key, totals, counted.getOrDefault(key, Totals.NONE)));
      counted = next;
    } finally {
      lock.unlock();
    }
  }

  private Label label(DestinationLoad of) {
    return label(of.id(), of.type());
  }

  private Label label(String id, String type) {
    return ids.admits(id)
        ? new Label(id, type)
        : new Label(BoundedLabelValues.OTHER, BoundedLabelValues.OTHER);
  }

  private void count(Key key, Totals now, Totals before) {
    Tags tags = label(key.id(), key.type()).tags();
    Counter.builder(NAME + "delivered")
        .description("Calls that destinations took")
        .tags(tags)
        .register(registry)
        .increment((double) added(now.delivered(), before.delivered()));
    now.dropped()
        .forEach(
            (reason, count) ->
                Counter.builder(NAME + "dropped")
                    .description("Calls that were dropped instead of delivered")
                    .tags(tags)
                    .tag("reason", reason)
                    .register(registry)
                    .increment((double) added(count, before.dropped().getOrDefault(reason, 0L))));
    Counter.builder(NAME + "failed.requests")
        .description("Requests to destinations that failed")
        .tags(tags)
        .register(registry)
        .increment((double) added(now.failures(), before.failures()));
  }

  /** Returns the increase; a destination created again under the same id starts at 0. */
  private static long added(long now, long before) {
    return now < before ? now : now - before;
  }

  private void gauges(Label label) {
    gauge(
        label, "queue.calls", "Calls that wait in memory or are on their way", one -> one.queued());
    gauge(label, "queue.bytes", "About how much memory they take", one -> one.queuedBytes());
    gauge(label, "disk.calls", "Calls that wait on disk", one -> one.diskCalls());
    gauge(label, "disk.bytes", "Bytes of the files they are in", one -> one.diskBytes());
    gauge(
        label,
        "failing",
        "Destinations whose last request failed",
        one -> one.failing() ? 1.0 : 0.0);
  }

  /** Registers a gauge of the sum over all destinations with the label; 0 when there is none. */
  private void gauge(
      Label label, String name, String description, ToDoubleFunction<DestinationLoad> value) {
    Gauge.builder(
            NAME + name,
            this,
            it ->
                it.last.stream()
                    .filter(one -> it.label(one).equals(label))
                    .mapToDouble(value)
                    .sum())
        .description(description)
        .tags(label.tags())
        .strongReference(true)
        .register(registry);
  }
}
