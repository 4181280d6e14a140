package io.strowger.host.demo;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.store.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A gateway with the demo's configuration, served by the real host, and a client of it. */
final class DemoGateway implements AutoCloseable {
  private final RunningGateway running;
  private final HttpHost host;
  private final HttpCaller caller;

  private DemoGateway(RunningGateway running, HttpHost host, HttpCaller caller) {
    this.running = running;
    this.host = host;
    this.caller = caller;
  }

  /**
   * Starts a gateway with the demo's configuration on a free loopback port.
   *
   * @param stores the stores, which the caller closes after this gateway; null for stores in memory
   * @throws IOException when no loopback socket can be opened
   */
  static DemoGateway open(
      Providers providers, @Nullable Stores stores, TraceSink records, Ambient ambient)
      throws IOException {
    var resources = new RunningGateway.HostResources(stores, SecretKeySource.NONE, null);
    RunningGateway running = RunningGateway.open(config(providers), ambient, resources, records);
    try {
      GatewayConfig config = running.gateway().config();
      HttpHost host =
          HttpHost.start(
              running.gateway().wire()::handle,
              new HttpHost.Settings(
                  "127.0.0.1",
                  0,
                  config.limits().maxRequestBytes(),
                  config.server().drainTimeout()),
              ambient);
      return new DemoGateway(running, host, new HttpCaller(host.uri(), ambient));
    } catch (IOException | RuntimeException e) {
      running.close();
      throw e;
    }
  }

  private static GatewayConfig config(Providers providers) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            DemoGateway.class.getResourceAsStream("gateway.json"), "gateway.json")) {
      return new ConfigReader(new JacksonCodec(), providers::variable)
          .read(withPort(file.readAllBytes(), providers.website.port()))
          .orThrow();
    }
  }

  /**
   * Fills in the website's port. The file cannot use {@code ${NAME}} for it, since variables are
   * replaced only in strings.
   */
  private static byte[] withPort(byte[] document, int port) {
    return new String(document, StandardCharsets.UTF_8)
        .replace("\"WEBSITE_PORT\"", Integer.toString(port))
        .getBytes(StandardCharsets.UTF_8);
  }

  String address() {
    return host.uri().toString();
  }

  HttpCaller caller() {
    return caller;
  }

  Catalog catalog() {
    return running.gateway().config().catalog();
  }

  @Override
  public void close() {
    caller.close();
    host.close();
    running.close();
  }
}
