package io.strowger.core.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the queue for calls that an observability destination does not accept at the
 * moment.
 *
 * @param directory absolute, of this process alone; null: they wait in memory only
 * @param maxMib most mebibytes on disk for each destination, 1 to 1,000,000
 */
public record DestinationQueueSettings(@Nullable Path directory, int maxMib) {
  private static final int MOST_MIB = 1_000_000;
  private static final int USUAL_MIB = 256;

  static DestinationQueueSettings read(Section in) {
    String directory =
        in.text(
            "directory",
            "must be the absolute path of a directory",
            DestinationQueueSettings::isAbsolute);
    return new DestinationQueueSettings(
        directory == null ? null : Path.of(directory), in.whole("max_mib", 1, MOST_MIB, USUAL_MIB));
  }

  private static boolean isAbsolute(String text) {
    try {
      return Scalars.isPlain(text) && Path.of(text).isAbsolute();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the most bytes on disk for each destination. */
  public long maxBytes() {
    return (long) maxMib << 20;
  }
}
