package io.strowger.host.demo;

import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The demo of the whole gateway: simulated providers over real HTTP on loopback, the real host, a
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
   * @throws IOException when no loopback socket can be opened
   */
  public void run() throws IOException, InterruptedException {
    var callRecordCollector = new CallRecordCollector();
    try (var providers = new Providers(ambient);
        var gateway = DemoGateway.open(providers, null, callRecordCollector, ambient)) {
      var demoReport = new DemoReport(out);
      demoReport.title("Three simulated providers, one gateway at " + gateway.address());
      var demo =
          new DemoContext(
              demoReport,
              providers,
              gateway.caller(),
              callRecordCollector,
              gateway.catalog(),
              ambient);
      new AnswerScenes(demo).play();
      new DialectScenes(demo).play();
      new RoutingScenes(demo).play();
      new PluginScenes(demo).play();
      new RefusalScenes(demo).play();
      new StoreScenes(demo).play();
      new BatchScenes(demo).play();
    }
  }
}
