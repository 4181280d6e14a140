package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.http.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends two hundred requests at once with one limited key, over a durable store, as soon as the
 * gateway listens; passes when all are answered with 200.
 */
final class ColdStart implements Trial {
  private static final int CLIENTS = 200;
  private static final byte[] BODY =
      """
      {"model":"bench/honest","max_tokens":20,"messages":[{"role":"user","content":"How do you do?"}]}\
      """
          .getBytes(StandardCharsets.UTF_8);

  @Override
  public String name() {
    return "200 after a cold start";
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    var threads = new Threads();
    try (var data = TemporaryFolder.create("bench-safety");
        ServedGatewayProcess process =
            ServedGatewayProcess.start(
                List.of("-Xmx512m"), List.of("--data", data.path().toString()))) {
      var gateway = new AttackedGateway(process.api());
      String head =
          gateway.head("POST", "/chat/completions", ServedGatewayProcess.LIMITED_KEY, BODY.length);
      var clients = new ArrayList<Thread>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.start("burst", () -> ask(gateway, head)));
      }
      for (Thread client : clients) {
        client.join(Duration.ofSeconds(30));
      }
      gateway.close();
      return judge(gateway.outcomes(), gateway.outcomeCount("200"));
    }
  }

  private static void ask(AttackedGateway gateway, String head) {
    try {
      gateway.exchange(head, BODY);
    } catch (IOException counted) {
      // already counted as lost
    }
  }

  Outcome judge(String outcomes, long answered) {
    String faults = answered == CLIENTS ? "" : CLIENTS - answered + " not answered";
    return new Outcome(name(), null, null, outcomes, faults);
  }
}
