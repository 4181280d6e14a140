package io.strowger.stores;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Deletes directories that are used for longer than one test. */
final class Directories {
  private Directories() {}

  static void delete(Path directory) throws IOException {
    try (var all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(Directories::deleteOne);
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
