package io.strowger.host.cli;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Reading;
import io.strowger.core.config.ServerSettings;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.secret.SecretKeySource;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that is being served from a configuration file. */
final class Serving implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private final Stores stores;
  private final RunningGateway running;
  private final HttpHost host;
  private final Reloader reloader;

  private Serving(Stores stores, RunningGateway running, HttpHost host, Reloader reloader) {
    this.stores = stores;
    this.running = running;
    this.host = host;
    this.reloader = reloader;
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

  /** Listens; requests are answered when it returns. */
  static Serving start(ConfigFile file, Options options) throws Complaint {
    GatewayConfig config = file.load();
    config.withoutEffect().forEach(sentence -> LOG.warn("{}", sentence));
    var choice = new StoreChoice(config.store(), options.data());
    String warning = choice.warning();
    if (warning != null) {
      LOG.warn("{}", warning);
    }
    Stores stores = choice.open(file.terminal().ambient());
    try {
      return start(file, options, stores, choice.secretKey(), config);
    } catch (StoreUnavailableException e) {
      stores.close();
      throw new Complaint("the store went away while the gateway started: " + e.getMessage());
    } catch (Complaint | RuntimeException e) {
      stores.close();
      throw e;
    }
  }

  private static Serving start(
      ConfigFile file,
      Options options,
      Stores stores,
      SecretKeySource secretKey,
      GatewayConfig config)
      throws Complaint {
    RunningGateway running =
        RunningGateway.open(
            config,
            file.terminal().ambient(),
            new RunningGateway.Companions(stores, secretKey, options.decisions()));
    var reloader = new Reloader(file, running.gateway());
    try {
      HttpHost listening =
          HttpHost.start(
              running.api(reloader::reload), settings(config, options), file.terminal().ambient());
      return new Serving(stores, running, listening, reloader);
    } catch (IOException e) {
      running.close();
      throw new Complaint(String.valueOf(e.getMessage()));
    }
  }

  private static HttpHost.Settings settings(GatewayConfig config, Options options) {
    ServerSettings server = config.server();
    long largest = Math.max(config.limits().maxRequestBytes(), config.limits().maxBatchBytes());
    return new HttpHost.Settings(
        Objects.requireNonNullElse(options.host(), server.host()),
        Objects.requireNonNullElse(options.port(), server.port()),
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
    try (stores;
        running) {
      host.close();
    }
  }
}
