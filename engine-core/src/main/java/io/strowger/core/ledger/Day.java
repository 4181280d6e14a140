package io.strowger.core.ledger;

import io.strowger.spi.store.Period;
import java.time.Instant;

/**
 * A day in UTC and the names of the windows that contain it. Created once a day, not once a
 * request.
 *
 * @param number the days since 1970-01-01
 */
record Day(long number, String date, String week, String month) {
  private static final long SECONDS_PER_DAY = 86_400;

  static Day of(Instant at) {
    return new Day(
        number(at), Period.DAILY.window(at), Period.WEEKLY.window(at), Period.MONTHLY.window(at));
  }

  static long number(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), SECONDS_PER_DAY);
  }

  String window(Period period) {
    return switch (period) {
      case LIFETIME -> Period.LIFETIME.window(Instant.EPOCH);
      case DAILY -> date;
      case WEEKLY -> week;
      case MONTHLY -> month;
    };
  }
}
