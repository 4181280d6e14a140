package io.strowger.host.server;

import io.strowger.core.Gateway;
import io.strowger.core.MissingParts;
import io.strowger.core.PluginDirectory;
import io.strowger.core.ambient.BoundedCloser;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.config.PluginSettings;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.ProviderConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.destination.Exporters;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.plugins.fileparser.FileParserProvider;
import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.plugins.web.WebProvider;
import io.strowger.plugins.webfetch.WebFetchProvider;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.providers.upstream.HttpTransports;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.TransportFactory.NetworkReach;
import io.strowger.spi.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A gateway with every protocol of this program and every plugin and server tool on its class path,
 * together with the connections it owns.
 */
public final class RunningGateway implements AutoCloseable {
  private final Gateway gateway;
  private final HttpTransports transports;

  private RunningGateway(Gateway gateway, HttpTransports transports) {
    this.gateway = gateway;
    this.transports = transports;
  }

  /** Returns the exporters of destinations on the class path. */
  private static List<DestinationFactory> exporters() {
    return ServiceLoader.load(DestinationFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Returns the plugins and server tools on the class path. */
  public static Plugins plugins() {
    return Plugins.none()
        .schemas(new JsonSchemaValidator())
        .discover(ServiceLoader.load(PluginProvider.class))
        .discoverTools(ServiceLoader.load(ServerTool.class));
  }

  /** Returns the plugins and server tools on the class path and those of a directory. */
  public static Plugins plugins(PluginDirectory directory) {
    return plugins().discover(directory.plugins()).discoverTools(directory.tools());
  }

  /**
   * Returns one sentence, which names the jar, for each plugin, tool or protocol of a directory
   * that this program already has.
   */
  public static List<String> conflicts(PluginDirectory directory) {
    PluginRegistry builtin = PluginRegistry.of(plugins());
    return directory.conflicts(
        builtin.descriptors().stream().map(Descriptor::id).toList(),
        builtin.toolTypes(),
        ConfigReader.standard().protocols());
  }

  /**
   * Returns the problems that plugins on the class path, plugins of a directory and exporters of
   * destinations find in a configuration, each with its location.
   *
   * @param ambient starts the threads that close the plugins created for this check
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static List<Problem> problems(
      GatewayConfig config, PluginDirectory directory, Ambient ambient) {
    PluginRegistry registry = PluginRegistry.of(plugins(directory));
    var problems = new ArrayList<>(problems(config.plugins(), directory, ambient));
    Set<JsonPointer> places = problems.stream().map(Problem::pointer).collect(Collectors.toSet());
    MissingParts.plugins(config, registry).stream()
        .filter(problem -> !places.contains(problem.pointer()))
        .forEach(problems::add);
    problems.addAll(MissingParts.destinations(config, Exporters.of(exporters())));
    return problems;
  }

  /**
   * Returns the ids of the interceptors that run by default on every request and that a request may
   * switch off, in the order of the configuration.
   *
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static List<String> optionalDefaults(GatewayConfig config, PluginDirectory directory) {
    PluginRegistry registry = PluginRegistry.of(plugins(directory));
    return config.plugins().defaults().stream()
        .filter(PluginEntry::enabled)
        .filter(entry -> !Json.TRUE.equals(entry.config().get("prevent_overrides")))
        .map(PluginEntry::id)
        .filter(
            id ->
                registry.descriptor(id) instanceof Descriptor descriptor
                    && descriptor.kind() == Descriptor.Kind.INTERCEPTOR)
        .toList();
  }

  /**
   * Returns the problems that plugins on the class path and of a directory find in their settings;
   * the rest of the configuration may be invalid.
   *
   * @param ambient starts the threads that close the plugins created for this check
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static List<Problem> problems(
      PluginSettings settings, PluginDirectory directory, Ambient ambient) {
    return PluginRegistry.of(plugins(directory)).problems(settings, new BoundedCloser(ambient));
  }

  /**
   * Opens a gateway with its data in memory.
   *
   * @param sinks the sinks that are given the record of every finished call
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static RunningGateway open(GatewayConfig config, Ambient ambient, TraceSink... sinks) {
    return open(config, ambient, HostResources.NONE, sinks);
  }

  /**
   * Resources that the host opens for a gateway, and closes after the gateway.
   *
   * @param stores where the gateway stores its data; null to keep it in memory
   * @param secretKey the key that encrypts stored secrets if the configuration has none
   * @param decisions records every decision; null for none
   * @param tracer connects calls with a distributed trace; null for none
   */
  public record HostResources(
      @Nullable Stores stores,
      SecretKeySource secretKey,
      @Nullable DecisionLog decisions,
      @Nullable CallTracer tracer) {
    /** Creates resources without a tracer. */
    public HostResources(
        @Nullable Stores stores, SecretKeySource secretKey, @Nullable DecisionLog decisions) {
      this(stores, secretKey, decisions, null);
    }

    /** No resources: data in memory, no decision log and no tracer. */
    public static final HostResources NONE = new HostResources(null, SecretKeySource.NONE, null);
  }

  /**
   * Opens a gateway with resources of the host.
   *
   * @param sinks the sinks that are given the record of every finished call
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static RunningGateway open(
      GatewayConfig config, Ambient ambient, HostResources resources, TraceSink... sinks) {
    return open(config, PluginDirectory.none(), ambient, resources, sinks);
  }

  /**
   * Opens a gateway that also has the plugins of a directory.
   *
   * @param directory closed with the gateway; if this throws, the caller must close it
   * @param sinks the sinks that are given the record of every finished call
   * @throws IllegalStateException when plugins conflict; the message names them
   */
  public static RunningGateway open(
      GatewayConfig config,
      PluginDirectory directory,
      Ambient ambient,
      HostResources resources,
      TraceSink... sinks) {
    Plugins plugins = plugins(); // first, so that a failure leaves nothing open
    HttpTransports transports = new HttpTransports.Factory().open(ambient, reach(config));
    try {
      if (config.providers().stream().anyMatch(RunningGateway::isSecured)) {
        // reports a TLS problem at the start, and the first call need not wait
        transports.prepareTls();
      }
      Gateway.Builder builder =
          builder(config, plugins, transports)
              .destinations(transports.destinations(), exporters())
              .pluginDirectory(directory)
              .ambient(ambient)
              .secretKey(resources.secretKey());
      Stores stores = resources.stores();
      builder.stores(stores == null ? new MemoryStores() : stores);
      if (resources.decisions() != null) {
        builder.decisions(resources.decisions());
      }
      if (resources.tracer() != null) {
        builder.tracer(resources.tracer());
      }
      for (TraceSink sink : sinks) {
        builder.sink(sink);
      }
      return new RunningGateway(builder.build(), transports);
    } catch (RuntimeException | Error e) {
      transports.close();
      throw e;
    }
  }

  private static Gateway.Builder builder(
      GatewayConfig config, Plugins plugins, HttpTransports transports) {
    Transport transport = transports.providers();
    Transport web = transports.web();
    AnswerMemory memory = HttpTransports.memory(transports);
    return Gateway.builder(config)
        .plugins(
            plugins
                .replace("web-fetch", new WebFetchProvider(web))
                .replace("file-parser", new FileParserProvider(web, transport))
                .replace("web", new WebProvider(web)))
        .provider(new OpenAiChatFactory(transport, memory))
        .provider(new OpenAiResponsesFactory(transport, memory))
        .provider(new AnthropicMessagesFactory(transport, memory))
        .provider(new GeminiFactory(transport, memory))
        .provider(new SimulatedFactory());
  }

  /**
   * Returns the addresses that may be reached for URLs not named by the operator: pages, services
   * and destinations.
   */
  private static NetworkReach reach(GatewayConfig config) {
    return new NetworkReach(
        config.network().allowPrivate().stream().map(IpNetwork::toString).toList(),
        config.network().allowedPorts());
  }

  private static boolean isSecured(ProviderConfig provider) {
    return "https".equalsIgnoreCase(provider.baseUri().getScheme());
  }

  public Gateway gateway() {
    return gateway;
  }

  /** Returns the whole API: the engine's paths and the host's own. */
  public AdminRoutes api(AdminRoutes.Reload reload) {
    return api(reload, null);
  }

  /**
   * Returns the whole API: the engine's paths and the host's own.
   *
   * @param metrics the page that management keys may read here; null when it is not served here
   */
  public AdminRoutes api(AdminRoutes.Reload reload, @Nullable MetricsPage metrics) {
    return new AdminRoutes(
        gateway.wire()::handle,
        request -> gateway.admit(request, KeyRequirement.MANAGEMENT),
        reload,
        metrics);
  }

  @Override
  public void close() {
    gateway.close();
    transports.close();
  }
}
