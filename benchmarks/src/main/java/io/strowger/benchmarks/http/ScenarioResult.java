package io.strowger.benchmarks.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The figures of one contender in one scenario.
 *
 * @param serial the figures with one request at a time
 * @param loads the figures under load, lap by lap
 * @param diskBytes the bytes by which the contender's files grew during the laps
 */
public record ScenarioResult(
    Scenario scenario,
    InterleavedComparison.SerialResult serial,
    List<InterleavedComparison.Load> loads,
    long diskBytes) {
  static final String HEADINGS =
      String.format(
          Locale.ROOT,
          "%-16s %-16s %8s %8s %9s %9s %8s %9s %8s %9s",
          "scenario",
          "contender",
          "p50 us",
          "p99 us",
          "+p50",
          "+p99",
          "CPU us",
          "loaded /s",
          "CPU us",
          "kB");

  public String contender() {
    return serial.contender().name();
  }

  /** Returns the processor time per request under load in microseconds: the median of the laps. */
  public double cpuMicros() {
    return median(loads.stream().mapToDouble(InterleavedComparison.Load::cpuMicros).toArray());
  }

  /** Returns the median time of requests sent one at a time, in microseconds. */
  public double medianMicros() {
    return serial.allSamples().quantile(0.5) / 1e3;
  }

  /**
   * Returns the ratio of this contender's processor time to the other's: the median of the laps.
   */
  public double cpuRatio(ScenarioResult other) {
    double[] ratios = new double[loads.size()];
    for (int lap = 0; lap < ratios.length; lap++) {
      ratios[lap] = loads.get(lap).cpuMicros() / other.loads.get(lap).cpuMicros();
    }
    return median(ratios);
  }

  /** Returns the bytes that its process allocated per request under load. */
  public double allocated() {
    return median(loads.stream().mapToDouble(InterleavedComparison.Load::bytes).toArray());
  }

  /**
   * Returns how many microseconds longer a request took than the other's: the median of the rounds.
   */
  public double addedMicros(ScenarioResult other) {
    return serial.addedMedian(other.serial) / 1e3;
  }

  /**
   * Returns the median times of requests sent one at a time, in microseconds, for equal parts of
   * the rounds.
   *
   * @param parts the number of parts; limited to the number of rounds
   */
  public List<Double> medians(int parts) {
    List<Samples> rounds = serial.rounds();
    int size = Math.max(1, rounds.size() / parts);
    var medians = new ArrayList<Double>();
    for (int part = 0; part < Math.min(parts, rounds.size()); part++) {
      var samples = new Samples();
      rounds.subList(part * size, (part + 1) * size).forEach(samples::addAll);
      medians.add(samples.quantile(0.5) / 1e3);
    }
    return medians;
  }

  /** Returns the processor time per request in microseconds, lap by lap. */
  public List<Double> cpuByLap() {
    return loads.stream().map(InterleavedComparison.Load::cpuMicros).toList();
  }

  /** Returns the requests answered per second, lap by lap. */
  public List<Double> rateByLap() {
    return loads.stream().map(InterleavedComparison.Load::perSecond).toList();
  }

  /** Returns the kilobytes that its process allocated per request, lap by lap. */
  public List<Double> kilobytesByLap() {
    return loads.stream().map(load -> load.bytes() / 1e3).toList();
  }

  /** Returns the bytes written to disk for each request under load. */
  double diskBytesPerRequest() {
    return (double) diskBytes / loads.stream().mapToInt(InterleavedComparison.Load::requests).sum();
  }

  String line(ScenarioResult direct) {
    Samples samples = serial.allSamples();
    return String.format(
        Locale.ROOT,
        "%-16s %-16s %8.1f %8.1f %9.1f %9.1f %8.1f %9.0f %8.1f %9.1f",
        scenario.name(),
        contender(),
        samples.quantile(0.5) / 1e3,
        samples.quantile(0.99) / 1e3,
        addedMicros(direct),
        (samples.quantile(0.99) - direct.serial.allSamples().quantile(0.99)) / 1e3,
        serial.cpuMicrosPerRequest(),
        median(loads.stream().mapToDouble(InterleavedComparison.Load::perSecond).toArray()),
        cpuMicros(),
        allocated() / 1e3);
  }

  private static double median(double[] values) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
