package io.strowger.benchmarks.report;

import java.util.Locale;

/** Formats numbers for the page with three significant digits. */
final class ReportNumbers {
  private ReportNumbers() {}

  /** Returns a number such as 1,234 or 12.3 or 1.23 or 0.123. */
  static String of(double value) {
    double size = Math.abs(value);
    if (size >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, size >= 0.9995 || size == 0 ? "%.2f" : "%.3f", value);
  }

  /** Returns a number with its unit. */
  static String of(double value, String unit) {
    return of(value) + " " + unit;
  }
}
