package io.strowger.core.pipeline;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.EndlessSleepAmbient;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.SlowStreamGuard;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.config.ByokKey;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.destination.Exporters;
import io.strowger.core.destination.NoTransport;
import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.health.TrackedAttempt;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.limit.Rates;
import io.strowger.core.memory.MemoryGenerations;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.core.overload.AdmissionSnapshot;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.plan.Planner;
import io.strowger.core.record.Generations;
import io.strowger.core.record.Observers;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An engine with three scripted providers, alpha, beta and gamma, from the cheapest to the dearest;
 * all serve the model acme/large.
 */
final class ScriptedEngine implements AutoCloseable {
  static final String MODEL = "acme/large";
  private static final long RECHECK_NANOS = 50_000; // lets other threads take the locks
  private static final KeyId KEY = new KeyId(1, 2, 3, 4);
  private static final Payer ACCOUNT = Payer.account(List.of());

  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  final ScriptedProvider alpha = new ScriptedProvider(ambient);
  final ScriptedProvider beta = new ScriptedProvider(ambient);
  final ScriptedProvider gamma = new ScriptedProvider(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final MemoryGenerations generations = new MemoryGenerations();
  final FaultyLedgerStore ledgerStore = new FaultyLedgerStore(new MemoryLedgerStore(generations));
  final BookLedger ledger = new BookLedger(ledgerStore, new EndlessSleepAmbient(ambient));
  final FaultyLedger faultyLedger = new FaultyLedger(ledger);
  boolean keepsContent;

  /** Receives each record before {@link #records} does. */
  TraceSink sink = record -> {};

  /** Traces the calls. */
  CallTracer tracer = call -> null;

  /** Admits the requests; they enter through the typed API. */
  final AdmissionControl admission = new AdmissionControl(OverloadLimits.NONE, ambient);

  /** The bytes of output that may be collected: few, since the answers of these tests are short. */
  static final long OUTPUT_BUDGET_BYTES = 1 << 20;

  final OutputBudget outputBudget = new OutputBudget(OUTPUT_BUDGET_BYTES);

  final EndpointLimiter endpointLimiter = new EndpointLimiter(admission::limits, ambient);

  final Cancellation cancellation = new Cancellation();
  private final Watchdog watchdog = new Watchdog(ambient);
  final Health health = new Health(new EndlessSleepAmbient(ambient), HealthPolicy.STANDARD);
  final CatalogHealth catalogHealth;
  private ChatProvider alphaAdapter = alpha;
  private Snapshot snapshot;
  private @Nullable SlowStreamGuard guard;
  private final @Nullable Usd limit;
  private final Catalog catalog;
  private final PluginRegistry registry;
  private final Inference inference;

  ScriptedEngine() {
    this(null);
  }

  /**
   * @param limit dollars the key may spend; null for no limit
   */
  ScriptedEngine(@Nullable String limit) {
    this(
        limit,
        endpoint("alpha", MODEL, "1"),
        endpoint("beta", MODEL, "100"),
        endpoint("gamma", MODEL, "10000"));
  }

  ScriptedEngine(@Nullable String limit, Endpoint... endpoints) {
    this(limit, Plugins.none(), endpoints);
  }

  /** Creates an engine with alpha, beta, gamma and these plugins. */
  ScriptedEngine(@Nullable String limit, Plugins plugins) {
    this(
        limit,
        plugins,
        endpoint("alpha", MODEL, "1"),
        endpoint("beta", MODEL, "100"),
        endpoint("gamma", MODEL, "10000"));
  }

  ScriptedEngine(@Nullable String limit, Plugins plugins, Endpoint... endpoints) {
    this.registry = PluginRegistry.of(plugins);
    this.limit = limit == null ? null : Usd.ofDollars(new BigDecimal(limit));
    this.catalog = catalog(endpoints);
    this.catalogHealth = health.healthOf(catalog);
    inference =
        new EngineInference(
            new Engine(
                ambient,
                faultyLedger,
                watchdog,
                new Stickiness(ambient),
                Rates.none(ambient),
                endpointLimiter,
                outputBudget,
                new OutgoingCallLimiter(),
                new ResponseCache(ambient, 100, 10_000_000),
                new JacksonCodec(),
                new Observers(List.of(record -> sink.accept(record), records::add), tracing()),
                null,
                noDestinations(),
                new Generations(generations, () -> keepsContent, true),
                ConcurrentHashMap.newKeySet(),
                () -> snapshot),
            admission);
    snapshot = snapshot(List.of(), Duration.ofMinutes(10));
  }

  /** Returns a tracer that delegates to the current {@link #tracer}. */
  private CallTracer tracing() {
    return new CallTracer() {
      @Override
      public @Nullable CallSpan begin(Start call) {
        return tracer.begin(call);
      }

      @Override
      public CallTracer forCallingThread() {
        return tracer.forCallingThread();
      }
    };
  }

  private Broadcaster noDestinations() {
    var destinations =
        new Destinations(
            new StoreWatch(new MemoryStores().documents(), ambient),
            new SecretCipher(SecretKeySource.NONE, byte[]::new),
            Exporters.NONE,
            new JacksonCodec(),
            ambient);
    return new Broadcaster(destinations, new NoTransport(), ambient);
  }

  /** Makes these BYOK keys available to later requests; the secret of key k is own-k. */
  ScriptedEngine withByokKeys(ByokKey... keys) {
    snapshot = snapshot(List.of(keys), Duration.ofMinutes(10));
    return this;
  }

  /** Applies this guard against slow streams to later requests. */
  ScriptedEngine withSlowStreamGuard(SlowStreamGuard slowStreamGuard) {
    guard = slowStreamGuard;
    snapshot = snapshot(List.of(), Duration.ofMinutes(10));
    return this;
  }

  /** Sets the total timeout of later requests. */
  ScriptedEngine withTotalTimeout(Duration total) {
    snapshot = snapshot(List.of(), total);
    return this;
  }

  private Snapshot snapshot(List<ByokKey> keys, Duration total) {
    return new Snapshot(
        catalog,
        registry,
        registry.prepare(catalog),
        new Planner(catalog),
        catalogHealth,
        this::upstream,
        new Deadlines(Duration.ofSeconds(60), Duration.ofSeconds(30), total, guard),
        new AccountPolicy(
            CallerRules.same(AccountRules.NONE), keys, ByokKeys.NONE, null, 1000, null));
  }

  /** Returns a BYOK key for alpha. */
  static ByokKey alphaByokKey(String id) {
    var use = new ByokKey.Use(false, 0, false, null, ByokKey.KeyAudience.ALL);
    return new ByokKey(id, "alpha", new Credential("own-" + id), use);
  }

  /** Returns the endpoint of a provider. */
  Endpoint endpointOf(String provider) {
    return catalog.endpoints().stream()
        .filter(endpoint -> endpoint.provider().slug().equals(provider))
        .findFirst()
        .orElseThrow();
  }

  /** Records that an attempt at the provider's endpoint took this long to its first content. */
  void recordFirstContentTime(String provider, Duration toFirstContent) {
    TrackedAttempt trackedAttempt =
        Objects.requireNonNull(catalogHealth.begin(PlannedAttempt.of(endpointOf(provider))));
    trackedAttempt.recordFirstContent(toFirstContent.toNanos());
    trackedAttempt.complete(0, 0, false, false);
    health.healthOf(catalog); // publishes the statistics at once
  }

  /** Lets the candidate fail until its breaker opens. */
  void openBreaker(PlannedAttempt candidate) {
    for (TrackedAttempt trackedAttempt = catalogHealth.begin(candidate);
        trackedAttempt != null;
        trackedAttempt = catalogHealth.begin(candidate)) {
      trackedAttempt.fail(Failure.of(FailureKind.UNAVAILABLE, "broken"));
    }
  }

  /** Replaces the adapter of alpha. */
  void replaceAlpha(ChatProvider adapter) {
    alphaAdapter = adapter;
  }

  /** Lets alpha return a stream of these events, even if they do not form a complete stream. */
  void alphaReturns(Event... events) {
    alphaAdapter =
        new ChatProvider() {
          @Override
          public EventStream open(Call call) {
            return EventStream.of(List.of(events));
          }

          @Override
          public Json body(Call call) {
            return Json.NULL;
          }

          @Override
          public void close() {}
        };
  }

  private UpstreamResolver.@Nullable Upstream upstream(String provider, @Nullable String byokKey) {
    ChatProvider adapter =
        switch (provider) {
          case "alpha" -> alphaAdapter;
          case "beta" -> beta;
          case "gamma" -> gamma;
          default -> null;
        };
    return adapter == null
        ? null
        : new UpstreamResolver.Upstream(
            adapter, new Credential(byokKey == null ? "sk-" + provider : "own-" + byokKey));
  }

  Caller caller() {
    return new Caller(KEY, "app", false, List.of(payer(), ACCOUNT));
  }

  private Payer payer() {
    return new Payer(
        Payer.Kind.KEY,
        KEY.hex(),
        limit == null ? List.of() : List.of(new Budget(Period.LIFETIME, limit, false)));
  }

  Inference.PendingCall begin(Inference.DecodedRequest decodedRequest) {
    return inference.begin(caller(), decodedRequest, cancellation);
  }

  Reply serve(InferenceRequest request) {
    return inference.serve(caller(), request, cancellation);
  }

  /** Serves the request on a thread of its own and advances the time until it has returned. */
  Reply serveWhileTimePasses(InferenceRequest request, Duration first) {
    var reply = new AtomicReference<Reply>();
    Thread thread = ambient.start("request", () -> reply.set(serve(request)));
    passTime(thread, first);
    return reply.get();
  }

  /**
   * Reads the stream to its end on a thread of its own and advances the time until it has ended.
   */
  List<Event> readWhileTimePasses(EventStream stream, Duration first) {
    var events = new ArrayList<Event>();
    Thread thread = ambient.start("reader", () -> events.addAll(read(stream)));
    passTime(thread, first);
    return events;
  }

  /** Advances the time whenever all threads wait for it, that is, sleep or are parked. */
  private void passTime(Thread thread, Duration first) {
    if (waitsForTime(thread)) {
      ambient.advance(first);
    }
    while (waitsForTime(thread)) {
      ambient.advance(Duration.ofMillis(10));
    }
  }

  /**
   * Returns true as soon as all threads wait for time to pass, not just for a lock; false when the
   * thread has ended.
   */
  private boolean waitsForTime(Thread thread) {
    int idleChecks = 0;
    while (thread.isAlive()) {
      boolean parked = ambient.sleepers() > 0 && ambient.allIdle();
      idleChecks = parked ? idleChecks + 1 : 0;
      if (idleChecks == 2) {
        return true;
      }
      LockSupport.parkNanos(RECHECK_NANOS);
    }
    return false;
  }

  static List<Event> read(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    return events;
  }

  /** The amounts of the key's lifetime balance. */
  record Amounts(Usd settled, Usd held, Usd overrun) {}

  Amounts balance() {
    Ledger.Balance now = ledger.balance(payer(), Period.LIFETIME, ambient.now());
    return new Amounts(now.settled().credits(), now.held().credits(), now.overrun());
  }

  int callsInProgress() {
    return watchdog.watches().size();
  }

  void shutDown() {
    watchdog.watches().forEach(Watchdog.Watch::abandon);
  }

  @Override
  public void close() {
    watchdog.close();
    health.close();
    ledger.close();
    ambient.assertNoThreadsLeft();
    AdmissionSnapshot left = admission.snapshot(endpointLimiter);
    assertThat(left.inFlight()).as("requests in flight").isZero();
    assertThat(left.endpoints().values()).allMatch(endpoint -> endpoint.inFlight() == 0);
    assertThat(outputBudget.reserved()).as("collected output").isZero();
    alpha.assertEveryStreamClosed();
    beta.assertEveryStreamClosed();
    gamma.assertEveryStreamClosed();
  }
}
