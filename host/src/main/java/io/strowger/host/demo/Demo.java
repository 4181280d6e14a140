package io.strowger.host.demo;

import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.PrintStream;

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
    var callRecordCollector = new CallRecordCollector();
    try (var providers = new Providers(ambient);
        var site = DemoGateway.open(providers, null, callRecordCollector, ambient)) {
      var demoReport = new DemoReport(out);
      demoReport.title("Three simulated providers, one gateway at " + site.address());
      var stage =
          new DemoContext(
              demoReport, providers, site.caller(), callRecordCollector, site.catalog(), ambient);
      new AnswerScenes(stage).play();
      new DialectScenes(stage).play();
      new RoutingScenes(stage).play();
      new PluginScenes(stage).play();
      new RefusalScenes(stage).play();
      new StoreScenes(stage).play();
      new BatchScenes(stage).play();
    }
  }
}
