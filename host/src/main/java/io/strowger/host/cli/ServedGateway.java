package io.strowger.host.cli;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.config.ServerSettings;
import io.strowger.core.config.TlsFiles;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.host.server.CertificateReloader;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.Reloaded;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.server.ServedCertificate;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that is being served from a configuration file. */
final class ServedGateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Backend backend;
  private final HttpHost host;
  private final @Nullable CertificateReloader renewal;
  private final HostTelemetry telemetry;
  private final ConfigFile.Opened opened;

  private ServedGateway(
      Backend backend,
      HttpHost host,
      @Nullable CertificateReloader renewal,
      HostTelemetry telemetry,
      ConfigFile.Opened opened) {
    this.backend = backend;
    this.host = host;
    this.renewal = renewal;
    this.telemetry = telemetry;
    this.opened = opened;
  }

  /**
   * How to serve.
   *
   * @param host instead of the file's; null: the file's
   * @param port instead of the file's; null: the file's
   * @param data this node's own directory; null: none
   * @param decisions is told of every decision; null: nobody is
   */
  record Options(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable Path data,
      @Nullable DecisionLog decisions) {}

  /**
   * Listens. When it returns requests are served, or told that the store cannot be reached; then it
   * is waited for, and {@link #onRefusal} tells when that was in vain.
   */
  static ServedGateway start(ConfigFile file, Options options) throws CommandException {
    ConfigFile.Opened opened = file.open();
    try {
      return start(file, opened, options);
    } catch (CommandException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static ServedGateway start(ConfigFile file, ConfigFile.Opened opened, Options options)
      throws CommandException {
    GatewayConfig config = opened.config();
    config.withoutEffect().forEach(sentence -> LOG.warn("{}", sentence));
    var choice = new StoreChoice(config.store(), options.data());
    String warning = choice.warning();
    if (warning != null) {
      LOG.warn("{}", warning);
    }
    ServedCertificate certificate = certificate(config.server().tls());
    Ambient ambient = file.context().ambient();
    SecretKeySource secretKey = choice.secretKey();
    StoreChoice.Pending pending = choice.prepare(ambient);
    HostTelemetry telemetry = HostTelemetry.of(config, ambient);
    var backend =
        new Backend(
            pending,
            stores ->
                gateway(
                    file,
                    opened,
                    certificate,
                    telemetry,
                    new RunningGateway.Companions(
                        stores, secretKey, options.decisions(), telemetry.tracer())),
            ambient);
    try {
      HttpHost host = listen(backend, telemetry, settings(config, options, certificate), ambient);
      start(backend, host);
      CertificateReloader renewal =
          certificate == null ? null : new CertificateReloader(certificate, ambient);
      return new ServedGateway(backend, host, renewal, telemetry, opened);
    } catch (CommandException | RuntimeException e) {
      try (telemetry) {
        backend.close();
      }
      throw e;
    }
  }

  private static HttpHost listen(
      Backend backend, HostTelemetry telemetry, HttpHost.Settings settings, Ambient ambient)
      throws CommandException {
    try {
      return HttpHost.start(
          backend::handle, backend::readiness, telemetry.page(), settings, ambient);
    } catch (IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  /** The host listens first, so that probes are answered while tables are brought up to date. */
  private static void start(Backend backend, HttpHost host) throws CommandException {
    try {
      backend.start();
    } catch (CommandException | RuntimeException e) {
      host.close();
      throw e;
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

  private static Backend.Served gateway(
      ConfigFile file,
      ConfigFile.Opened opened,
      @Nullable ServedCertificate certificate,
      HostTelemetry telemetry,
      RunningGateway.Companions companions) {
    RunningGateway running =
        RunningGateway.open(
            opened.config(),
            opened.plugins(),
            file.context().ambient(),
            companions,
            telemetry.sinks());
    if (telemetry.page() != null) {
      telemetry.page().watch(running.gateway());
    }
    var reloader = new Reloader(file, running.gateway(), certificate);
    return new Backend.Served(
        running,
        running.api(reloader::reload, telemetry.publicPage()),
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
        server.drain(),
        server.drainDelay(),
        PATIENCE,
        certificate,
        admin == null ? null : new InetSocketAddress(admin.host(), admin.port()),
        server.corsOrigins());
  }

  /** Where the API begins. */
  URI uri() {
    return host.uri();
  }

  /** Reads the file again and applies it, whole, or leaves everything as it is. */
  Reloaded reload() {
    return backend.reload();
  }

  /** Runs something once it is known that the store which was waited for cannot be used. */
  void onRefusal(Runnable action) {
    backend.onRefusal(action);
  }

  /**
   * @throws CommandException when the store that was waited for cannot be used
   */
  void throwRefusal() throws CommandException {
    CommandException refusal = backend.refusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Lets running requests end, within the drain time, and closes everything. */
  @Override
  public void close() {
    try (opened; // only plugins that no gateway ever took are still open
        telemetry; // after the gateway, so that it has what ended last
        backend;
        renewal) {
      host.close();
    }
  }
}
