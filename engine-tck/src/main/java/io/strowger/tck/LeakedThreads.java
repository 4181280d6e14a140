package io.strowger.tck;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads a plugin has left behind. Platform threads are known by their group, which they
 * inherit; virtual ones have none, and are known by the plugin's classes on their stacks, in a dump
 * of all threads. So tests that run at the same time do not meet.
 */
final class LeakedThreads {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int ROUNDS = 40;
  private static final int ROUND_MILLIS = 50;

  private LeakedThreads() {}

  /**
   * Does something with a plugin, and fails when threads it started are there two seconds later.
   *
   * @param work runs on a thread of its own
   */
  static void assertNone(Set<PluginCode> codes, Callable<?> work) throws InterruptedException {
    Set<String> before = new HashSet<>(virtualThreads(codes));
    var group = new ThreadGroup("plugin");
    var failure = new AtomicReference<@Nullable Throwable>();
    var worker =
        new Thread(
            group,
            () -> {
              try {
                work.call();
              } catch (Throwable thrown) {
                failure.set(thrown);
              }
            },
            "plugin-work");
    worker.setDaemon(true);
    worker.start();
    worker.join(PATIENCE_MILLIS);
    if (worker.isAlive()) {
      throw new AssertionError("the plugin has not returned after a minute");
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("the plugin failed: " + thrown, thrown);
    }
    List<String> left = left(group, codes, before);
    for (int i = 0; i < ROUNDS && !left.isEmpty(); i++) {
      pause();
      left = left(group, codes, before);
    }
    if (!left.isEmpty()) {
      throw new AssertionError(
          "threads the plugin started run on when it is done: "
              + String.join(", ", left)
              + ". A plugin works on the thread it is called on.");
    }
  }

  private static void pause() throws InterruptedException {
    boolean never = new CountDownLatch(1).await(ROUND_MILLIS, TimeUnit.MILLISECONDS);
    assert !never;
  }

  private static List<String> left(ThreadGroup group, Set<PluginCode> codes, Set<String> before) {
    var left = new ArrayList<String>();
    var platform = new Thread[group.activeCount() + 16];
    int found = group.enumerate(platform);
    for (int i = 0; i < found; i++) {
      left.add('"' + platform[i].getName() + '"');
    }
    for (String virtual : virtualThreads(codes)) {
      if (!before.contains(virtual)) {
        left.add(virtual);
      }
    }
    return left;
  }

  /** Virtual threads with a class of the plugin on their stacks. */
  private static List<String> virtualThreads(Set<PluginCode> codes) {
    var found = new ArrayList<String>();
    String thread = "";
    for (String line : dump()) {
      if (line.startsWith("#")) {
        String[] head = line.split("\"", 3);
        thread = head.length == 3 && head[2].contains("virtual") ? line.strip() : "";
      } else if (!thread.isEmpty() && isOf(codes, line)) {
        found.add("virtual thread " + thread.split(" ", 2)[0] + " in " + line.strip());
        thread = "";
      }
    }
    return found;
  }

  private static boolean isOf(Set<PluginCode> codes, String frame) {
    int end = frame.indexOf('(');
    if (end < 0) {
      return false;
    }
    String place = frame.substring(frame.lastIndexOf('/', end) + 1, end).strip();
    String method = place.startsWith("at ") ? place.substring(3) : place; // as of Java 25
    int dot = method.lastIndexOf('.');
    return dot > 0 && codes.stream().anyMatch(code -> code.contains(method.substring(0, dot)));
  }

  private static List<String> dump() {
    try {
      Path directory = Files.createTempDirectory("threads");
      Path file = directory.resolve("dump.txt"); // must not exist yet
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        return Files.readAllLines(file);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
