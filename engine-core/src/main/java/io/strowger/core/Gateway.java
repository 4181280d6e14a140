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
import io.strowger.core.authentication.Authenticator;
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
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.destination.DiskQueues;
import io.strowger.core.destination.Exporters;
import io.strowger.core.destination.NoTransport;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.http.Authentication;
import io.strowger.core.http.EarlyHeadPolicy;
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
import io.strowger.spi.error.GatewayError;
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
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway to language models that runs in this process. A façade: it creates the services, hands
 * them out and closes them, and has no behaviour of its own.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.builder(config).provider(new OpenAiChatFactory()).build()) {
 *   WireResponse response = gateway.wire().handle(request);
 * }
 * }</pre>
 *
 * <p>Several gateways in one process are independent of each other. Safe on any thread. Contract:
 * the whole interface.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Gateway.class);

  private final Ambient ambient;
  private final BoundedCloser closer;
  private final Extensions.HostExtensions hostExtensions;
  private final @Nullable Transports transports; // closed with the gateway
  private final boolean allowsUnserved;
  private final Exporters exporters;
  private final Watchdog watchdog;
  private final Health health;
  private final Stores stores;
  private final Ledger ledger;
  private final @Nullable BookLedger ownLedger; // null when the host supplied one
  private final @Nullable DecisionLogWriter ownDecisionLog; // null when the host supplied one
  private final AdmissionControl admission;
  private final EndpointLimiter endpointLimiter;
  private final Inference inference;
  private final Routing routing;
  private final AccountState account;
  private final PresetDirectory presets;
  private final BatchWorkers batchWorkers;
  private final Broadcaster broadcaster;
  private final HttpApi wire;
  private final JacksonCodec codec;
  private final Configurations configurations;
  private final GatewayConfig initialConfig;
  private final StoreWatch storeWatch;

  /**
   * Held for a whole reload. Plugin code runs under this lock, so {@link #close} does not wait for
   * it.
   */
  private final ReentrantLock reloadLock = new ReentrantLock();

  private final ReentrantLock changeLock = new ReentrantLock(); // held to apply a configuration
  private @Nullable String pluginsDir; // of the current directory; guarded by `reloadLock`

  private Gateway(Builder builder) {
    GatewayConfig config = builder.config;
    ambient = builder.ambient == null ? new SystemAmbient() : builder.ambient;
    closer = new BoundedCloser(ambient);
    stores = builder.stores == null ? new MemoryStores() : builder.stores;
    hostExtensions = new Extensions.HostExtensions(builder.plugins, builder.factories);
    transports = builder.transports;
    var requestLimits = config.limits();
    codec = new JacksonCodec(requestLimits.json());
    Extensions extensions = hostExtensions.with(builder.pluginDirectory);
    allowsUnserved = builder.allowsUnserved;
    exporters = builder.exporters;
    requireParts(config, extensions, builder.stores != null);
    storeWatch = new StoreWatch(stores.documents(), ambient);
    account = openAccountState(builder);
    health = new Health(ambient, HealthPolicy.STANDARD);
    ownLedger = builder.ledger == null ? new BookLedger(stores.ledger(), ambient) : null;
    ledger = builder.ledger == null ? Objects.requireNonNull(ownLedger) : builder.ledger;
    ownDecisionLog = builder.ownDecisionLog;
    var destinations =
        new Destinations(storeWatch, account.cipher(), exporters, new JacksonCodec(), ambient);
    broadcaster = createBroadcaster(destinations, builder);
    configurations = buildFirst(config, extensions);
    pluginsDir = config.pluginsDir();
    extensions.directory().logChanges();
    var plugins = new CurrentPlugins(configurations::registry);
    initialConfig = config;
    watchdog = new Watchdog(ambient);
    admission = new AdmissionControl(overloadLimits(config), ambient);
    expectKeys(config);
    endpointLimiter = new EndpointLimiter(admission::limits, ambient, config.batches().liveShare());
    var rates =
        new Rates(
            builder.rateLimiter == null ? new MemoryRateLimiter(ambient) : builder.rateLimiter,
            ambient,
            config.rates().keyQuotas(),
            config.rates().freeQuotas(config.money().credits()));
    var engine =
        new Engine(
            ambient,
            ledger,
            watchdog,
            new Stickiness(ambient),
            rates,
            endpointLimiter,
            builder.outputBudget == null ? OutputBudget.ofHeap() : builder.outputBudget,
            new OutgoingCallLimiter(),
            new ResponseCache(ambient, config.cache().entries(), config.cache().bytes()),
            codec,
            new Observers(builder.sinks, builder.tracer),
            ownDecisionLog == null ? builder.decisionLog : ownDecisionLog,
            broadcaster,
            new Generations(stores.generations(), configurations::keepsContent, ownLedger != null),
            ConcurrentHashMap.newKeySet(),
            configurations::current);
    inference = new EngineInference(engine, admission);
    routing = new GatewayRouting(engine, codec, requestLimits.problems());
    presets = new PresetDirectory(storeWatch, ambient);
    var batches =
        new Batches(stores.batches(), account, new EngineQuotes(engine), ambient, config.batches());
    batchWorkers = new BatchWorkers(batches);
    wire =
        new HttpApi(
            new Authentication(
                account.authenticator(), new TrustedProxies(config.server().trustedProxies())),
            new EngineInference(engine), // HttpApi admits requests before it reads their bodies
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
            new EarlyHeadPolicy(ambient, config.streaming().earlyHead()),
            new ResourceServices(
                stores,
                storeWatch,
                account,
                ledger,
                ambient,
                presets,
                new EngineTokenCounts(engine),
                batches,
                destinations,
                broadcaster,
                configurations::current));
    if (builder.stores != null) {
      batchWorkers.start(); // other nodes may have left work, or may add some
    }
  }

  /**
   * @throws GatewayException when a part is missing and the host did not allow it
   */
  private void requireParts(GatewayConfig config, Extensions extensions, boolean hasStores) {
    List<Problem> missing = MissingParts.findAll(config, extensions, exporters, hasStores);
    if (missing.isEmpty()) {
      return;
    }
    if (!allowsUnserved) {
      String message =
          "the configuration names parts that this gateway does not have; pass them to the builder,"
              + " or call allowMissingParts() to start without them:";
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, message, missing).toException();
    }
    missing.forEach(
        problem ->
            log.warn(
                "the configuration names something that this gateway does not have: {}", problem));
  }

  private AccountState openAccountState(Builder builder) {
    try {
      return AccountState.open(
          storeWatch,
          ambient,
          new AccountState.Secrets(builder.random, builder.secretKey),
          builder.config);
    } catch (RuntimeException | Error e) {
      storeWatch.close(); // a gateway that cannot be built leaves no thread
      throw e;
    }
  }

  /** Loads the stored destinations and those of the current configuration. */
  private Broadcaster createBroadcaster(Destinations destinations, Builder builder) {
    Broadcaster result = null;
    try {
      DiskQueues diskQueues =
          DiskQueues.open(
              builder.config.observabilityQueue(), account.cipher(), builder.random, ambient);
      result =
          new Broadcaster(
              destinations,
              builder.destinationTransport,
              ambient,
              builder.config.observabilityQueue().gatheringTime(),
              diskQueues);
      storeWatch.addListener(result);
      result.dropAll();
      result.configure(builder.config.observabilityDestinations());
      result.deleteOrphans();
      return result;
    } catch (RuntimeException | Error e) {
      if (result != null) {
        result.close();
      }
      closeServices();
      throw e;
    }
  }

  /** Builds the first configuration; when that fails, closes what was started. */
  private Configurations buildFirst(GatewayConfig config, Extensions extensions) {
    try {
      return new Configurations(
          config,
          extensions,
          new Configurations.Services(health, codec, closer, account.activeByokKeys()));
    } catch (RuntimeException | Error e) {
      broadcaster.close(); // also releases the directory of its queues
      closeServices();
      throw e;
    }
  }

  /** Closes the services with threads, when the gateway cannot be built. */
  private void closeServices() {
    health.close();
    storeWatch.close();
    if (ownLedger != null) {
      ownLedger.close();
    }
  }

  private void expectKeys(GatewayConfig config) {
    if (config.keys().stream().filter(key -> !key.isManagement()).count() > 1) {
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
   * <p>When the class path has a {@link io.strowger.spi.provider.TransportFactory}, such as that of
   * module {@code strowger-providers}, adapters and plugins share its transports, which are closed
   * with the gateway; all adapters of that module share one memory budget for answers. Use {@link
   * #builder} for a store, a directory of plugins, traces, sinks or decision logs. A configuration
   * that names a store or {@code plugins_dir} is refused here.
   *
   * @throws IOException when the file cannot be read
   * @throws GatewayException when the configuration is wrong or names a part that was not found,
   *     with {@link ErrorCode#INVALID_REQUEST}; it names every problem
   * @throws java.util.ServiceConfigurationError when a protocol or a factory of transports cannot
   *     be loaded
   * @throws IllegalStateException as {@link Builder#build}, and when the class path has two
   *     factories of transports. Whatever is thrown, everything found is closed first
   */
  public static Gateway open(Path file) throws IOException {
    byte[] document = Files.readAllBytes(file);
    return new ClassPathGateway().open(reader -> reader.read(document).orThrow());
  }

  /**
   * Opens a gateway from a configuration made in code, as {@link #open(Path)} does from a file. The
   * reader that made the configuration must know all protocols beside the built-in ones: {@code
   * build(ConfigReader.standard().withProtocols(...))}.
   *
   * @throws java.util.ServiceConfigurationError as {@link #open(Path)}
   * @throws GatewayException when the configuration names a part that was not found
   * @throws IllegalStateException as {@link #open(Path)}
   */
  public static Gateway open(GatewayConfig config) {
    Objects.requireNonNull(config, "config");
    return new ClassPathGateway().open(reader -> config);
  }

  /**
   * Returns a client for chat requests of one key, in this process. Each request looks the key up
   * again, so a key that was disabled meanwhile is refused. While the stores are down, requests
   * that need them are refused with {@link ErrorCode#UNAVAILABLE}.
   *
   * @param key {@code sk-...}
   */
  public ChatClient chat(String key) {
    Objects.requireNonNull(key, "key");
    return new ChatClient(
        (body, cancellation) -> {
          try {
            Caller caller = authenticator().admit("Bearer " + key, KeyRequirement.INFERENCE);
            return inference.begin(caller, wire.read(caller, body), cancellation).reply();
          } catch (StoreUnavailableException unavailable) {
            log.warn(
                "a chat request was refused: the store is unavailable: {}",
                unavailable.getMessage());
            throw HttpApi.STORE_UNAVAILABLE.toException();
          }
        },
        task -> ambient.start("chat-client", task));
  }

  /**
   * Serves a request body without HTTP, as a {@code POST} to the path of its dialect would. Counts,
   * limits and refuses as {@link WireApi#handle} does. Errors of the request or of an upstream are
   * in the response, never thrown; close the response's body.
   *
   * @param key the caller's key, {@code sk-...}
   * @param dialect of the body: chat, messages or responses
   * @param body JSON; not to be changed afterwards
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

  /** Returns the engine's own inference service; embedders use {@link #chat}. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Inference inference() {
    return inference;
  }

  /** Returns the service for dry-run routing decisions, which dispatches and spends nothing. */
  public Routing routing() {
    return routing;
  }

  /** Returns the whole HTTP API as one function. */
  public WireApi wire() {
    return wire;
  }

  /**
   * Authenticates a request to a path that the host serves in addition to those of the contract,
   * and returns the actor.
   *
   * @throws GatewayException 401 without a credential that is known, enabled and not expired; 403
   *     for the wrong kind of key; 429 after too many wrong credentials from the same address; 503
   *     when the store is needed and cannot be reached
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public AuditActor admit(WireRequest request, KeyRequirement keyRequirement) {
    return wire.admit(request, keyRequirement);
  }

  /** Returns the accounts, which authenticate callers. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Authenticator authenticator() {
    return account.authenticator();
  }

  /**
   * Returns how many wrong credentials were received since the start, and how many were throttled.
   */
  public FailedCredentialCounts failedCredentials() {
    return account.authenticator().failedCredentials();
  }

  /** Returns the ledger, which holds and counts money. */
  @SuppressWarnings("exports") // for the tests and benchmarks of this project
  public Ledger ledger() {
    return ledger;
  }

  /**
   * Returns whether this gateway should receive requests now. Never waits; the state of the store
   * is at most a few seconds old.
   */
  public Readiness readiness() {
    if (configurations.isClosed()) {
      return Readiness.DRAINING;
    }
    boolean usable = storeWatch.isStoreUp() && (ownLedger == null || ownLedger.isWritable());
    return usable ? Readiness.READY : Readiness.STORE_UNAVAILABLE;
  }

  /**
   * Returns what is in flight now, and how many requests were refused for overload since the
   * gateway was built.
   */
  AdmissionSnapshot admission() {
    return admission.snapshot(endpointLimiter);
  }

  /**
   * Returns the delivery counts of each observability destination since the gateway was built, both
   * those of the file and those made over HTTP. Cheap enough to call every second.
   */
  public List<DestinationCounts> destinations() {
    return broadcaster.counts();
  }

  /**
   * Returns the current load, for gauges: requests in flight and waiting, the money set aside, the
   * state of the endpoints' breakers, at most a quarter of a second old, and the delivery counts of
   * the destinations. Does not ask the store. Cheap enough to be asked every second.
   */
  public LoadSnapshot load() {
    return LoadSnapshots.of(
        admission(),
        ledger.openHolds(),
        configurations.current(),
        batchWorkers.requestsInFlight(),
        destinations());
  }

  /**
   * Returns the current configuration.
   *
   * @throws IllegalStateException when the gateway is closed
   */
  public GatewayConfig config() {
    return configurations.config();
  }

  /**
   * Applies another configuration, with the configuration file as the actor in the audit log.
   *
   * @see #reload(GatewayConfig, AuditActor)
   */
  public List<String> reload(GatewayConfig config) {
    return reload(config, AuditActor.CONFIGURATION);
  }

  /**
   * Applies another configuration in one step: its providers, models, deadlines and account rules,
   * and which of its keys are enabled. Requests under way keep what they began with. Settings that
   * are read only at the start, such as limits and the server's, stay unchanged. So does the
   * directory of plugins: a new {@code plugins_dir} has no effect, as the result says, until the
   * host passes the directory to {@link #reload(GatewayConfig, PluginDirectory, AuditActor)}.
   *
   * @param actor the actor, for the audit log
   * @return one sentence for each member of the configuration that has no effect
   * @throws GatewayException when the configuration names a part the gateway was not given, as for
   *     {@link Builder#build}; then nothing has changed
   * @throws IllegalStateException when the gateway is closed, or when a plugin refuses the new
   *     catalog or its defaults; then nothing has changed
   * @throws io.strowger.spi.store.StoreUnavailableException when the change cannot be recorded;
   *     then nothing has changed
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public List<String> reload(GatewayConfig config, AuditActor actor) {
    reloadLock.lock();
    try {
      List<String> withoutEffect = reload(config, configurations.extensions(), actor);
      if (!Objects.equals(config.pluginsDir(), pluginsDir)) {
        withoutEffect.add(
            "plugins_dir has no effect until the host opens the directory and gives it to reload");
      }
      return withoutEffect;
    } finally {
      reloadLock.unlock();
    }
  }

  /**
   * Applies another configuration and another directory of plugins in one step: a request sees both
   * or neither. Requests under way keep the plugins they began with.
   *
   * @param plugins must not be closed. The gateway closes it once nothing uses it, unless this
   *     method throws
   * @see #reload(GatewayConfig, AuditActor)
   */
  @SuppressWarnings("exports") // for the host of this project, which writes the audit log
  public List<String> reload(GatewayConfig config, PluginDirectory plugins, AuditActor actor) {
    reloadLock.lock();
    try {
      List<String> withoutEffect = reload(config, hostExtensions.with(plugins), actor);
      pluginsDir = config.pluginsDir();
      plugins.logChanges();
      return withoutEffect;
    } finally {
      reloadLock.unlock();
    }
  }

  /**
   * Returns the current directory of plugins; {@link PluginDirectory#none} without one.
   *
   * @throws IllegalStateException when the gateway is closed
   */
  public PluginDirectory pluginDirectory() {
    return configurations.extensions().directory();
  }

  private List<String> reload(GatewayConfig config, Extensions extensions, AuditActor actor) {
    requireParts(config, extensions, true); // the store settings are used only at the start
    Configurations.Prepared prepared = configurations.prepare(config, extensions);
    List<String> ignoredKeys = apply(prepared, actor);
    var withoutEffect = new ArrayList<>(config.unusedMemberWarnings());
    config
        .startOnlyChangesFrom(initialConfig)
        .forEach(
            member ->
                withoutEffect.add(member + " has no effect until the gateway is started again"));
    withoutEffect.addAll(ignoredKeys);
    return withoutEffect;
  }

  /**
   * @return one sentence for each key that has no effect
   */
  private List<String> apply(Configurations.Prepared prepared, AuditActor actor) {
    GatewayConfig config = prepared.built().config();
    boolean applied = false;
    changeLock.lock();
    try {
      configurations.extensions(); // throws when the gateway was closed meanwhile
      List<String> ignoredKeys = account.syncKeys(config, actor, reloadEntry(config, actor));
      configurations.activate(prepared, watchdog);
      applied = true;
      account.reload(config);
      broadcaster.configure(config.observabilityDestinations());
      admission.configure(overloadLimits(config));
      expectKeys(config);
      return ignoredKeys;
    } finally {
      changeLock.unlock();
      if (!applied) {
        configurations.discard(prepared);
      }
    }
  }

  private Write reloadEntry(GatewayConfig config, AuditActor actor) {
    AuditChanges auditChanges =
        AuditChanges.NONE.and(
            "catalog_version",
            Json.of(config().catalog().version()),
            Json.of(config.catalog().version()));
    var subject = new AuditLog.Subject("configuration", null, "");
    return new AuditLog(ambient)
        .entry(actor, AuditAction.CONFIGURATION_RELOAD, subject, auditChanges);
  }

  /**
   * Ends the requests under way, settles them, and leaves no thread and no connection. Later
   * requests are refused with 503. Each adapter and plugin is closed on a thread of its own; one
   * that takes longer than some seconds is logged, interrupted and abandoned. Further calls have no
   * effect.
   */
  @Override
  public void close() {
    changeLock.lock();
    try {
      if (configurations.isClosed()) {
        return;
      }
      closeSafely(batchWorkers::close); // the next start, or other nodes, finish the batches
      configurations.close();
      admission.close();
      for (Watchdog.Watch call : watchdog.watches()) {
        closeSafely(call::abandon);
      }
      watchdog.close();
      closeSafely(broadcaster::close); // after the last call was reported
      closeSafely(health::close);
      closeSafely(storeWatch::close);
      configurations.dispose();
      closer.awaitBackground();
      var factories = new ArrayList<Resource>();
      hostExtensions
          .factories()
          .forEach(
              (protocol, it) ->
                  factories.add(new Resource("the factory for " + protocol, it::close)));
      closer.close(factories);
      if (transports != null) {
        closeSafely(transports::close);
      }
      if (ownLedger != null) {
        closeSafely(ownLedger::close);
      }
      if (ownDecisionLog != null) {
        closeSafely(ownDecisionLog::close); // it receives the last decisions
      }
    } finally {
      changeLock.unlock();
    }
  }

  /** Runs one step; a part that fails to close must not keep the others open. */
  static void closeSafely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("closing a part of the gateway failed; the other parts are closed", bug);
    }
  }

  public static Builder builder(GatewayConfig config) {
    return new Builder(config);
  }

  /** Collects the parts of a gateway and builds it. For one thread. */
  public static final class Builder {
    private final GatewayConfig config;
    private final Map<String, ProviderFactory> factories = new LinkedHashMap<>();
    private final List<TraceSink> sinks = new ArrayList<>();
    private Plugins plugins = Plugins.none();
    private PluginDirectory pluginDirectory = PluginDirectory.none();
    private @Nullable CallTracer tracer;
    private @Nullable DecisionLog decisionLog;
    private @Nullable Path decisionFile;
    private @Nullable DecisionLogWriter ownDecisionLog;
    private @Nullable Stores stores;
    private @Nullable Ledger ledger;
    private @Nullable RateLimiter rateLimiter;
    private @Nullable Ambient ambient;
    private @Nullable OutputBudget outputBudget;
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
     * Builds a gateway even when its configuration names a part it was not given. Without a store
     * it uses memory. Without the protocol of a provider it does not use the provider's endpoints.
     * Without a plugin or router it ignores the settings of the plugin and refuses requests for it.
     * Each is logged as a warning. Also applies to {@link Gateway#reload}.
     */
    public Builder allowMissingParts() {
      allowsUnserved = true;
      return this;
    }

    /**
     * Adds a provider protocol. The gateway closes the factory when the gateway is closed.
     *
     * @throws IllegalArgumentException when another factory has the same protocol
     */
    public Builder provider(ProviderFactory factory) {
      ProviderFactory other = factories.putIfAbsent(factory.protocol(), factory);
      if (other != null) {
        throw new IllegalArgumentException(
            Extensions.duplicateProtocolMessage(factory.protocol(), other, factory));
      }
      return this;
    }

    /**
     * Sets the transports that adapters and plugins share; closed after them unless {@link #build}
     * throws.
     */
    Builder transports(Transports value) {
      transports = value;
      return this;
    }

    /** Sets the plugins. Default: none. */
    public Builder plugins(Plugins value) {
      plugins = value;
      return this;
    }

    /**
     * Sets a directory of jars whose plugins, tools and protocols are used beside those of {@link
     * #plugins} and {@link #provider}. Default: none. The gateway closes it once nothing uses it;
     * when {@link #build} throws, the caller must close it.
     */
    public Builder pluginDirectory(PluginDirectory value) {
      pluginDirectory = value;
      return this;
    }

    /** Adds a sink, which receives the record of every finished call. */
    public Builder sink(TraceSink sink) {
      sinks.add(sink);
      return this;
    }

    /**
     * Sets the tracer, which connects calls with a distributed trace. Default: nothing is traced. A
     * second one replaces the first.
     */
    public Builder tracer(CallTracer value) {
      tracer = value;
      return this;
    }

    /**
     * Sets the log that receives every decision when its call has ended. Default: decisions are not
     * logged, at no cost. The gateway does not close it: close it after the gateway, so that it
     * receives the last decisions.
     */
    @SuppressWarnings("exports") // for the host of this project, whose commands read the log
    public Builder decisions(DecisionLog value) {
      decisionLog = value;
      decisionFile = null;
      return this;
    }

    /**
     * Logs every decision to a file when its call has ended, as {@code gateway serve --decisions}
     * does: for {@link WhatIf#over} and {@code gateway replay}. An existing log is continued.
     * {@link #build} opens the file, and closing the gateway closes it. Replaces {@link
     * #decisions}.
     */
    public Builder decisionFile(Path file) {
      decisionFile = Objects.requireNonNull(file, "file");
      return this;
    }

    /**
     * Enables observability destinations; without this call all of them are refused.
     *
     * @param transport sends calls to addresses that holders of management keys choose: restrict
     *     its addresses, or they can reach the operator's own network through the gateway. The
     *     gateway does not close it: close it after the gateway
     * @param factories create the exporters, each for different types
     * @throws IllegalStateException when two factories make exporters for one type
     */
    public Builder destinations(Transport transport, List<DestinationFactory> factories) {
      destinationTransport = Objects.requireNonNull(transport, "transport");
      exporters = Exporters.of(factories);
      return this;
    }

    /**
     * Sets the stores for keys, presets and records. Default: in memory. The gateway does not close
     * them: close them after the gateway, so that they receive the last records.
     */
    public Builder stores(Stores value) {
      stores = value;
      return this;
    }

    /** Sets a ledger in place of the gateway's own over the stores; the caller closes it. */
    @SuppressWarnings("exports") // for the tests and benchmarks of this project
    public Builder ledger(Ledger value) {
      ledger = value;
      return this;
    }

    /** Sets a rate limiter in place of the built-in one, so that several gateways share limits. */
    public Builder rateLimiter(RateLimiter value) {
      rateLimiter = value;
      return this;
    }

    /** Sets the clock, random numbers and threads. Default: those of the machine. */
    public Builder ambient(Ambient value) {
      ambient = value;
      return this;
    }

    /**
     * Sets how many bytes of streamed output all requests together may collect: for {@code
     * /responses}, for the tool loop and for plugins. The first 64 KiB of each request do not
     * count. Default: a sixteenth of the heap, at least 8 MiB.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder collectedOutputBytes(long value) {
      outputBudget = new OutputBudget(value);
      return this;
    }

    /**
     * Sets the source of the key that encrypts the customers' provider keys. Used when the
     * configuration has no such key; without any key no provider key can be stored.
     */
    public Builder secretKey(SecretKeySource value) {
      secretKey = value;
      return this;
    }

    /**
     * Sets the source of secure random bytes, of which new keys are made. Called with the number of
     * bytes, on any thread. Default: the system's secure random source.
     */
    public Builder random(IntFunction<byte[]> value) {
      random = value;
      return this;
    }

    /**
     * Builds the gateway.
     *
     * @throws GatewayException when the configuration names a store, protocol, plugin or router
     *     this builder was not given, unless {@link #allowMissingParts}, with {@link
     *     ErrorCode#INVALID_REQUEST} and a problem for each place in the file
     * @throws IllegalStateException when plugins conflict; the message names them. Also when {@code
     *     observability_queue.directory} cannot be used: there is no secret key, another gateway
     *     uses it, or it cannot be written
     * @throws io.strowger.spi.store.StoreUnavailableException when the stores are down
     * @throws UncheckedIOException when the file for decisions cannot be written, or is not a log
     *     of decisions
     */
    public Gateway build() {
      if (decisionFile == null) {
        ownDecisionLog = null;
        return new Gateway(this);
      }
      if (ambient == null) {
        ambient = new SystemAmbient();
      }
      try {
        ownDecisionLog = DecisionLogWriter.open(decisionFile, ambient);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot log decisions to a file: " + e, e);
      }
      boolean built = false;
      try {
        var gateway = new Gateway(this);
        built = true;
        return gateway;
      } finally {
        if (!built) {
          ownDecisionLog.close();
        }
      }
    }
  }
}
