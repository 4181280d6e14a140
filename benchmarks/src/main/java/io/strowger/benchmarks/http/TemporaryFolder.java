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
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** Makes one whose name begins so. */
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /** Returns the bytes of the files in it, as far as they can be seen at this moment. */
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
      // as it should be
    } catch (IOException left) {
      System.err.println("left behind: " + path + " (" + left.getMessage() + ")");
    }
  }
}
