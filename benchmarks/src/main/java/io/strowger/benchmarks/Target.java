package io.strowger.benchmarks;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The target of a benchmark: a ratio to another benchmark of the same run, or bytes. Absolute times
 * are no targets, because the same code takes twice as long on a busy machine.
 *
 * @param id the target's id, such as R1; the bounds of one target share it
 * @param subject class, method and parameter, such as {@code PlanBenchmark.decide 5}
 * @param bound the bound, inclusive; a minimum for a rate, a maximum for everything else
 * @param measure the figure that is bounded
 * @param peer the class and method compared to, which has the same parameter; null for bytes
 */
record Target(String id, String subject, double bound, Measure measure, @Nullable String peer) {
  /** The figure that is bounded. */
  enum Measure {
    /** The ratio of the time to the peer's. */
    TIMES,
    /** The ratio of the rate of all threads to the peer's. */
    MIN_RATE,
    /** Bytes allocated by one operation. */
    BYTES,
    /** Bytes allocated by reading one value of a JSON document. */
    BYTES_PER_VALUE,
    /** Bytes allocated beyond the peer's. */
    ADDED_BYTES,
    /** Bytes allocated by the calling thread beyond the peer's. */
    ADDED_CALLER_BYTES,
    /** Processor time beyond the peer's, in microseconds. */
    ADDED_CPU,
    /** Processor time beyond the peer's, in percent of the peer's. */
    ADDED_CPU_PERCENT
  }

  static final List<Target> ALL =
      List.of(
          times("R1", "PlanBenchmark.decide 5", 12, "PlanBenchmark.roundRobinPick"),
          bytes("R1", "PlanBenchmark.decide 5", 400),
          bytes("R1", "PlanBenchmark.decideWithPreset 5", 400),
          times(
              "R2", "PlanBenchmark.decideOrdered 5", 3, "PlanBenchmark.planWithJavaStreamsOrdered"),
          bytes("R2", "PlanBenchmark.decideOrdered 5", 500),
          times(
              "R3",
              "PlanBenchmark.decideSorted 50",
              0.7,
              "PlanBenchmark.planWithJavaStreamsSorted"),
          bytes("R3", "PlanBenchmark.decideSorted 50", 1_000),
          times("R4", "RouterBenchmark.auto", 2, "RouterBenchmark.autoPackedAll"),
          bytes("R4", "RouterBenchmark.auto", 500),
          times("R5", "RouterBenchmark.autoFresh", 0.5, "RouterBenchmark.autoNaive"),
          bytes("R5", "RouterBenchmark.autoFresh", 4_000),
          bytes("R6", "RouterBenchmark.paretoSelect", 200),
          bytes("R6", "RouterBenchmark.paretoPricedSelect", 200),
          new Target(
              "C1",
              "ContentionBenchmark.twoThreads",
              1.6,
              Measure.MIN_RATE,
              "ContentionBenchmark.oneThread"),
          times("K1", "KeyBenchmark.admitHoldSettle 100", 1.8, "KeyBenchmark.sha256Key"),
          bytes("K1", "KeyBenchmark.admitHoldSettle 100", 400),
          new Target(
              "K1",
              "KeyBenchmark.admitHoldSettleOnTwo 100",
              1.5,
              Measure.MIN_RATE,
              "KeyBenchmark.admitHoldSettle"),
          times("V1", "ReadBenchmark.readAndCheck 1k", 2.5, "ReadBenchmark.scan"),
          perValue("V1", "ReadBenchmark.readAndCheck 1k"),
          times("V2", "ReadBenchmark.readAndCheck 32k", 1.5, "ReadBenchmark.scan"),
          times("V2", "ReadBenchmark.readAndCheck 32k", 0.8, "ReadBenchmark.tree"),
          perValue("V2", "ReadBenchmark.readAndCheck 32k"),
          times("V3", "ReadBenchmark.readAndCheck 256k", 1.3, "ReadBenchmark.scan"),
          perValue("V3", "ReadBenchmark.readAndCheck 256k"),
          times("V3", "ReadBenchmark.readAndCheck many", 1.3, "ReadBenchmark.scan"),
          perValue("V3", "ReadBenchmark.readAndCheck many"),
          times("U1", "WriteBenchmark.write 32k", 2, "WriteBenchmark.copy"),
          times("U1", "WriteBenchmark.write 32k", 0.05, "WriteBenchmark.tree"),
          times("S1", "StreamBenchmark.read text", 0.25, "StreamBenchmark.tokens"),
          times("S1b", "StreamBenchmark.relay text", 0.5, "StreamBenchmark.tokens"),
          times("S2", "StreamBenchmark.read usage", 1, "StreamBenchmark.trees"),
          bytes("S2", "StreamBenchmark.read usage", 600),
          times(
              "S1",
              "TranslateBenchmark.read messages-to-messages",
              0.25,
              "TranslateBenchmark.tokens"),
          times(
              "S1b",
              "TranslateBenchmark.relay messages-to-messages",
              0.5,
              "TranslateBenchmark.tokens"),
          times(
              "S2",
              "TranslateBenchmark.read responses-to-responses",
              1,
              "TranslateBenchmark.trees"),
          bytes("S2", "TranslateBenchmark.read responses-to-responses", 600),
          translated("responses-to-responses"),
          translated("chat-to-messages"),
          translatedBytes("chat-to-messages"),
          translated("chat-to-responses"),
          translatedBytes("chat-to-responses"),
          translated("messages-to-chat"),
          translatedBytes("messages-to-chat"),
          translated("responses-to-chat"),
          translatedBytes("responses-to-chat"),
          translated("gemini-to-chat"),
          translatedBytes("gemini-to-chat"),
          times("U2", "WriteBenchmark.toMessages 32k", 1, "WriteBenchmark.tree"),
          times("U2", "WriteBenchmark.toGemini 32k", 1, "WriteBenchmark.tree"),
          added("G1", 15, Measure.ADDED_CPU),
          added("G1", 15, Measure.ADDED_CPU_PERCENT),
          added("G1", 8_000, Measure.ADDED_BYTES),
          destinations(5, Measure.ADDED_CPU),
          destinations(2_000, Measure.ADDED_CALLER_BYTES),
          times("P1", "UnusedPluginsBenchmark.with", 1.1, "UnusedPluginsBenchmark.without"),
          new Target(
              "P1",
              "UnusedPluginsBenchmark.with",
              300,
              Measure.ADDED_BYTES,
              "UnusedPluginsBenchmark.without"),
          streamed("chat-to-chat"),
          streamed("chat-to-messages"));

  private static Target times(String id, String subject, double max, String peer) {
    return new Target(id, subject, max, Measure.TIMES, peer);
  }

  private static Target bytes(String id, String subject, double max) {
    return new Target(id, subject, max, Measure.BYTES, null);
  }

  private static Target translated(String dialects) {
    return times("S3", "TranslateBenchmark.relay " + dialects, 1.5, "TranslateBenchmark.rewrite");
  }

  private static Target translatedBytes(String dialects) {
    return bytes("S3", "TranslateBenchmark.relay " + dialects, 1_000);
  }

  private static Target streamed(String dialects) {
    return new Target(
        "G3",
        "StreamCallBenchmark.gateway " + dialects,
        60,
        Measure.ADDED_CPU,
        "StreamCallBenchmark.relay");
  }

  private static Target added(String id, double max, Measure measure) {
    return new Target(
        id, "GatewayCallBenchmark.gateway 1k", max, measure, "GatewayCallBenchmark.raw");
  }

  private static Target destinations(double max, Measure measure) {
    return new Target(
        "G4",
        "GatewayCallBenchmark.sampledDestinations 1k",
        max,
        measure,
        "GatewayCallBenchmark.gateway");
  }

  private static Target perValue(String id, String subject) {
    return new Target(id, subject, 120, Measure.BYTES_PER_VALUE, null);
  }

  /** Returns the subject's parameter with the space before it; empty when it has none. */
  private String parameter() {
    int space = subject.indexOf(' ');
    return space < 0 ? "" : subject.substring(space);
  }

  /** Returns the peer with the subject's parameter. */
  String peerSubject() {
    return Objects.requireNonNull(peer, "compared to nothing") + parameter();
  }

  /** Returns whether a value meets the bound. */
  boolean isMet(double value) {
    return measure == Measure.MIN_RATE ? value >= bound : value <= bound;
  }

  /** Returns a description of the bound. */
  String description() {
    return switch (measure) {
      case TIMES -> "at most " + bound + " x " + peer;
      case MIN_RATE -> "at least " + bound + " x the rate of " + peer;
      case BYTES -> "at most " + (long) bound + " B";
      case BYTES_PER_VALUE -> "at most " + (long) bound + " B per JSON value";
      case ADDED_BYTES -> "at most " + (long) bound + " B more than " + peer;
      case ADDED_CALLER_BYTES ->
          "at most " + (long) bound + " B of the calling thread more than " + peer;
      case ADDED_CPU -> "at most " + bound + " us of processor time more than " + peer;
      case ADDED_CPU_PERCENT -> "at most " + bound + " % of processor time more than " + peer;
    };
  }

  /** Returns the number of JSON values in the document that the subject reads. */
  int valueCount() {
    return ChatBodies.countValues(parameter().strip());
  }
}
