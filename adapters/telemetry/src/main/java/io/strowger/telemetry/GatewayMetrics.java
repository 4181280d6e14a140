package io.strowger.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.LoadSnapshot;
import io.strowger.spi.observe.LoadSnapshot.Breaker;
import io.strowger.spi.observe.TraceSink;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Records the metrics of a gateway in a Micrometer registry: requests and their times, attempts,
 * tokens, money and holds from the record of each call; the current load and the breakers from the
 * gateway itself.
 *
 * <pre>{@code
 * var metrics = new GatewayMetrics(registry);
 * Gateway gateway = Gateway.builder(config).sink(metrics).build();
 * metrics.watch(gateway::load);
 * }</pre>
 *
 * <p>The number of time series is bounded whatever callers ask for and however often the
 * configuration changes: at most a fixed number of models, of endpoints and of observability
 * destinations have a label value of their own; the rest share the value {@code other}. The
 * provider label follows the endpoint, and every other label has a fixed set of values. No label
 * contains data of a key, a caller or a prompt. Names and labels are in {@code docs/telemetry.md}.
 *
 * <p>A registry can hold the metrics of one gateway only: two would count into the same meters, and
 * only the first would have gauges. Close these metrics before another gateway gets the registry.
 * Safe on any thread.
 */
public final class GatewayMetrics implements TraceSink, AutoCloseable {
  private static final String PREFIX = "strowger.";

  /**
   * The default maximum of models, of endpoints and of destinations that have labels of their own.
   */
  public static final int MAX_VALUES = 100;

  private static final String NONE = "none";
  private static final String OTHER = BoundedLabelValues.OTHER;
  private static final double NANOS_PER_DOLLAR = 1e9;
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);

  /** The upper bounds of the histogram buckets of every timer. */
  private static final Duration[] BUCKETS =
      LongStream.of(
              50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
              600_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final BoundedLabelValues models;
  private final BoundedLabelValues endpoints;
  private final DestinationMeters destinations;
  // both contain only ids that the field endpoints has admitted
  private final Set<String> gaugedEndpoints = ConcurrentHashMap.newKeySet();
  private final Map<String, Target> targets = new ConcurrentHashMap<>();
  private volatile @Nullable Load load; // null: no gateway is watched yet

  /**
   * Creates metrics with labels for up to {@value #MAX_VALUES} models, endpoints and destinations
   * each.
   *
   * @param registry without the metrics of another gateway; not closed by {@link #close}
   */
  public GatewayMetrics(MeterRegistry registry) {
    this(registry, MAX_VALUES);
  }

  /**
   * Creates metrics with labels for up to {@code maxValues} models, endpoints and destinations
   * each.
   *
   * @param registry without the metrics of another gateway; not closed by {@link #close}
   * @param maxValues the maximum for each of the three; at least 0
   * @throws IllegalArgumentException when it is negative
   */
  public GatewayMetrics(MeterRegistry registry, int maxValues) {
    this.registry = registry;
    this.models = new BoundedLabelValues(maxValues);
    this.endpoints = new BoundedLabelValues(maxValues);
    this.destinations = new DestinationMeters(registry, new BoundedLabelValues(maxValues));
  }

  /** The labels of an endpoint; all three are {@code other} beyond the bound. */
  private record Target(String endpoint, String model, String provider) {
    static final Target ALL_OTHER = new Target(OTHER, OTHER, OTHER);
    static final Target NO_ENDPOINT = new Target(NONE, NONE, NONE);

    Tags tags() {
      return Tags.of("endpoint", endpoint, "model", model, "provider", provider);
    }
  }

  /**
   * The load of a gateway, read at most once a second however many gauges are read. One thread
   * reads at a time; meanwhile the others get the previous load, so that no older one follows a
   * newer one.
   */
  private static final class Load {
    private final Supplier<LoadSnapshot> source;
    private final MeterRegistry registry;
    private final DestinationMeters destinations;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile LoadSnapshot lastSnapshot;
    private volatile long readAt;

    Load(Supplier<LoadSnapshot> source, MeterRegistry registry, DestinationMeters destinations) {
      this.source = source;
      this.registry = registry;
      this.destinations = destinations;
      this.lastSnapshot = source.get();
      this.readAt = now();
      destinations.update(lastSnapshot.destinations());
    }

    private long now() {
      return registry.config().clock().monotonicTime();
    }

    LoadSnapshot get() {
      if (isDue() && reading.tryLock()) {
        try {
          if (isDue()) {
            read();
          }
        } finally {
          reading.unlock();
        }
      }
      return lastSnapshot;
    }

    private boolean isDue() {
      return now() - readAt >= REFRESH_INTERVAL.toNanos();
    }

    private void read() {
      readAt = now();
      LoadSnapshot latest = source.get();
      lastSnapshot = latest;
      destinations.update(latest.destinations());
    }
  }

  /**
   * Registers gauges of a gateway's load. Call it once, when the gateway is built.
   *
   * @param source {@code gateway::load}; asked on the thread that reads the registry, at most once
   *     a second
   */
  public void watch(Supplier<LoadSnapshot> source) {
    var watchedLoad = new Load(source, registry, destinations);
    gauge(
        "strowger.requests.in.flight",
        "Requests let in and not ended",
        watchedLoad,
        it -> it.inFlight());
    gauge(
        "strowger.requests.queued",
        "Requests that wait for a place",
        watchedLoad,
        it -> it.queued());
    gauge(
        "strowger.request.bodies.in.flight.bytes",
        "Bytes of bodies in flight",
        watchedLoad,
        it -> it.bodyBytes());
    gauge(
        "strowger.batch.requests.in.flight",
        "Requests of batches that this node is answering",
        watchedLoad,
        it -> it.batchRequests());
    gauge("strowger.holds", "Holds that are not settled yet", watchedLoad, it -> it.openHolds());
    gauge(
        "strowger.holds.usd",
        "Money set aside by holds that are not settled yet, in US dollars",
        watchedLoad,
        it -> dollars(it.heldAmount()));
    for (Breaker state : Breaker.values()) {
      Gauge.builder("strowger.breakers", watchedLoad, it -> endpointsWith(it.get(), state))
          .description("Endpoints that were used, by the state of their breaker")
          .tag("state", label(state))
          .strongReference(true)
          .register(registry);
    }
    for (String reason : watchedLoad.get().refusals().keySet()) {
      FunctionCounter.builder(
              "strowger.refusals", watchedLoad, it -> it.get().refusals().getOrDefault(reason, 0L))
          .description("Requests refused because a limit on the load was reached")
          .tag("reason", reason)
          .register(registry);
    }
    load = watchedLoad;
  }

  /**
   * Reads the gateway's load, unless that was done within the last second or another thread is
   * doing it. Reading a gauge does the same; a host that renders the registry calls this first, so
   * that new destinations are included. Does nothing before {@link #watch}.
   */
  public void refresh() {
    Load current = load;
    if (current != null) {
      current.get();
    }
  }

  /**
   * Removes the meters of this gateway from the registry: all whose names begin with {@code
   * strowger.}. Close the gateway first, since a call that ends later makes some of them again.
   * Does not close the registry. May be called more than once.
   */
  @Override
  public void close() {
    load = null;
    for (Meter meter : registry.getMeters()) {
      if (meter.getId().getName().startsWith(PREFIX)) {
        registry.remove(meter);
      }
    }
  }

  private void gauge(
      String name, String description, Load watchedLoad, ToDoubleFunction<LoadSnapshot> value) {
    Gauge.builder(name, watchedLoad, it -> value.applyAsDouble(it.get()))
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  private static long endpointsWith(LoadSnapshot snapshot, Breaker state) {
    return snapshot.endpoints().values().stream()
        .filter(endpoint -> endpoint.breaker() == state)
        .count();
  }

  @Override
  public void accept(CallRecord record) {
    String operation = SpanNames.operation(record.kind());
    String model = modelLabel(record);
    if (!record.isBatch()) { // no caller waits for batches: their times would distort the rest
      recordTimes(record, operation, model);
    }
    Usd otherCost = record.cost();
    for (CallRecord.Attempt attempt : record.attempts()) {
      recordAttempt(attempt);
      otherCost = otherCost.minus(attempt.billLine().cost());
    }
    if (otherCost.isMoreThan(Usd.ZERO)) {
      addCost(Target.NO_ENDPOINT, otherCost); // searches and the like, which plugins paid for
    }
    for (CallRecord.Step step : record.steps()) {
      if (step instanceof CallRecord.Step.Held) {
        Counter.builder("strowger.holds.granted")
            .description("How often money was set aside")
            .register(registry)
            .increment();
      }
    }
    // last, so that a counted request has all its other metrics
    Counter.builder("strowger.requests")
        .description("Requests that were let in and are over")
        .tags("operation", operation, "model", model)
        .tags("outcome", label(record.outcome()), "error", label(record.error()))
        .register(registry)
        .increment();
  }

  private void recordTimes(CallRecord record, String operation, String model) {
    timer(
            "strowger.request.duration",
            "From the request to the end of its answer",
            operation,
            model)
        .record(record.totalNanos(), TimeUnit.NANOSECONDS);
    if (record.firstContentNanos() >= 0) {
      timer(
              "strowger.request.first.content",
              "From the request to its first content",
              operation,
              model)
          .record(record.firstContentNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Returns the catalog's id of the model that answered, or else of the last one that was tried;
   * {@link #NONE} when none was tried. The caller's own text is not used, because it may be
   * anything.
   */
  private String modelLabel(CallRecord record) {
    String endpoint = record.endpoint();
    if (endpoint != null) {
      return models.valueOrOther(EndpointIds.model(endpoint));
    }
    return record.attempts().isEmpty()
        ? NONE
        : models.valueOrOther(record.attempts().getLast().endpoint().model());
  }

  private Timer timer(String name, String description, String operation, String model) {
    return Timer.builder(name)
        .description(description)
        .tags("operation", operation, "model", model)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private void recordAttempt(CallRecord.Attempt attempt) {
    Target target = target(attempt.endpoint());
    CallRecord.Ending ending = attempt.ending();
    Counter.builder("strowger.attempts")
        .description("Attempts at endpoints")
        .tags(target.tags())
        .tags("outcome", label(ending.outcome()), "failure", label(ending.failure()))
        .register(registry)
        .increment();
    long duration = attempt.times().endedNanos() - attempt.times().startedNanos();
    Timer.builder("strowger.attempt.duration")
        .description("From the start of an attempt to its end")
        .tags(target.tags())
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(duration, TimeUnit.NANOSECONDS);
    if (attempt.times().firstContentNanos() >= 0) {
      Timer.builder("strowger.attempt.first.content")
          .description("From the start of an attempt to its first content")
          .tags(target.tags())
          .serviceLevelObjectives(BUCKETS)
          .register(registry)
          .record(
              attempt.times().firstContentNanos() - attempt.times().startedNanos(),
              TimeUnit.NANOSECONDS);
    }
    addUsage(target, attempt.billLine().usage());
    addCost(target, attempt.billLine().cost());
  }

  private void addUsage(Target target, Usage usage) {
    addTokens(target, "input", usage.freshInput() + usage.inputAudio());
    addTokens(target, "cache_read", usage.cacheRead());
    addTokens(target, "cache_write", usage.cacheWrite5m() + usage.cacheWrite1h());
    addTokens(target, "output", usage.outputText() + usage.outputAudio());
    addTokens(target, "reasoning", usage.reasoning());
  }

  private void addTokens(Target target, String type, long count) {
    if (count > 0) {
      Counter.builder("strowger.tokens")
          .description("Tokens used; each token is counted under exactly one type")
          .tags(target.tags())
          .tag("type", type)
          .register(registry)
          .increment((double) count);
    }
  }

  private void addCost(Target target, Usd cost) {
    if (cost.isMoreThan(Usd.ZERO)) {
      Counter.builder("strowger.cost.usd")
          .description("What callers paid, in US dollars")
          .tags(target.tags())
          .register(registry)
          .increment(dollars(cost));
    }
  }

  private Target target(Endpoint endpoint) {
    String id = endpoint.id();
    if (!endpoints.admits(id)) {
      return Target.ALL_OTHER;
    }
    registerEndpointGauges(id);
    Target existing = targets.get(id);
    if (existing != null) {
      return existing;
    }
    // a reload may give the id to another provider; its series keeps the first one
    var target = new Target(id, endpoint.model(), endpoint.provider().slug());
    Target previous = targets.putIfAbsent(id, target);
    return previous == null ? target : previous;
  }

  private void registerEndpointGauges(String id) {
    Load watchedLoad = load;
    if (watchedLoad != null && gaugedEndpoints.add(id)) {
      endpointGauge(
          "strowger.endpoint.breaker",
          "State of the breaker: 0 closed, 1 half open, 2 open",
          id,
          watchedLoad,
          endpointLoad -> endpointLoad.breaker().ordinal());
      endpointGauge(
          "strowger.endpoint.in.flight",
          "Attempts that have not ended",
          id,
          watchedLoad,
          endpointLoad -> endpointLoad.inFlight());
    }
  }

  private void endpointGauge(
      String name,
      String description,
      String endpoint,
      Load watchedLoad,
      ToDoubleFunction<LoadSnapshot.EndpointLoad> value) {
    Gauge.builder(
            name,
            watchedLoad,
            it -> {
              LoadSnapshot.EndpointLoad endpointLoad = it.get().endpoints().get(endpoint);
              return endpointLoad == null ? Double.NaN : value.applyAsDouble(endpointLoad);
            })
        .description(description)
        .tag("endpoint", endpoint)
        .strongReference(true)
        .register(registry);
  }

  private static double dollars(Usd amount) {
    return amount.nanos() / NANOS_PER_DOLLAR;
  }

  private static String label(@Nullable Enum<?> constant) {
    return constant == null ? NONE : constant.name().toLowerCase(Locale.ROOT);
  }
}
