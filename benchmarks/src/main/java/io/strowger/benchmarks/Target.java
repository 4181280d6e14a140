package io.strowger.benchmarks;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a benchmark is to reach: a ratio to another benchmark of the same run, or bytes. Times alone
 * are wishes, since the same code takes twice as long on a busy machine.
 *
 * @param id its number in the project's list of targets
 * @param subject class, method and parameter, such as {@code PlanBenchmark.decide 5}
 * @param most the bound, inclusive
 * @param measure what is bounded
 * @param peer the class and method compared to, which has the same parameter; null for bytes
 */
record Target(String id, String subject, double most, Measure measure, @Nullable String peer) {
  /** What is bounded. */
  enum Measure {
    /** The time, in times of the peer's. */
    TIMES,
    /** Bytes allocated by one operation. */
    BYTES,
    /** Bytes allocated by reading one value of a JSON document. */
    BYTES_PER_VALUE,
    /** Bytes allocated beyond the peer's. */
    ADDED_BYTES,
    /** Processor time beyond the peer's, in microseconds. */
    ADDED_CPU,
    /** The same in hundredths of the peer's. */
    ADDED_CPU_PERCENT
  }

  static final List<Target> ALL =
      List.of(
          times("R1", "PlanBenchmark.decide 5", 12, "PlanBenchmark.roundRobinPick"),
          new Target("R1", "PlanBenchmark.decide 5", 400, Measure.BYTES, null),
          times(
              "R2",
              "PlanBenchmark.decideWithPreferences 5",
              3,
              "PlanBenchmark.streamsWithPreferences"),
          times(
              "R3",
              "PlanBenchmark.decideWithPreferences 50",
              0.7,
              "PlanBenchmark.streamsWithPreferences"),
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
          new Target("S2", "StreamBenchmark.read usage", 600, Measure.BYTES, null),
          added("G1", 15, Measure.ADDED_CPU),
          added("G1", 15, Measure.ADDED_CPU_PERCENT),
          added("G1", 8_000, Measure.ADDED_BYTES));

  private static Target times(String id, String subject, double most, String peer) {
    return new Target(id, subject, most, Measure.TIMES, peer);
  }

  private static Target added(String id, double most, Measure measure) {
    return new Target(
        id, "GatewayCallBenchmark.gateway 1k", most, measure, "GatewayCallBenchmark.raw");
  }

  private static Target perValue(String id, String subject) {
    return new Target(id, subject, 120, Measure.BYTES_PER_VALUE, null);
  }

  /** The subject's parameter with the space before it; empty when it has none. */
  private String parameter() {
    int space = subject.indexOf(' ');
    return space < 0 ? "" : subject.substring(space);
  }

  /** What the subject is compared to, with its parameter. */
  String peerSubject() {
    return Objects.requireNonNull(peer, "compared to nothing") + parameter();
  }

  /** The bound in words. */
  String bound() {
    return switch (measure) {
      case TIMES -> "at most " + most + " x " + peer;
      case BYTES -> "at most " + (long) most + " B";
      case BYTES_PER_VALUE -> "at most " + (long) most + " B per JSON value";
      case ADDED_BYTES -> "at most " + (long) most + " B more than " + peer;
      case ADDED_CPU -> "at most " + most + " us of processor time more than " + peer;
      case ADDED_CPU_PERCENT -> "at most " + most + " % of processor time more than " + peer;
    };
  }

  /** The JSON values in the document the subject reads. */
  int valuesRead() {
    return ChatBodies.values(parameter().strip());
  }
}
