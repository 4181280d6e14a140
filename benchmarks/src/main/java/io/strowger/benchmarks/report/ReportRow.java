package io.strowger.benchmarks.report;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One figure that was measured several times.
 *
 * @param name the name of the figure; unique in its section
 * @param role the role in a comparison
 * @param comparedWith the name of the row of the same section that it is compared with; null for
 *     none
 * @param limit what a figure of the row is limited to; null for a row without a limit
 * @param runs the measured values in the unit of the section, oldest first; at least one
 */
record ReportRow(
    String name,
    Role role,
    @Nullable String comparedWith,
    @Nullable ReportLimit limit,
    List<Double> runs) {
  private static final MathContext DIGITS = new MathContext(6);
  private static final double MAX_DRIFT = 0.2;

  /** The role of a row in a comparison. */
  enum Role {
    /** This project. */
    OURS,
    /** The least that the work can cost, such as reading the bytes. */
    FLOOR,
    /** Another library, or the obvious implementation. */
    PEER
  }

  ReportRow {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(role, "role");
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException(name + " was never measured");
    }
  }

  ReportRow(String name, Role role, @Nullable String comparedWith, List<Double> runs) {
    this(name, role, comparedWith, null, runs);
  }

  /** Returns this row with a limit. */
  ReportRow withLimit(ReportLimit newLimit) {
    return new ReportRow(name, role, comparedWith, newLimit, runs);
  }

  /** Returns this row with a limit of its median. */
  ReportRow withMedianLimit(String subject, double most) {
    return withLimit(new ReportLimit(subject, median(), most));
  }

  /** Returns the median of the runs; for an even number the mean of the two in the middle. */
  double median() {
    double[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  double min() {
    return sorted()[0];
  }

  double max() {
    double[] sorted = sorted();
    return sorted[sorted.length - 1];
  }

  /**
   * Returns the spread of the runs: half the difference of the highest and the lowest, in % of the
   * median.
   */
  double spread() {
    double median = median();
    return median == 0 ? 0 : (max() - min()) / 2 / Math.abs(median) * 100;
  }

  /**
   * Returns whether the last run differs from the first by no more than a fifth of the median. If
   * it differs by more, the machine was busy for a part of the time, or had not warmed up.
   */
  boolean isSteady() {
    return Math.abs(runs.getLast() - runs.getFirst()) <= MAX_DRIFT * Math.abs(median());
  }

  private double[] sorted() {
    double[] sorted = runs.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  Json.Obj toJson() {
    List<Json> values = runs.stream().map(ReportRow::number).toList();
    Json.Obj.Builder out =
        Json.object()
            .put("name", name)
            .put("role", role.name())
            .putOrNull("against", comparedWith)
            .put("runs", Json.array(values));
    if (limit != null) {
      out.put("limit", limit.toJson());
    }
    return out.build();
  }

  /** Returns a number with as many digits as the file keeps. */
  static Json number(double value) {
    return Json.of(BigDecimal.valueOf(value).round(DIGITS));
  }

  /** Returns a number of an object. */
  static double number(Json.Obj in, String name) {
    return ((Json.Num) ReportData.required(in.get(name), name)).decimal().doubleValue();
  }

  static ReportRow read(Json.Obj in) {
    var runs = new ArrayList<Double>();
    for (Json run : ReportData.required(in.list("runs"), "runs")) {
      runs.add(((Json.Num) run).decimal().doubleValue());
    }
    Json.@Nullable Obj limit = in.object("limit");
    return new ReportRow(
        ReportData.required(in.text("name"), "name"),
        Role.valueOf(ReportData.required(in.text("role"), "role")),
        in.text("against"),
        limit == null ? null : ReportLimit.read(limit),
        runs);
  }
}
