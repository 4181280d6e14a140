package io.strowger.host.demo;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.HttpHost;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Objects;

/**
 * The whole engine at work: simulated providers that speak real HTTP on loopback, the real host, a
 * client, and the decision behind each answer.
 */
public final class Demo {
  private final PrintStream out;
  private final Ambient ambient;

  public Demo(PrintStream out, Ambient ambient) {
    this.out = out;
    this.ambient = ambient;
  }

  /**
   * Plays every scene; takes a few seconds.
   *
   * @throws IOException when loopback sockets are not to be had
   */
  public void run() throws IOException, InterruptedException {
    var records = new Records();
    try (var providers = new Providers(ambient);
        var running = RunningGateway.open(config(providers), ambient, records);
        var host =
            HttpHost.start(
                running.gateway().wire()::handle,
                new HttpHost.Settings(
                    "127.0.0.1",
                    0,
                    running.gateway().config().limits().maxRequestBytes(),
                    running.gateway().config().server().drain()),
                ambient);
        var caller = new HttpCaller(host.uri(), ambient)) {
      var page = new Page(out);
      page.title("Three simulated providers, one gateway at " + host.uri());
      var stage =
          new Stage(
              page, providers, caller, records, running.gateway().config().catalog(), ambient);
      new AnswerScenes(stage).play();
      new DialectScenes(stage).play();
      new RoutingScenes(stage).play();
      new RefusalScenes(stage).play();
    }
  }

  private static GatewayConfig config(Providers providers) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(Demo.class.getResourceAsStream("gateway.json"), "gateway.json")) {
      return new ConfigReader(new JacksonCodec(), providers::variable)
          .read(file.readAllBytes())
          .orThrow();
    }
  }
}
