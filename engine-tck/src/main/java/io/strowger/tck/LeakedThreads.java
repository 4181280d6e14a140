package io.strowger.tck;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads a plugin has left behind. Platform threads are known by their group, which they
 * inherit; virtual ones have none, and are known by the plugin's classes on their stacks, in a dump
 * of all threads. So tests that run at the same time do not meet. A virtual thread that waits for
 * its first turn has no stack yet, so it is looked at again until it has one or is gone.
 */
final class LeakedThreads {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration TIME_TO_END = Duration.ofSeconds(2);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private static final int MAX_NAMED = 8;

  /** Where a virtual thread is before its task has begun, and where the task waits later. */
  private static final List<String> RUNTIME =
      List.of("java.lang.VirtualThread", "java.lang.Thread", "jdk.internal.vm.");

  /** Whose a virtual thread is, as far as its stack says. */
  private enum Owner {
    PLUGIN,
    OTHERS,
    /** It has not begun. */
    UNKNOWN
  }

  private record Found(Owner owner, String description) {}

  private LeakedThreads() {}

  /**
   * Does something with a plugin, and fails when threads it started are there two seconds later.
   *
   * @param work runs on a thread of its own
   */
  static void assertNone(Set<PluginCode> codes, Callable<?> work) throws InterruptedException {
    Set<String> before = Set.copyOf(virtualThreads(codes).keySet());
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
    if (!worker.join(PATIENCE)) {
      throw new AssertionError("the plugin has not returned after a minute");
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("the plugin failed: " + thrown, thrown);
    }
    assertNone(before, group, codes);
  }

  private static void assertNone(Set<String> before, ThreadGroup group, Set<PluginCode> codes) {
    Map<String, Found> left = left(group, codes);
    left.keySet().removeAll(before);
    TestAmbient clock = TestAmbient.realTime();
    long begun = clock.nanoTime();
    long known = begun;
    while (true) {
      left.values().removeIf(thread -> thread.owner() == Owner.OTHERS);
      long now = clock.nanoTime();
      boolean unknown = left.values().stream().anyMatch(thread -> thread.owner() == Owner.UNKNOWN);
      if (unknown) {
        known = now; // the time to end is counted from when all have had their turn
      }
      Duration waited = Duration.ofNanos(now - (unknown ? begun : known));
      if (left.isEmpty() || waited.compareTo(unknown ? PATIENCE : TIME_TO_END) >= 0) {
        break;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      // those that came since belong to other tests, which run the same code
      Map<String, Found> next = left(group, codes);
      next.keySet().retainAll(left.keySet());
      left = next;
    }
    if (!left.isEmpty()) {
      throw new AssertionError(
          "threads the plugin started run on when it is done: "
              + left.values().stream()
                  .map(Found::description)
                  .limit(MAX_NAMED)
                  .collect(Collectors.joining(", "))
              + (left.size() > MAX_NAMED ? " and " + (left.size() - MAX_NAMED) + " more" : "")
              + ". A plugin works on the thread it is called on.");
    }
  }

  /** Threads by what tells them apart, and what to say of them. */
  private static Map<String, Found> left(ThreadGroup group, Set<PluginCode> codes) {
    Map<String, Found> left = virtualThreads(codes);
    var platform = new Thread[group.activeCount() + 16];
    int found = group.enumerate(platform);
    for (int i = 0; i < found; i++) {
      left.put(
          "platform " + platform[i].threadId(),
          new Found(Owner.PLUGIN, '"' + platform[i].getName() + '"'));
    }
    return left;
  }

  /** All virtual threads. */
  private static Map<String, Found> virtualThreads(Set<PluginCode> codes) {
    var found = new LinkedHashMap<String, Found>();
    String thread = "";
    for (String line : dump()) {
      if (line.startsWith("#")) {
        String[] head = line.split("\"", 3);
        boolean virtual = head.length == 3 && head[2].contains("virtual");
        thread = virtual ? line.strip().split(" ", 2)[0] : "";
        if (virtual) {
          found.put(
              thread,
              new Found(Owner.UNKNOWN, "virtual thread " + thread + " which has not begun to run"));
        }
      } else if (!thread.isEmpty()) {
        String method = method(line);
        if (isOf(codes, method)) {
          found.put(thread, new Found(Owner.PLUGIN, "virtual thread " + thread + " in " + method));
          thread = "";
        } else if (!method.isEmpty() && RUNTIME.stream().noneMatch(method::startsWith)) {
          found.put(thread, new Found(Owner.OTHERS, ""));
        }
      }
    }
    return found;
  }

  /** The class and method of a frame; empty when the line is none. */
  private static String method(String frame) {
    int end = frame.indexOf('(');
    if (end < 0) {
      return "";
    }
    String place = frame.substring(frame.lastIndexOf('/', end) + 1, end).strip();
    return place.startsWith("at ") ? place.substring(3) : place; // as of Java 25
  }

  private static boolean isOf(Set<PluginCode> codes, String method) {
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
