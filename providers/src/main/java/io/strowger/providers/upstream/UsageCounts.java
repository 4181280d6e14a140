package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Numbers of what an upstream says it used. One that is negative or no whole number is none. */
public final class UsageCounts {
  /** Beyond any real count; keeps sums in range. */
  public static final long MOST = 1_000_000_000_000L;

  private UsageCounts() {}

  /** Returns the count of this name; 0 when there is none. */
  public static long of(Json.@Nullable Obj from, String name) {
    return from == null ? 0 : Math.clamp(from.whole(name, 0), 0, MOST);
  }
}
