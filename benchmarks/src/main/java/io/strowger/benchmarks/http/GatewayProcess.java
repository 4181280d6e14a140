package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The gateway as anybody would serve it: its own command line and a configuration file, in a
 * process of its own. For one thread.
 */
final class GatewayProcess implements AutoCloseable {
  private static final String MAIN = "io.strowger.host.Main";
  private static final List<String> OPTIONS = List.of("-Xmx512m", JvmCounters.JVM_OPTION);

  private final Child child;
  private final Path folder;
  private final @Nullable Path data;

  private GatewayProcess(Child child, Path folder, @Nullable Path data) {
    this.child = child;
    this.folder = folder;
    this.data = data;
  }

  /**
   * Starts one that forgets everything, or keeps it in a data directory of its own.
   *
   * @param classPath of the build that is to serve
   */
  static GatewayProcess start(URI upstream, boolean durable, String classPath) throws IOException {
    Path folder = Files.createTempDirectory("bench-gateway");
    Path config =
        Files.writeString(
            folder.resolve("gateway.json"),
            GatewayConfigs.file(upstream, Upstream.SHORT, Upstream.LONG));
    var command = new ArrayList<>(List.of("serve", "--config", config.toString(), "--port", "0"));
    Path data = durable ? folder.resolve("data") : null;
    if (data != null) {
      command.addAll(List.of("--data", data.toString()));
    }
    try {
      Child child = Child.start(OPTIONS, classPath, MAIN, command.toArray(String[]::new));
      return new GatewayProcess(child, folder, data);
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
  }

  Child child() {
    return child;
  }

  /** Bytes in the files of its data directory; 0 without one. */
  long bytesOnDisk() {
    if (data == null) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(data)) {
      return files.mapToLong(GatewayProcess::size).sum();
    } catch (IOException e) {
      throw new IllegalStateException("the data directory cannot be read", e);
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
    child.close();
    try {
      delete(folder);
    } catch (IOException left) {
      System.err.println("left behind: " + folder + " (" + left.getMessage() + ")");
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException gone) {
      // as it should be
    }
  }
}
