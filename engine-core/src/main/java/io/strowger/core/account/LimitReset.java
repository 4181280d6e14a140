package io.strowger.core.account;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * When a key's limit starts anew: at midnight UTC, weeks on Monday, months on the 1st. Contract:
 * "Limits".
 */
public enum LimitReset {
  NEVER,
  DAILY,
  WEEKLY,
  MONTHLY;

  /**
   * The name of the period that contains the moment: {@code all}, {@code 2026-11-21}, {@code
   * 2026-W47}, {@code 2026-11}.
   */
  public String window(Instant at) {
    LocalDate day = at.atOffset(ZoneOffset.UTC).toLocalDate();
    return switch (this) {
      case NEVER -> "all";
      case DAILY -> day.toString();
      case WEEKLY ->
          String.format(
              Locale.ROOT,
              "%d-W%02d",
              day.get(IsoFields.WEEK_BASED_YEAR),
              day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case MONTHLY -> day.toString().substring(0, 7);
    };
  }
}
