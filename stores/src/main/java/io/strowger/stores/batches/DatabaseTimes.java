package io.strowger.stores.batches;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Rounds times to microseconds, the database's precision, so that the database does not round them
 * itself.
 */
final class DatabaseTimes {
  /** The earliest time: the epoch. */
  static final OffsetDateTime EPOCH = Instant.EPOCH.atOffset(ZoneOffset.UTC);

  /** The earliest time after {@link #EPOCH} that the database can tell from it. */
  static final OffsetDateTime AFTER_EPOCH = EPOCH.plus(1, ChronoUnit.MICROS);

  private DatabaseTimes() {}

  /** Rounds a moment down, for storing it and for comparing with {@code <=} and {@code >}. */
  static OffsetDateTime floor(Instant moment) {
    return moment.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  /** Rounds a moment up, for comparing with {@code <}. */
  static OffsetDateTime ceiling(Instant moment) {
    OffsetDateTime floor = floor(moment);
    return floor.toInstant().equals(moment) ? floor : floor.plus(1, ChronoUnit.MICROS);
  }
}
