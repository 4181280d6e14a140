package io.strowger.benchmarks.safety;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;

/**
 * Clients of one key request endless streams from a gateway with few places and read nothing;
 * passes when other clients are served meanwhile and the places are free soon after the deadline.
 */
final class UnreadAnswers implements Trial {
  private static final int PLACES = 8;

  /** The host gives an answer two more seconds after the deadline, and checks every 250 ms. */
  static final Duration MAX_HOLD_TIME =
      ServedGatewayProcess.TOTAL_TIMEOUT.plus(Duration.ofMillis(3_500));

  @Override
  public String name() {
    return "answers never read";
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    String overloadConfig = ", \"overload\": { \"in_flight\": %d, \"queue\": 0 }".formatted(PLACES);
    try (ServedGatewayProcess process = ServedGatewayProcess.start(overloadConfig)) {
      HonestTraffic.ask(process.api(), Duration.ofSeconds(1), new Threads());
      try (var gateway = new AttackedGateway(process.api())) {
        long start = System.nanoTime();
        for (int i = 0; i < PLACES; i++) {
          ask(gateway, "endless", true, gateway.connectWithSmallBuffer());
        }
        long refusedCount = gateway.outcomeCount("503");
        HonestTraffic otherClients =
            HonestTraffic.ask(process.api(), Duration.ofSeconds(1), new Threads());
        long heldNanos = nanosUntilFree(gateway, start);
        return judge(refusedCount, otherClients.failures(), heldNanos);
      }
    }
  }

  /** Returns the nanoseconds until the key that holds the places is served again. */
  private static long nanosUntilFree(AttackedGateway gateway, long start) throws IOException {
    long heldNanos;
    boolean served;
    do {
      Threads.pause(Duration.ofMillis(50));
      Socket socket = gateway.connect();
      served = ask(gateway, "honest", false, socket).equals("200");
      gateway.disconnect(socket);
      heldNanos = System.nanoTime() - start;
    } while (!served && heldNanos < 2 * MAX_HOLD_TIME.toNanos());
    return heldNanos;
  }

  /** Sends a request and returns the status; reads nothing after it. */
  private static String ask(AttackedGateway gateway, String model, boolean stream, Socket socket)
      throws IOException {
    byte[] body =
        "{\"model\":\"bench/%s\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"Go on.\"}]}"
            .formatted(model, stream)
            .getBytes(StandardCharsets.US_ASCII);
    String head =
        gateway.head("POST", "/chat/completions", ServedGatewayProcess.HOSTILE_KEY, body.length);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(body);
    InputStream in = socket.getInputStream();
    byte[] first = in.readNBytes(12);
    String status = first.length < 12 ? "lost" : new String(first, 9, 3, StandardCharsets.US_ASCII);
    gateway.count(status);
    return status;
  }

  /**
   * @param refusedCount requests of the hostile key for which there was no place
   * @param failures requests of other clients that failed
   * @param heldNanos how long until the hostile key was served again, in nanoseconds
   */
  Outcome judge(long refusedCount, long failures, long heldNanos) {
    var faults = new ArrayList<String>();
    if (refusedCount == 0) {
      faults.add("one key got all places");
    }
    if (failures > 0) {
      faults.add(failures + " honest requests failed");
    }
    if (heldNanos > MAX_HOLD_TIME.toNanos()) {
      faults.add("places not free again");
    }
    String remarks = String.format(Locale.ROOT, "places held for %.1f s", heldNanos / 1e9);
    return new Outcome(name(), null, null, remarks, String.join(", ", faults));
  }
}
