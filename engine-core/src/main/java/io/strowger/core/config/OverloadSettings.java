package io.strowger.core.config;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits on concurrent work.
 *
 * @param bodyBytes most bytes of request bodies in flight together, 1,000 to 1,000,000,000,000;
 *     null for a share of the heap
 * @param inFlight most requests in flight together, 1 to 10,000,000; null for a number derived from
 *     the heap
 * @param perKey most requests in flight of one key, 1 to 10,000,000; null for no limit
 * @param perEndpoint most attempts in flight at one endpoint, 1 to 10,000,000; null for no limit
 * @param queue most requests that wait for a place, 0 to 100,000
 * @param queueWait the longest wait for a place, at most a minute
 * @param adaptive whether the limit of each endpoint adapts to its response times
 */
public record OverloadSettings(
    @Nullable Long bodyBytes,
    @Nullable Integer inFlight,
    @Nullable Integer perKey,
    @Nullable Integer perEndpoint,
    int queue,
    Duration queueWait,
    boolean adaptive) {
  private static final int MAX_COUNT = 10_000_000;

  public OverloadSettings {
    Objects.requireNonNull(queueWait, "queueWait");
  }

  static OverloadSettings read(Section in) {
    return new OverloadSettings(
        in.wholeNumber("body_bytes", 1_000, 1_000_000_000_000L),
        count(in, "in_flight"),
        count(in, "per_key"),
        count(in, "per_endpoint"),
        in.wholeNumber("queue", 0, 100_000, 100),
        Duration.ofMillis(in.wholeNumber("queue_ms", 0, 60_000, 500L)),
        in.flag("adaptive", false));
  }

  private static @Nullable Integer count(Section in, String name) {
    Long number = in.wholeNumber(name, 1, MAX_COUNT);
    return number == null ? null : Math.toIntExact(number);
  }
}
