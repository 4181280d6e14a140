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
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);
  private static final Duration TIME_TO_END = Duration.ofSeconds(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private static final int MAX_NAMED = 8;

  /**
   * Prefixes of frames that are on the stack of every virtual thread and do not tell who started
   * it.
   */
  private static final List<String> RUNTIME =
      List.of("java.lang.VirtualThread", "java.lang.Thread", "jdk.internal.vm.");

  /** Who started a virtual thread, as far as its stack shows. */
  private enum Owner {
    PLUGIN,
    OTHER,
    /** The thread has not run yet. */
    UNKNOWN
  }

  private record LiveThread(Owner owner, String description) {}

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
    if (!worker.join(MAX_WAIT)) {
      throw new AssertionError("the plugin has not returned after a minute");
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("the plugin failed: " + thrown, thrown);
    }
    assertNone(before, group, codes);
  }

  private static void assertNone(Set<String> before, ThreadGroup group, Set<PluginCode> codes) {
    Map<String, LiveThread> live = liveThreads(group, codes);
    live.keySet().removeAll(before);
    TestAmbient clock = TestAmbient.realTime();
    long start = clock.nanoTime();
    long lastUnknown = start;
    while (true) {
      live.values().removeIf(thread -> thread.owner() == Owner.OTHER);
      long now = clock.nanoTime();
      boolean unknown = live.values().stream().anyMatch(thread -> thread.owner() == Owner.UNKNOWN);
      if (unknown) {
        lastUnknown = now; // the time to end is counted from the moment when every thread has run
      }
      Duration waited = Duration.ofNanos(now - (unknown ? start : lastUnknown));
      if (live.isEmpty() || waited.compareTo(unknown ? MAX_WAIT : TIME_TO_END) >= 0) {
        break;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      // threads that started since belong to other tests, which run the same code
      Map<String, LiveThread> next = liveThreads(group, codes);
      next.keySet().retainAll(live.keySet());
      live = next;
    }
    if (!live.isEmpty()) {
      throw new AssertionError(
          "the plugin returned and left threads running: "
              + live.values().stream()
                  .map(LiveThread::description)
                  .limit(MAX_NAMED)
                  .collect(Collectors.joining(", "))
              + (live.size() > MAX_NAMED ? " and " + (live.size() - MAX_NAMED) + " more" : "")
              + ". A plugin works on the thread it is called on.");
    }
  }

  /** Returns the live threads of the group and all virtual threads, by a unique key. */
  private static Map<String, LiveThread> liveThreads(ThreadGroup group, Set<PluginCode> codes) {
    Map<String, LiveThread> live = virtualThreads(codes);
    var platform = new Thread[group.activeCount() + 16];
    int count = group.enumerate(platform);
    for (int i = 0; i < count; i++) {
      live.put(
          "platform " + platform[i].threadId(),
          new LiveThread(Owner.PLUGIN, '"' + platform[i].getName() + '"'));
    }
    return live;
  }

  /** Returns all virtual threads, by their number in the dump. */
  private static Map<String, LiveThread> virtualThreads(Set<PluginCode> codes) {
    var threads = new LinkedHashMap<String, LiveThread>();
    String thread = "";
    for (String line : dump()) {
      if (line.startsWith("#")) {
        String[] head = line.split("\"", 3);
        boolean virtual = head.length == 3 && head[2].contains("virtual");
        thread = virtual ? line.strip().split(" ", 2)[0] : "";
        if (virtual) {
          threads.put(
              thread,
              new LiveThread(
                  Owner.UNKNOWN, "virtual thread " + thread + " which has not begun to run"));
        }
      } else if (!thread.isEmpty()) {
        String method = method(line);
        if (isPluginMethod(codes, method)) {
          threads.put(
              thread, new LiveThread(Owner.PLUGIN, "virtual thread " + thread + " in " + method));
          thread = "";
        } else if (!method.isEmpty() && RUNTIME.stream().noneMatch(method::startsWith)) {
          threads.put(thread, new LiveThread(Owner.OTHER, ""));
        }
      }
    }
    return threads;
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

  private static boolean isPluginMethod(Set<PluginCode> codes, String method) {
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
