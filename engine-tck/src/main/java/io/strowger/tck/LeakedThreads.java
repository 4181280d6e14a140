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
 * Finds the threads that a plugin has left behind. It recognizes platform threads by their thread
 * group, which they inherit, and virtual threads, which have no group of their own, by classes of
 * the plugin on their stacks in a thread dump. Tests that run at the same time therefore do not
 * disturb each other. A virtual thread that has not run yet has no stack, so it is checked again
 * until it has one or is gone.
 */
final class LeakedThreads {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration TIME_TO_END = Duration.ofSeconds(2);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private static final int MAX_NAMED = 8;

  /**
   * Prefixes of frames that are on the stack of every virtual thread and do not tell whose it is.
   */
  private static final List<String> RUNTIME =
      List.of("java.lang.VirtualThread", "java.lang.Thread", "jdk.internal.vm.");

  /** Who started a virtual thread, as far as its stack shows. */
  private enum Owner {
    PLUGIN,
    OTHERS,
    /** The thread has not run yet. */
    UNKNOWN
  }

  private record Found(Owner owner, String description) {}

  private LeakedThreads() {}

  /**
   * Runs work of a plugin, and fails when threads that it started are still alive two seconds
   * later.
   *
   * @param codes the code of the plugin
   * @param work the work, which runs on a new thread
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
        known = now; // the time to end starts when every thread has run
      }
      Duration waited = Duration.ofNanos(now - (unknown ? begun : known));
      if (left.isEmpty() || waited.compareTo(unknown ? PATIENCE : TIME_TO_END) >= 0) {
        break;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      // threads that started since belong to other tests, which run the same code
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

  /** Returns the live threads of the group and all virtual threads, by a unique key. */
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

  /** Returns all virtual threads, by their number in the dump. */
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

  /** Returns the class and method of a stack frame; empty when the line is not a frame. */
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
