package io.strowger.host.cli;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.config.ServerSettings;
import io.strowger.core.config.TlsFiles;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.host.server.CertificateReloader;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.server.ServedCertificate;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that is being served from a configuration file. */
final class ServedGateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(30);

  private final DeferredGateway gateway;
  private final HttpHost host;
  private final @Nullable CertificateReloader certificateReloader;
  private final HostTelemetry telemetry;
  private final ConfigFile.OpenConfig opened;

  private ServedGateway(
      DeferredGateway gateway,
      HttpHost host,
      @Nullable CertificateReloader certificateReloader,
      HostTelemetry telemetry,
      ConfigFile.OpenConfig opened) {
    this.gateway = gateway;
    this.host = host;
    this.certificateReloader = certificateReloader;
    this.telemetry = telemetry;
    this.opened = opened;
  }

  /**
   * The options of {@code gateway serve}.
   *
   * @param host the address to listen on; null for the configuration's
   * @param port the port to listen on; null for the configuration's
   * @param data the data directory of this node; null for none
   * @param decisions the log of all decisions; null when they are not logged
   */
  record Options(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable Path data,
      @Nullable DecisionLog decisions) {}

  /**
   * Starts listening. When this returns, requests are served, or refused with 503 while the store
   * cannot be reached. In the latter case the store is retried in the background; {@link
   * #onStartFailure} reports when retrying has become pointless.
   *
   * @throws CommandException when the gateway cannot be started
   */
  static ServedGateway start(ConfigFile file, Options options) throws CommandException {
    var started = new StartedParts();
    try {
      return start(file, options, started);
    } catch (CommandException | RuntimeException | Error e) {
      started.close(e);
      throw e;
    }
  }

  /** The parts that a start has opened so far, which are closed again if it fails. */
  private static final class StartedParts {
    private final Deque<Runnable> closers = new ArrayDeque<>(); // the last part first

    void add(Runnable closer) {
      closers.push(closer);
    }

    /** Closes all parts, the last one first; a failure of one does not keep the others open. */
    void close(Throwable cause) {
      for (Runnable closer : closers) {
        try {
          closer.run();
        } catch (RuntimeException | Error e) {
          cause.addSuppressed(e);
        }
      }
    }
  }

  /**
   * @param started receives each part as soon as it is open
   */
  private static ServedGateway start(ConfigFile file, Options options, StartedParts started)
      throws CommandException {
    ConfigFile.OpenConfig opened = file.open();
    started.add(opened::close);
    GatewayConfig config = opened.config();
    config.unusedMemberWarnings().forEach(sentence -> LOG.warn("{}", sentence));
    var choice = new StoreChoice(config.store(), options.data());
    String warning = choice.warning();
    if (warning != null) {
      LOG.warn("{}", warning);
    }
    ServedCertificate certificate = certificate(config.server().tls());
    Ambient ambient = file.context().ambient();
    SecretKeySource secretKey = choice.secretKey();
    HostTelemetry telemetry = HostTelemetry.of(config, ambient);
    started.add(telemetry::close);
    var gateway =
        new DeferredGateway(
            choice.prepare(ambient), // closed with the gateway
            stores ->
                gateway(
                    file,
                    opened,
                    certificate,
                    telemetry,
                    new RunningGateway.HostResources(
                        stores, secretKey, options.decisions(), telemetry.tracer())),
            ambient);
    started.add(gateway::close);
    HttpHost host = listen(gateway, telemetry, settings(config, options, certificate), ambient);
    started.add(host::close);
    gateway.start(); // after the host listens: probes are answered while tables are migrated
    CertificateReloader certificateReloader =
        certificate == null ? null : new CertificateReloader(certificate, ambient);
    return new ServedGateway(gateway, host, certificateReloader, telemetry, opened);
  }

  private static HttpHost listen(
      DeferredGateway gateway, HostTelemetry telemetry, HttpHost.Settings settings, Ambient ambient)
      throws CommandException {
    try {
      return HttpHost.start(
          gateway::handle, gateway::readiness, telemetry.page(), settings, ambient);
    } catch (IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable ServedCertificate certificate(@Nullable TlsFiles files)
      throws CommandException {
    try {
      return files == null ? null : ServedCertificate.read(files);
    } catch (IOException e) {
      throw new CommandException("server.tls cannot be used: " + e.getMessage());
    }
  }

  private static DeferredGateway.GatewayHandlers gateway(
      ConfigFile file,
      ConfigFile.OpenConfig opened,
      @Nullable ServedCertificate certificate,
      HostTelemetry telemetry,
      RunningGateway.HostResources resources) {
    RunningGateway running =
        RunningGateway.open(
            opened.config(),
            opened.plugins(),
            file.context().ambient(),
            resources,
            telemetry.sinks());
    if (telemetry.page() != null) {
      telemetry.page().watch(running.gateway());
    }
    var reloader = new Reloader(file, running.gateway(), certificate);
    return new DeferredGateway.GatewayHandlers(
        running,
        running.api(reloader::reload, telemetry.clientListenerPage()),
        () -> reloader.reload(AuditActor.CONFIGURATION));
  }

  private static HttpHost.Settings settings(
      GatewayConfig config, Options options, @Nullable ServedCertificate certificate) {
    ServerSettings server = config.server();
    ServerSettings.Listener admin = server.admin();
    long largest = Math.max(config.limits().maxRequestBytes(), config.limits().maxBatchBytes());
    return new HttpHost.Settings(
        Objects.requireNonNullElse(options.host(), server.host()),
        Objects.requireNonNullElse(options.port(), server.port()),
        largest,
        server.drainTimeout(),
        server.drainDelay(),
        CLIENT_TIMEOUT,
        certificate,
        admin == null ? null : new InetSocketAddress(admin.host(), admin.port()),
        server.corsOrigins());
  }

  /** Returns the base address of the API. */
  URI uri() {
    return host.uri();
  }

  /** Returns the port of the admin address; -1 when there is none. */
  int adminPort() {
    return host.adminPort();
  }

  /** Reads the file again and applies all of it, or changes nothing. */
  ReloadResult reload() {
    return gateway.reload();
  }

  /** Sets an action that runs when the gateway cannot be started after waiting for its store. */
  void onStartFailure(Runnable action) {
    gateway.onStartFailure(action);
  }

  /**
   * @throws CommandException when the gateway cannot be started after waiting for its store
   */
  void throwStartFailure() throws CommandException {
    CommandException startFailure = gateway.startFailure();
    if (startFailure != null) {
      throw startFailure;
    }
  }

  /** Waits for running requests, at most for the drain time, and closes everything. */
  @Override
  public void close() {
    try (opened; // closes the plugins unless a gateway has taken them over
        telemetry; // after the gateway, so that it exports the last calls
        gateway;
        certificateReloader) {
      host.close();
    }
  }
}
