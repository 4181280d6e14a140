package io.strowger.benchmarks.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder that is deleted, with all that is in it, when it is closed.
 *
 * @param path the path of the folder
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** Creates a folder whose name begins with the prefix. */
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /**
   * Returns the total size of the files in the folder in bytes, without files deleted meanwhile.
   */
  long bytes() {
    try (Stream<Path> files = Files.walk(path)) {
      return files.mapToLong(TemporaryFolder::size).sum();
    } catch (IOException e) {
      throw new IllegalStateException("a folder cannot be read", e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException removedMeanwhile) {
      return 0;
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException gone) {
      // already deleted
    } catch (IOException failure) {
      System.err.println("cannot delete " + path + ": " + failure.getMessage());
    }
  }
}
