package io.strowger.benchmarks;

import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures how long a durable store takes to open after many requests, once when its process closed
 * it and once when the process was killed, and how much disk space the requests take. Every start
 * is in a new process.
 */
final class Restarts {
  private static final int REQUESTS = 300_000;
  private static final double CLEAN_SECONDS = 3;
  private static final double KILLED_SECONDS = 5;

  private Restarts() {}

  /**
   * @param args the number of requests; 300,000 when empty
   * @return the exit code: 1 when a start takes longer than its bound, 2 when the argument is not a
   *     number
   */
  static int run(String[] args, PrintStream out) throws IOException {
    int requests;
    try {
      requests = args.length == 0 ? REQUESTS : Integer.parseInt(args[0]);
    } catch (NumberFormatException e) {
      out.println("restart takes the number of requests, not " + args[0]);
      return 2;
    }
    boolean targetsMet = measureRestart(true, requests, CLEAN_SECONDS, out);
    targetsMet &= measureRestart(false, requests, KILLED_SECONDS, out);
    return targetsMet ? 0 : 1;
  }

  private static boolean measureRestart(
      boolean closeStore, int requests, double maxSeconds, PrintStream out) throws IOException {
    try (var folder = TemporaryFolder.create("strowger-restart")) {
      runProcess(folder.path(), requests, closeStore);
      long database = Files.size(folder.path().resolve("gateway.mv.db"));
      double seconds = runProcess(folder.path(), 0, true) / 1e9;
      out.printf(
          Locale.ROOT,
          "%d requests, %s: open again after %.1f s (at most %.0f); database %.2f MB and journal"
              + " %.2f MB per 1,000%n",
          requests,
          closeStore ? "closed" : "killed",
          seconds,
          maxSeconds,
          database / 1e3 / requests,
          journalBytes(folder.path()) / 1e3 / requests);
      return seconds <= maxSeconds;
    }
  }

  /** Opens the store in a new process and returns how long that took, in nanoseconds. */
  private static long runProcess(Path folder, int requests, boolean close) throws IOException {
    String main = StoreProcess.class.getName();
    String count = Integer.toString(requests);
    try (ChildProcess child =
        ChildProcess.start(main, folder.toString(), count, Boolean.toString(close))) {
      return Long.parseLong(child.uri().getSchemeSpecificPart());
    }
  }

  private static long journalBytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
