package io.strowger.benchmarks.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loaded and linked classes of the host, as {@code ./gateway serve} and the image keep them.
 */
public final class ClassCache {
  /** The first JDK with {@code -XX:AOTCacheOutput}. */
  private static final int FIRST_JDK = 25;

  private ClassCache() {}

  /**
   * Starts the host once and keeps its classes.
   *
   * @param folder the folder for the file
   * @return the options for processes that use the file; null if this JDK cannot make one
   */
  public static @Nullable List<String> train(Path folder) throws IOException, InterruptedException {
    if (Runtime.version().feature() < FIRST_JDK) {
      return null;
    }
    Path cache = folder.resolve("classes.aot");
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(ChildProcess.DEFAULT_OPTIONS);
    command.addAll(
        List.of(
            "-XX:AOTCacheOutput=" + cache,
            "-cp",
            ChildProcess.ownClassPath(),
            GatewayProcess.MAIN,
            "train"));
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0 || !Files.isRegularFile(cache)) {
      return null;
    }
    var options = new ArrayList<>(ChildProcess.DEFAULT_OPTIONS);
    options.add("-XX:AOTCache=" + cache);
    return List.copyOf(options);
  }
}
