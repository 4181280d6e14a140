package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Reads the counts in a usage report. A negative number, or one that is not whole, counts as 0. */
public final class UsageCounts {
  /**
   * The upper bound of a count: larger than any that occurs, and small enough that sums do not
   * overflow.
   */
  public static final long MAX_COUNT = 1_000_000_000_000L;

  private UsageCounts() {}

  /** Returns the count of this name; 0 when there is none. */
  public static long of(Json.@Nullable Obj usage, String name) {
    return usage == null ? 0 : Math.clamp(usage.longValue(name, 0), 0, MAX_COUNT);
  }
}
