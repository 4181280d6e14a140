package io.strowger.core;

import io.strowger.core.access.TrustedProxies;
import io.strowger.core.administration.AccountState;
import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.ambient.BoundedCloser.Resource;
import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.authentication.Accounts;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.batch.BatchWorkers;
import io.strowger.core.batch.Batches;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.client.ChatClient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.destination.DiskQueues;
import io.strowger.core.destination.Exporters;
import io.strowger.core.destination.NoTransport;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.http.Authentication;
import io.strowger.core.http.EarlyHead;
import io.strowger.core.http.HttpApi;
import io.strowger.core.http.ResourceServices;
import io.strowger.core.http.WireLimits;
import io.strowger.core.inference.Inference;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.limit.MemoryRateLimiter;
import io.strowger.core.limit.Rates;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.core.overload.AdmissionSnapshot;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.pipeline.Engine;
import io.strowger.core.pipeline.EngineInference;
import io.strowger.core.pipeline.EngineQuotes;
import io.strowger.core.pipeline.EngineTokenCounts;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.record.Generations;
import io.strowger.core.record.Observers;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.spi.observe.LoadSnapshot;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway to language models, in this process. A façade: it hands out services and holds them
 * together, and has no behaviour of its own.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.builder(config).provider(new OpenAiChatFactory()).build()) {
 *   WireResponse response = gateway.wire().handle(request);
 * }
 * }</pre>
 *
 * <p>Several gateways in one process know nothing of each other. Safe on any thread. Contract: the
 * whole interface.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Gateway.class);

  private final Ambient ambient;
  private final BoundedCloser closer;
  private final Extensions.Given given;
  private final @Nullable Transports transports; // that are to be closed
  private final boolean allowsUnserved;
  private final Exporters exporters;
  private final Watchdog watchdog;
  private final Health health;
  private final Stores stores;
  private final Ledger ledger;
  private final @Nullable BookLedger ownLedger; // that is to be closed
  private final AdmissionControl admission;
  private final EndpointLimiter endpoints;
  private final Inference inference;
  private final Routing routing;
  private final AccountState account;
  private final PresetDirectory presets;
  private final BatchWorkers workers;
  private final Broadcaster broadcaster;
  private final HttpApi wire;
  private final JacksonCodec codec;
  private final Configurations configurations;
  private final GatewayConfig atStart;
  private final StoreWatch watch;

  /** Held by a reload, whole. Plugins run under it: the end of the gateway does not wait for it. */
  private final ReentrantLock reloading = new ReentrantLock();

  private final ReentrantLock changing = new ReentrantLock(); // while something is put in force
  private @Nullable String pluginsDir; // with which the directory came; under `reloading`

  private Gateway(Builder from) {
    GatewayConfig config = from.config;
    ambient = from.ambient == null ? new SystemAmbient() : from.ambient;
    closer = new BoundedCloser(ambient);
    stores = from.stores == null ? new MemoryStores() : from.stores;
    given = new Extensions.Given(from.plugins, from.factories);
    transports = from.transports;
    var requestLimits = config.limits();
    codec = new JacksonCodec(requestLimits.json());
    Extensions extensions = given.with(from.pluginDirectory);
    allowsUnserved = from.allowsUnserved;
    exporters = from.exporters;
    requireParts(config, extensions, from.stores != null);
    watch = new StoreWatch(stores.documents(), ambient);
    account = account(from);
    health = new Health(ambient, HealthPolicy.STANDARD);
    ownLedger = from.ledger == null ? new BookLedger(stores.ledger(), ambient) : null;
    ledger = from.ledger == null ? Objects.requireNonNull(ownLedger) : from.ledger;
    var destinations =
        new Destinations(watch, account.cipher(), exporters, new JacksonCodec(), ambient);
    broadcaster = broadcaster(destinations, from);
    configurations = first(config, extensions);
    pluginsDir = config.pluginsDir();
    extensions.directory().logChanges();
    var plugins = new CurrentPlugins(configurations::registry);
    atStart = config;
    watchdog = new Watchdog(ambient);
    admission = new AdmissionControl(overloadLimits(config), ambient);
    expectKeys(config);
    endpoints = new EndpointLimiter(admission::limits, ambient, config.batches().liveShare());
    var rates =
        new Rates(
            from.limiter == null ? new MemoryRateLimiter(ambient) : from.limiter,
            ambient,
            config.rates().perKey(),
            config.rates().free(config.money().credits()));
    var engine =
        new Engine(
            ambient,
            ledger,
            watchdog,
            new Stickiness(ambient),
            rates,
            endpoints,
            from.outputs == null ? OutputBudget.ofHeap() : from.outputs,
            new OutgoingCallLimiter(),
            new ResponseCache(ambient, config.cache().entries(), config.cache().bytes()),
            codec,
            new Observers(from.sinks, from.tracer),
            from.decisions,
            broadcaster,
            new Generations(stores.generations(), configurations::keepsContent, ownLedger != null),
            ConcurrentHashMap.newKeySet(),
            configurations::current);
    inference = new EngineInference(engine, admission);
    routing = new GatewayRouting(engine, codec, requestLimits.problems());
    presets = new PresetDirectory(watch, ambient);
    var batches =
        new Batches(stores.batches(), account, new EngineQuotes(engine), ambient, config.batches());
    workers = new BatchWorkers(batches);
    wire =
        new HttpApi(
            new Authentication(
                account.accounts(), new TrustedProxies(config.server().trustedProxies())),
            new EngineInference(engine), // its requests are let in before their bodies are read
            codec,
            new WireLimits(
                requestLimits.maxRequestBytes(),
                requestLimits.maxBatchBytes(),
                requestLimits.batchRequests(),
                requestLimits.problems(),
                rates,
                admission),
            plugins,
            presets,
            new EarlyHead(ambient, config.stream().earlyHead()),
            new ResourceServices(
                stores,
                watch,
                account,
                ledger,
                ambient,
                presets,
                new EngineTokenCounts(engine),
                batches,
                destinations,
                broadcaster,
                configurations::current));
    if (from.stores != null) {
      workers.start(); // others may have left work behind, or make some
    }
  }

  /**
   * @throws IllegalStateException when something is missing and the host did not allow it
   */
  private void requireParts(GatewayConfig config, Extensions extensions, boolean hasStores) {
    List<Problem> missing = MissingParts.all(config, extensions, exporters, hasStores);
    if (missing.isEmpty()) {
      return;
    }
    if (!allowsUnserved) {
      throw new IllegalStateException(
          "the configuration names parts that this gateway does not have: "
              + missing.stream().map(Problem::toString).collect(Collectors.joining("; "))
              + ". Pass them to the builder, or call allowUnserved() to start without them");
    }
    missing.forEach(
        problem ->
            log.warn(
                "the configuration names something that this gateway does not have: {}", problem));
  }

  private AccountState account(Builder from) {
    try {
      return AccountState.open(
          watch, ambient, new AccountState.Secrets(from.random, from.secretKey), from.config);
    } catch (RuntimeException | Error e) {
      watch.close(); // a gateway that cannot be built leaves no thread
      throw e;
    }
  }

  /** In force from the start: what is kept, and what the configuration has. */
  private Broadcaster broadcaster(Destinations destinations, Builder from) {
    Broadcaster made = null;
    try {
      DiskQueues disk =
          DiskQueues.open(from.config.observabilityQueue(), account.cipher(), from.random, ambient);
      made =
          new Broadcaster(
              destinations,
              from.destinationTransport,
              ambient,
              from.config.observabilityQueue().gatheringTime(),
              disk);
      watch.keep(made);
      made.dropAll();
      made.configure(from.config.observabilityDestinations());
      made.deleteOrphans();
      return made;
    } catch (RuntimeException | Error e) {
      if (made != null) {
        made.close();
      }
      health.close();
      watch.close();
      if (ownLedger != null) {
        ownLedger.close();
      }
      throw e;
    }
  }

  /** A gateway that cannot be built leaves no thread. */
  private Configurations first(GatewayConfig config, Extensions extensions) {
    try {
      return new Configurations(
          config,
          extensions,
          new Configurations.Tools(health, codec, closer, account.byokKeysInForce()));
    } catch (RuntimeException | Error e) {
      broadcaster.close(); // nor does it keep the directory of its queues
      health.close();
      watch.close();
      if (ownLedger != null) {
        ownLedger.close();
      }
      throw e;
    }
  }

  private void expectKeys(GatewayConfig config) {
    if (config.keys().stream().filter(key -> !key.management()).count() > 1) {
      admission.expectSeveralKeys();
    }
  }

  private static OverloadLimits overloadLimits(GatewayConfig config) {
    OverloadLimits limits =
        OverloadLimits.of(
            config.overload(), Runtime.getRuntime().maxMemory(), config.timeouts().total());
    if (limits.bodyBytes() < config.limits().maxRequestBytes()) {
      log.warn(
          "overload.body_bytes is {}, less than server.max_request_bytes: larger bodies are"
              + " refused",
          limits.bodyBytes());
    }
    return limits;
  }

  /**
   * Opens a gateway from a configuration file, with every protocol, plugin, server tool and
   * exporter of destinations on the class path of the calling thread. The configuration may name
   * the protocols that are found there.
   *
   * <p>Where the class path has a {@link io.strowger.spi.provider.TransportFactory}, as module
   * {@code strowger-providers} does, adapters and plugins share its transports, which are closed
   * with the gateway; all adapters of that module share one memory for answers. What else a gateway
   * may have needs {@link #builder}: a store, a directory of plugins, traces, sinks and decision
   * logs. A configuration that names a store or {@code plugins_dir} is refused here.
   *
   * @throws IOException when the file cannot be read
   * @throws GatewayException when the configuration is wrong, with {@link
   *     ErrorCode#INVALID_REQUEST}; it names every problem
   * @throws java.util.ServiceConfigurationError when a protocol or a factory of transports cannot
   *     be loaded
   * @throws IllegalStateException as {@link Builder#build}, and when the class path has two
   *     factories of transports. Whatever is thrown, what was found is closed before
   */
  public static Gateway open(Path file) throws IOException {
    byte[] document = Files.readAllBytes(file);
    return new ClassPathGateway().open(reader -> reader.read(document).orThrow());
  }

  /**
   * Opens a gateway from a configuration made in code, as {@link #open(Path)} does from a file.
   * Here protocols beside the built-in ones have to be known to the reader that made the
   * configuration: {@code build(ConfigReader.standard().withProtocols(...))}.
   *
   * @throws java.util.ServiceConfigurationError as {@link #open(Path)}
   * @throws IllegalStateException as {@link #open(Path)}
   */
  public static Gateway open(GatewayConfig config) {
    Objects.requireNonNull(config, "config");
    return new ClassPathGateway().open(reader -> config);
  }

  /**
   * Returns a client for chat requests of one key, in this process. The key is looked up by each
   * request, so that one that was disabled in the meantime is refused. While the stores are down,
   * requests that need them are refused with {@link ErrorCode#UNAVAILABLE}.
   *
   * @param key {@code sk-...}
   */
  public ChatClient chat(String key) {
    Objects.requireNonNull(key, "key");
    return new ChatClient(
        (body, cancellation) -> {
          try {
            Caller caller = accounts().admit("Bearer " + key, KeyRequirement.INFERENCE);
            return inference.begin(caller, wire.read(caller, body), cancellation).reply();
          } catch (StoreUnavailableException down) {
            log.warn("a chat request was refused: the store is unavailable: {}", down.getMessage());
            throw HttpApi.STORE_UNAVAILABLE.toException();
          }
        });
  }

  /**
   * Answers a body in one of the callers' dialects as {@code POST} of its path does, without HTTP.
   * Counts, limits and refuses as {@link WireApi#handle} does, and never throws for what a request
   * or an upstream does; close the response's body.
   *
   * @param key {@code sk-...}, of who asks
   * @param dialect chat, messages or responses
   * @param body JSON; ownership passes
   * @param cancellation ends the request when it trips
   * @throws IllegalArgumentException for a dialect that callers do not speak
   */
  public WireResponse serve(String key, Dialect dialect, byte[] body, Cancellation cancellation) {
    Objects.requireNonNull(key, "key");
    String path =
        switch (dialect) {
          case CHAT -> "/chat/completions";
          case MESSAGES -> "/messages";
          case RESPONSES -> "/responses";
          case GEMINI ->
              throw new IllegalArgumentException(
                  dialect + " is not a dialect that callers can use");
        };
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + key, "content-length", Integer.toString(body.length));
    return wire.handle(
        new WireRequest(
            "POST",
            path,
            "",
            name -> headers.get(name.toLowerCase(Locale.ROOT)),
            new ByteArrayInputStream(body),
            cancellation));
  }

  /** Requests for answers as the engine has them; {@link #chat} is for everybody else. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Inference inference() {
    return inference;
  }

  /** Returns the service for dry-run routing decisions, which dispatches and spends nothing. */
  public Routing routing() {
    return routing;
  }

  /** The whole HTTP surface as one function. */
  public WireApi wire() {
    return wire;
  }

  /**
   * Returns who sent a request for something that the host itself offers beside the contract's
   * paths.
   *
   * @throws GatewayException 401 without a credential that is known, enabled and not expired; 403
   *     for the wrong kind of key; 429 when too many from the same address were wrong; 503 when the
   *     store has to be asked and cannot be reached
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public AuditActor admit(WireRequest request, KeyRequirement keyRequirement) {
    return wire.admit(request, keyRequirement);
  }

  /** Who may call. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Accounts accounts() {
    return account.accounts();
  }

  /** Returns how many wrong credentials came since the start, and how many were slowed. */
  public FailedCredentialCounts failedCredentials() {
    return account.accounts().failedCredentials();
  }

  /** What money stands at. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Ledger ledger() {
    return ledger;
  }

  /**
   * Whether this gateway should be sent requests now. Never waits; what it tells of the store is at
   * most a few seconds old.
   */
  public Readiness readiness() {
    if (configurations.isClosed()) {
      return Readiness.DRAINING;
    }
    boolean usable = watch.isStoreUp() && (ownLedger == null || ownLedger.isWritable());
    return usable ? Readiness.READY : Readiness.STORE_UNAVAILABLE;
  }

  /**
   * Returns what is in flight at this moment, and what was refused since the gateway was built
   * because there was too much of it.
   */
  AdmissionSnapshot admission() {
    return admission.snapshot(endpoints);
  }

  /**
   * Returns what became of the calls of each observability destination since the gateway was built,
   * the file's and those made over HTTP. Cheap enough to be asked every second.
   */
  public List<DestinationCounts> destinations() {
    return broadcaster.counts();
  }

  /**
   * Returns what the gateway is doing at this moment, for gauges: what is in flight and waits, the
   * money set aside, how the breakers of its endpoints stand, which is at most a quarter of a
   * second old, and what became of the calls of its destinations. Asks no store. Cheap enough to be
   * asked every second.
   */
  public LoadSnapshot load() {
    return LoadSnapshots.of(
        admission(),
        ledger.openHolds(),
        configurations.current(),
        workers.requestsInFlight(),
        destinations());
  }

  /** The configuration in force. */
  public GatewayConfig config() {
    return configurations.config();
  }

  /**
   * Puts another configuration in force for the host itself.
   *
   * @see #reload(GatewayConfig, AuditActor)
   */
  public List<String> reload(GatewayConfig config) {
    return reload(config, AuditActor.CONFIGURATION);
  }

  /**
   * Puts another configuration in force, whole: its providers, models, deadlines and account rules,
   * and which of its keys are enabled. Requests under way keep what they began with. What is read
   * at the start only, such as limits and the server's own settings, stays as it was. So does the
   * directory of plugins: another {@code plugins_dir} has no effect, which the answer says, until
   * the host gives the directory to {@link #reload(GatewayConfig, PluginDirectory, AuditActor)}.
   *
   * @param by who has it done, for the audit log
   * @return one sentence for each member of the configuration that has no effect
   * @throws IllegalStateException when the gateway is closed, when the configuration names what the
   *     gateway was not given, as for {@link Builder#build}, or when a plugin refuses the new
   *     catalog or the defaults it is given; then nothing has changed
   * @throws io.strowger.spi.store.StoreUnavailableException when the change cannot be recorded;
   *     then nothing has changed
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public List<String> reload(GatewayConfig config, AuditActor by) {
    reloading.lock();
    try {
      List<String> withoutEffect = reload(config, configurations.extensions(), by);
      if (!Objects.equals(config.pluginsDir(), pluginsDir)) {
        withoutEffect.add(
            "plugins_dir has no effect until the host opens the directory and gives it to reload");
      }
      return withoutEffect;
    } finally {
      reloading.unlock();
    }
  }

  /**
   * Puts another configuration in force, and another directory of plugins with it, in one step: a
   * request sees both or neither. Requests under way keep the plugins they began with.
   *
   * @param plugins closed by the gateway once nothing uses it, unless this throws; one that is
   *     closed already is refused
   * @see #reload(GatewayConfig, AuditActor)
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public List<String> reload(GatewayConfig config, PluginDirectory plugins, AuditActor by) {
    reloading.lock();
    try {
      List<String> withoutEffect = reload(config, given.with(plugins), by);
      pluginsDir = config.pluginsDir();
      plugins.logChanges();
      return withoutEffect;
    } finally {
      reloading.unlock();
    }
  }

  /**
   * Returns the directory of plugins in force; {@link PluginDirectory#none} without one.
   *
   * @throws IllegalStateException when the gateway is closed
   */
  public PluginDirectory pluginDirectory() {
    return configurations.extensions().directory();
  }

  private List<String> reload(GatewayConfig config, Extensions extensions, AuditActor by) {
    requireParts(config, extensions, true); // the store is read only at the start
    Configurations.Prepared prepared = configurations.prepare(config, extensions);
    List<String> ignoredKeys = putInForce(prepared, by);
    var withoutEffect = new ArrayList<>(config.withoutEffect());
    config
        .startOnlyChangesFrom(atStart)
        .forEach(
            member ->
                withoutEffect.add(member + " has no effect until the gateway is started again"));
    withoutEffect.addAll(ignoredKeys);
    return withoutEffect;
  }

  /**
   * @return one sentence for each key that has no effect
   */
  private List<String> putInForce(Configurations.Prepared prepared, AuditActor by) {
    GatewayConfig config = prepared.built().config();
    boolean inForce = false;
    changing.lock();
    try {
      configurations.extensions(); // it may have been closed while plugins were made
      List<String> ignoredKeys = account.record(config, by, reloaded(config, by));
      configurations.use(prepared, watchdog);
      inForce = true;
      account.reload(config);
      broadcaster.configure(config.observabilityDestinations());
      admission.configure(overloadLimits(config));
      expectKeys(config);
      return ignoredKeys;
    } finally {
      changing.unlock();
      if (!inForce) {
        configurations.discard(prepared);
      }
    }
  }

  private Write reloaded(GatewayConfig config, AuditActor by) {
    AuditChanges auditChanges =
        AuditChanges.NONE.and(
            "catalog_version",
            Json.of(config().catalog().version()),
            Json.of(config.catalog().version()));
    var subject = new AuditLog.Subject("configuration", null, "");
    return new AuditLog(ambient).entry(by, AuditAction.CONFIGURATION_RELOAD, subject, auditChanges);
  }

  /**
   * Ends what is under way, accounts for it, and leaves no thread and no connection. Later requests
   * get 503. Adapters and plugins are closed each on a thread of its own; one that does not come
   * back within some seconds is logged, interrupted and left. Repeatable.
   */
  @Override
  public void close() {
    changing.lock();
    try {
      if (configurations.isClosed()) {
        return;
      }
      closing(workers::close); // what is left of batches is for the next start, or other nodes
      configurations.stop();
      admission.close();
      for (Watchdog.Watch watched : watchdog.watched()) {
        closing(watched::abandon);
      }
      watchdog.close();
      closing(broadcaster::close); // behind the last call that is told
      closing(health::close);
      closing(watch::close);
      configurations.dispose();
      closer.awaitBackground();
      var factories = new ArrayList<Resource>();
      given
          .factories()
          .forEach(
              (protocol, it) ->
                  factories.add(new Resource("the factory for " + protocol, it::close)));
      closer.close(factories);
      if (transports != null) {
        closing(transports::close);
      }
      if (ownLedger != null) {
        closing(ownLedger::close);
      }
    } finally {
      changing.unlock();
    }
  }

  /** An adapter that fails to close must not keep the others open. */
  private static void closing(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("closing a part of the gateway failed; the other parts are closed", bug);
    }
  }

  public static Builder builder(GatewayConfig config) {
    return new Builder(config);
  }

  /** Collects what a gateway is made of. */
  public static final class Builder {
    private final GatewayConfig config;
    private final Map<String, ProviderFactory> factories = new LinkedHashMap<>();
    private final List<TraceSink> sinks = new ArrayList<>();
    private Plugins plugins = Plugins.none();
    private PluginDirectory pluginDirectory = PluginDirectory.none();
    private @Nullable CallTracer tracer;
    private @Nullable DecisionLog decisions;
    private @Nullable Stores stores;
    private @Nullable Ledger ledger;
    private @Nullable RateLimiter limiter;
    private @Nullable Ambient ambient;
    private @Nullable OutputBudget outputs;
    private @Nullable Transports transports;
    private boolean allowsUnserved;
    private Exporters exporters = Exporters.NONE;
    private Transport destinationTransport = new NoTransport();
    private IntFunction<byte[]> random = new SecureBytes();
    private SecretKeySource secretKey = SecretKeySource.NONE;

    private Builder(GatewayConfig config) {
      this.config = Objects.requireNonNull(config, "config");
    }

    /**
     * Builds a gateway also when its configuration names what it was not given: a store, instead of
     * which memory is used; the protocol of a provider, whose endpoints are not used; a plugin or a
     * router, whose settings are left out and whose requests are refused. Each is logged as a
     * warning. Holds for {@link Gateway#reload} as well.
     */
    public Builder allowUnserved() {
      allowsUnserved = true;
      return this;
    }

    /**
     * Speaks one more protocol. The gateway closes the factory when it is closed itself.
     *
     * @throws IllegalArgumentException when another factory speaks it already
     */
    public Builder provider(ProviderFactory factory) {
      ProviderFactory other = factories.putIfAbsent(factory.protocol(), factory);
      if (other != null) {
        throw new IllegalArgumentException(
            Extensions.duplicateProtocolMessage(factory.protocol(), other, factory));
      }
      return this;
    }

    /** What adapters and plugins share; closed after them, unless {@link #build} throws. */
    Builder closedLast(Transports shared) {
      transports = shared;
      return this;
    }

    /** The plugins there are; none when not said. */
    public Builder plugins(Plugins value) {
      plugins = value;
      return this;
    }

    /**
     * The plugins, tools and protocols of a directory of jars, beside those of {@link #plugins} and
     * {@link #provider}; none when not said. The gateway closes it once nothing uses it; when
     * {@link #build} throws, it stays the caller's.
     */
    public Builder pluginDirectory(PluginDirectory value) {
      pluginDirectory = value;
      return this;
    }

    /** Is told of every finished call; may be given several times. */
    public Builder sink(TraceSink sink) {
      sinks.add(sink);
      return this;
    }

    /**
     * Connects calls with a distributed trace; nothing is traced when not said. A second one takes
     * the place of the first.
     */
    public Builder tracer(CallTracer value) {
      tracer = value;
      return this;
    }

    /**
     * Is told of every decision when its call has ended; costs nothing when there is none. The
     * gateway does not close it: close it after the gateway, so that it has what ended last.
     */
    @SuppressWarnings("exports") // for the host of this project, whose commands read the log
    public Builder decisions(DecisionLog value) {
      decisions = value;
      return this;
    }

    /**
     * Serves observability destinations; without it all of them are refused.
     *
     * @param transport carries calls to addresses that management keys choose: give it rules for
     *     addresses, so that nobody reaches the operator's own network through the gateway. Not
     *     closed by the gateway: close it afterwards
     * @param factories make the exporters, each of other types
     * @throws IllegalStateException when two factories make exporters for one type
     */
    public Builder destinations(Transport transport, List<DestinationFactory> factories) {
      destinationTransport = Objects.requireNonNull(transport, "transport");
      exporters = Exporters.of(factories);
      return this;
    }

    /**
     * Where keys, presets and records are kept; in memory when not said. The gateway does not close
     * it: close it after the gateway, so that it has what ended last.
     */
    public Builder stores(Stores value) {
      stores = value;
      return this;
    }

    /** Counts money instead of the gateway's own ledger over the stores; not closed by it. */
    @SuppressWarnings("exports") // for the tests and benchmarks of this project
    public Builder ledger(Ledger value) {
      ledger = value;
      return this;
    }

    /** Counts requests instead of the gateway itself, so that several gateways share limits. */
    public Builder rateLimiter(RateLimiter value) {
      limiter = value;
      return this;
    }

    /** Sets the clock, random numbers and threads. Default: those of the machine. */
    public Builder ambient(Ambient value) {
      ambient = value;
      return this;
    }

    /**
     * How many bytes of output all requests together may collect while it is streamed: for {@code
     * /responses}, for the tool loop and for plugins. A sixteenth of the heap when not said, at
     * least 8 MiB.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder collectedOutputBytes(long value) {
      outputs = new OutputBudget(value);
      return this;
    }

    /**
     * Where the key comes from with which the customers' provider keys are encrypted, when the
     * configuration has none; without any key none of them can be kept.
     */
    public Builder secretKey(SecretKeySource value) {
      secretKey = value;
      return this;
    }

    /**
     * Bytes nobody can guess, as many as asked for, on any thread: new keys are made of them. The
     * machine's own when not said.
     */
    public Builder random(IntFunction<byte[]> value) {
      random = value;
      return this;
    }

    /**
     * Builds the gateway.
     *
     * @throws IllegalStateException when plugins do not go together, which it names, or when the
     *     configuration names a store, a protocol, a plugin or a router that this builder was not
     *     given, unless {@link #allowUnserved}; it names each with its place in the file. Also when
     *     {@code observability_queue.directory} cannot be used: without a secret key, while another
     *     gateway uses it, or when it cannot be written
     * @throws io.strowger.spi.store.StoreUnavailableException when the stores are down
     */
    public Gateway build() {
      return new Gateway(this);
    }
  }
}
