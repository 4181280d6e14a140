package io.strowger.host.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A temporary folder that is deleted with its content when it is closed.
 *
 * @param path the location of the folder
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** Creates an empty temporary folder whose name begins with a prefix. */
  public static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
