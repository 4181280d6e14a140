package io.strowger.benchmarks.safety;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends fifty bodies of 31 MiB at once to a gateway with a heap of 256 MiB; passes when some are
 * refused with 503, none is lost, the gateway still answers, and its heap is free again.
 */
final class Overload implements Trial {
  private static final int CLIENTS = 50;
  private static final int BODY = 31 << 20;
  private static final int MAX_HEAP_AFTER = 100; // MiB
  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  @Override
  public String name() {
    return "50 x 31 MiB in 256 MiB";
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    var threads = new Threads();
    try (ServedGatewayProcess process =
        ServedGatewayProcess.start(List.of("-Xmx256m"), List.of())) {
      var gateway = new AttackedGateway(process.api());
      byte[] body = body();
      String head =
          gateway.head("POST", "/chat/completions", ServedGatewayProcess.HOSTILE_KEY, body.length);
      var clients = new ArrayList<Thread>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.start("overload", () -> send(gateway, head, body)));
      }
      for (Thread client : clients) {
        client.join(Duration.ofSeconds(60));
      }
      boolean alive = isAlive(process, threads);
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

  private static void send(AttackedGateway gateway, String head, byte[] body) {
    try {
      gateway.exchange(head, body);
    } catch (IOException counted) {
      // already counted as lost
    }
  }

  private static boolean isAlive(ServedGatewayProcess process, Threads threads)
      throws InterruptedException {
    try {
      return HonestTraffic.ask(process.api(), Duration.ofSeconds(1), threads).failures() == 0;
    } catch (IOException unreachable) {
      return false;
    }
  }

  /** Returns the heap in use after a collection, in MiB; -1 when unknown. */
  private static long heap(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    return used.find() ? Long.parseLong(used.group(1)) / 1024 : -1;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
    var output = new StringBuilder();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(line -> output.append(line).append('\n'));
    }
    process.waitFor();
    return output.toString();
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
