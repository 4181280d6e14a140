package io.strowger.core.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the queues of calls that wait for observability destinations.
 *
 * @param directory an absolute path that only this process uses; null to keep waiting calls in
 *     memory only
 * @param maxMib most mebibytes on disk for each destination, 1 to 1,000,000
 * @param gatherMs the pause between two deliveries, in milliseconds, in which calls gather: 0 to
 *     10,000; with 0 each call is delivered at once
 */
public record DestinationQueueSettings(@Nullable Path directory, int maxMib, int gatherMs) {
  private static final int MAX_MIB = 1_000_000;
  private static final int DEFAULT_MIB = 256;
  private static final int MAX_GATHER_MS = 10_000;
  private static final int DEFAULT_GATHER_MS = 100;

  static DestinationQueueSettings read(Section in) {
    String directory =
        in.text(
            "directory",
            "must be the absolute path of a directory",
            DestinationQueueSettings::isAbsolute);
    return new DestinationQueueSettings(
        directory == null ? null : Path.of(directory),
        in.wholeNumber("max_mib", 1, MAX_MIB, DEFAULT_MIB),
        in.wholeNumber("gather_ms", 0, MAX_GATHER_MS, DEFAULT_GATHER_MS));
  }

  private static boolean isAbsolute(String text) {
    try {
      return Scalars.isDisplayable(text) && Path.of(text).isAbsolute();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the pause between two deliveries, in which calls gather; may be zero. */
  public Duration gatheringTime() {
    return Duration.ofMillis(gatherMs);
  }

  /** Returns the most bytes on disk for each destination. */
  public long maxBytes() {
    return (long) maxMib << 20;
  }
}
