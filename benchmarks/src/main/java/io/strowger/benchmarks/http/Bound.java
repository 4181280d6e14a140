package io.strowger.benchmarks.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A limit that a figure of the gateway must not exceed, and one that it should not exceed.
 *
 * @param scenario the id of the scenario
 * @param contender the name of the gateway that is measured
 * @param measure the figure that is limited
 * @param bound the limit that must hold
 * @param aim the limit that should be reached
 */
public record Bound(String scenario, String contender, Measure measure, double bound, double aim) {
  private static final String MEMORY = HttpComparison.MEMORY;
  private static final String DURABLE = HttpComparison.DURABLE;

  static final List<Bound> ALL =
      List.of(
          new Bound("1k", MEMORY, Measure.CPU_RATIO, 1.35, 1.1),
          new Bound("1k", MEMORY, Measure.ADDED_MICROS, 30, 15),
          new Bound("1k", MEMORY, Measure.KILOBYTES, 28, 22),
          new Bound("1k", DURABLE, Measure.CPU_RATIO, 1.55, 1.2),
          new Bound("1k", DURABLE, Measure.ADDED_MICROS, 45, 20),
          new Bound("1k", DURABLE, Measure.KILOBYTES, 36, 26),
          new Bound("1k", DURABLE, Measure.DISK, 1, 0.5),
          new Bound("32k", MEMORY, Measure.CPU_RATIO, 1.4, 1.15),
          new Bound("32k", MEMORY, Measure.ADDED_MICROS, 50, 25),
          new Bound("stream", MEMORY, Measure.CPU_RATIO, 0.8, 0.6),
          new Bound("stream", MEMORY, Measure.ADDED_MICROS, 0, 0),
          new Bound("stream", DURABLE, Measure.CPU_RATIO, 0.8, 0.6),
          new Bound("stream", DURABLE, Measure.ADDED_MICROS, 0, 0));

  /** A figure that is compared. */
  public enum Measure {
    CPU_RATIO("times the relay's CPU under load"),
    ADDED_MICROS("us p50 more than the relay, serial"),
    KILOBYTES("kB allocated per request"),
    DISK("MB more on disk per 1,000 requests");

    private final String description;

    Measure(String description) {
      this.description = description;
    }

    /** Returns the unit and the subject, such as "kB allocated per request". */
    public String description() {
      return description;
    }
  }

  /** Returns the bound of a figure; empty when the figure has none. */
  public static Optional<Bound> find(String scenario, String contender, Measure measure) {
    return ALL.stream()
        .filter(bound -> bound.scenario.equals(scenario))
        .filter(bound -> bound.contender.equals(contender) && bound.measure == measure)
        .findFirst();
  }

  /** Returns the measured figure that this bound is for. */
  public double figure(ScenarioResult gateway, ScenarioResult relay) {
    return switch (measure) {
      case CPU_RATIO -> gateway.cpuRatio(relay);
      case ADDED_MICROS -> gateway.addedMicros(relay);
      case KILOBYTES -> gateway.allocated() / 1e3;
      case DISK -> gateway.diskBytesPerRequest() / 1e3;
    };
  }

  /** Returns a line that says whether a figure meets the bound and the aim. */
  String line(double figure) {
    String verdict = figure <= aim ? "reached" : figure <= bound ? "held" : "MISSED";
    return String.format(
        Locale.ROOT,
        "%-8s %-7s %-8s %8.2f %s; at most %s, better %s",
        verdict,
        scenario,
        contender,
        figure,
        measure.description,
        number(bound),
        number(aim));
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
