package io.strowger.stores.batches;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Times as a database compares them: to the microsecond, cut or rounded by nobody but us. */
final class DatabaseTimes {
  /** Before anything happens. */
  static final OffsetDateTime FIRST = Instant.EPOCH.atOffset(ZoneOffset.UTC);

  /** The next one: what is not {@link #FIRST}. */
  static final OffsetDateTime SECOND = FIRST.plus(1, ChronoUnit.MICROS);

  private DatabaseTimes() {}

  /** Cuts a moment to what is kept, and to what {@code <=} and {@code >} are asked about it. */
  static OffsetDateTime floor(Instant moment) {
    return moment.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  /** Returns the first that is not earlier, for {@code <}. */
  static OffsetDateTime ceiling(Instant moment) {
    OffsetDateTime floor = floor(moment);
    return floor.toInstant().equals(moment) ? floor : floor.plus(1, ChronoUnit.MICROS);
  }
}
