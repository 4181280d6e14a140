package io.strowger.host.cli;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Reading;
import io.strowger.core.config.ServerSettings;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that is being served from a configuration file. */
final class Serving implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private final RunningGateway running;
  private final HttpHost host;
  private final Reloader reloader;

  private Serving(RunningGateway running, HttpHost host, Reloader reloader) {
    this.running = running;
    this.host = host;
    this.reloader = reloader;
  }

  /**
   * Listens; requests are answered when it returns.
   *
   * @param host instead of the file's; null: the file's
   * @param port instead of the file's; null: the file's
   * @param decisions is told of every decision; null: nobody is
   */
  static Serving start(
      ConfigFile file,
      @Nullable String host,
      @Nullable Integer port,
      @Nullable DecisionLog decisions)
      throws Complaint {
    GatewayConfig config = file.load();
    config.withoutEffect().forEach(sentence -> LOG.warn("{}", sentence));
    RunningGateway running = RunningGateway.open(config, file.terminal().ambient(), decisions);
    var reloader = new Reloader(file, running.gateway());
    try {
      HttpHost listening =
          HttpHost.start(
              running.api(reloader::reload),
              settings(config, host, port),
              file.terminal().ambient());
      return new Serving(running, listening, reloader);
    } catch (IOException e) {
      running.close();
      throw new Complaint(String.valueOf(e.getMessage()));
    }
  }

  private static HttpHost.Settings settings(
      GatewayConfig config, @Nullable String host, @Nullable Integer port) {
    ServerSettings server = config.server();
    long largest = Math.max(config.limits().maxRequestBytes(), config.limits().maxBatchBytes());
    return new HttpHost.Settings(
        Objects.requireNonNullElse(host, server.host()),
        Objects.requireNonNullElse(port, server.port()),
        largest,
        server.drain());
  }

  /** Where the API begins. */
  URI uri() {
    return host.uri();
  }

  /** Reads the file again and puts it in force, whole, or leaves everything as it is. */
  @Nullable Reading reload() {
    return reloader.reload();
  }

  /** Lets running requests end, within the drain time, and closes everything. */
  @Override
  public void close() {
    host.close();
    running.close();
  }
}
