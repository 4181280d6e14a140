package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.http.TemporaryFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Sends two hundred requests at once with one limited key, over a durable store, as soon as the
 * gateway listens; passes when all are answered with 200.
 */
final class ColdStart implements Trial {
  private static final int CLIENTS = 200;

  @Override
  public String name() {
    return "200 after a cold start";
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    try (var data = TemporaryFolder.create("bench-safety");
        ServedGatewayProcess process =
            ServedGatewayProcess.start(
                List.of("-Xmx512m"), List.of("--data", data.path().toString()))) {
      var gateway = new AttackedGateway(process.api());
      String head =
          gateway.head(
              "POST",
              "/chat/completions",
              ServedGatewayProcess.LIMITED_KEY,
              HonestTraffic.QUESTION.length);
      gateway.burst(CLIENTS, head, HonestTraffic.QUESTION, Duration.ofSeconds(30));
      gateway.close();
      return judge(gateway.outcomes(), gateway.outcomeCount("200"));
    }
  }

  Outcome judge(String outcomes, long answered) {
    String faults = answered == CLIENTS ? "" : CLIENTS - answered + " not answered";
    return new Outcome(name(), null, null, outcomes, faults);
  }
}
