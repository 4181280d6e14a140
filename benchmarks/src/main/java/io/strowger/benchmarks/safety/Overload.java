package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.http.JvmCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Sends fifty bodies of 31 MiB at once to a gateway with a heap of 256 MiB; passes when some are
 * refused with 503, none is lost, the gateway still answers, and its heap is free again.
 */
final class Overload implements Trial {
  private static final int CLIENTS = 50;
  private static final int BODY = 31 << 20;
  private static final int MAX_HEAP_AFTER = 100; // MiB

  @Override
  public String name() {
    return "50 x 31 MiB in 256 MiB";
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    try (ServedGatewayProcess process =
        ServedGatewayProcess.start(List.of("-Xmx256m"), List.of())) {
      var gateway = new AttackedGateway(process.api());
      byte[] body = body();
      String head =
          gateway.head("POST", "/chat/completions", ServedGatewayProcess.HOSTILE_KEY, body.length);
      gateway.burst(CLIENTS, head, body, Duration.ofSeconds(60));
      boolean alive = isAlive(process);
      gateway.close();
      return judge(
          gateway.outcomes(),
          gateway.outcomeCount("200"),
          gateway.outcomeCount("503"),
          alive,
          heap(process.pid()));
    }
  }

  private static byte[] body() {
    byte[] body = new byte[BODY];
    Arrays.fill(body, (byte) 'a');
    byte[] start =
        "{\"model\":\"bench/honest\",\"messages\":[{\"role\":\"user\",\"content\":\""
            .getBytes(StandardCharsets.US_ASCII);
    byte[] end = "\"}]}".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(start, 0, body, 0, start.length);
    System.arraycopy(end, 0, body, BODY - end.length, end.length);
    return body;
  }

  private static boolean isAlive(ServedGatewayProcess process) throws InterruptedException {
    try {
      return HonestTraffic.ask(process.api(), Duration.ofSeconds(1), new Threads()).failures() == 0;
    } catch (IOException unreachable) {
      return false;
    }
  }

  /** Returns the heap in use after a collection, in MiB; -1 when unknown. */
  private static long heap(long pid) {
    try (JvmCounters counters = JvmCounters.attach(pid)) {
      return counters.liveHeap() >> 20;
    } catch (IOException | IllegalStateException unreachable) {
      return -1;
    }
  }

  /**
   * @param servedCount answers with status 200; at least one is expected
   * @param refusedCount answers with status 503; at least one is expected, or there was no overload
   * @param heap MiB in use afterwards; -1 when unknown
   */
  Outcome judge(String outcomes, long servedCount, long refusedCount, boolean alive, long heap) {
    var faults = new ArrayList<String>();
    if (!alive) {
      faults.add("no longer answers");
    }
    long lost = CLIENTS - servedCount - refusedCount; // including those that still wait
    if (lost != 0) {
      faults.add(lost + " lost");
    }
    if (servedCount == 0) {
      faults.add("none served");
    }
    if (refusedCount == 0) {
      faults.add("none refused");
    }
    if (heap < 0) {
      faults.add("heap not known");
    }
    if (heap > MAX_HEAP_AFTER) {
      faults.add("heap not free again");
    }
    String remarks =
        String.format(
            Locale.ROOT, "%s, heap %s afterwards", outcomes, heap < 0 ? "?" : heap + " MiB");
    return new Outcome(name(), null, null, remarks, String.join(", ", faults));
  }
}
