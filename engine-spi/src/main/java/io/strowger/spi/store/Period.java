package io.strowger.spi.store;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * A period over which spending is counted. The spending counted against a limit starts at zero with
 * each period: at midnight UTC, weeks on Monday, months on the 1st. Contract: "Limits".
 */
public enum Period {
  /** A single period that never ends. */
  LIFETIME,
  DAILY,
  WEEKLY,
  MONTHLY;

  /**
   * Returns the name of the period that contains the instant: {@code all}, {@code 2026-11-21},
   * {@code 2026-W47}, {@code 2026-11}.
   */
  public String window(Instant at) {
    return switch (this) {
      case LIFETIME -> "all";
      case DAILY -> day(at).toString();
      case WEEKLY -> week(day(at));
      case MONTHLY -> day(at).toString().substring(0, 7);
    };
  }

  private static LocalDate day(Instant at) {
    return at.atOffset(ZoneOffset.UTC).toLocalDate();
  }

  private static String week(LocalDate day) {
    return String.format(
        Locale.ROOT,
        "%d-W%02d",
        day.get(IsoFields.WEEK_BASED_YEAR),
        day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }
}
