package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Reads counts of a usage. A negative number, or one that is not whole, counts as 0. */
public final class UsageCounts {
  /**
   * The upper bound of a count: larger than any that occurs, and small enough that sums do not
   * overflow.
   */
  public static final long MOST = 1_000_000_000_000L;

  private UsageCounts() {}

  /** Returns the count of this name; 0 when there is none. */
  public static long of(Json.@Nullable Obj from, String name) {
    return from == null ? 0 : Math.clamp(from.whole(name, 0), 0, MOST);
  }
}
