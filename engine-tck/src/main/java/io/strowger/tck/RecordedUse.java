package io.strowger.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sockets, files and sleeps that a plugin and its libraries use while it runs. The JDK
 * Flight Recorder records each use with its stack; the uses of the plugin are those with one of its
 * classes on the stack. Tests that run at the same time therefore do not disturb each other.
 */
final class RecordedUse {
  private static final Map<String, ForbiddenUse> EVENTS =
      Map.of(
          "jdk.SocketRead", ForbiddenUse.NETWORK,
          "jdk.SocketWrite", ForbiddenUse.NETWORK,
          "jdk.FileRead", ForbiddenUse.FILES,
          "jdk.FileWrite", ForbiddenUse.FILES,
          "jdk.ThreadSleep", ForbiddenUse.THREADS);

  /** Classes that read jars and directories to load classes, which is not a use by the plugin. */
  private static final Set<String> LOADERS =
      Set.of("java.lang.ClassLoader", "java.net.URLClassLoader", "java.util.ServiceLoader");

  private static final String BUILT_IN_LOADERS = "jdk.internal.loader.";
  private static final String CHAIN = FakeChain.class.getName();

  private RecordedUse() {}

  /**
   * Runs work of a plugin, and fails when it uses something that is not permitted.
   *
   * @param work the work, which is run twice; uses during the first run, such as class loading, are
   *     ignored
   */
  static void assertNone(Set<PluginCode> codes, Set<ForbiddenUse> permitted, Callable<?> work)
      throws Exception {
    work.call();
    var violations = new LinkedHashSet<String>();
    Path file = Files.createTempFile("recorded", ".jfr");
    try {
      record(file, work);
      read(file, codes, permitted, violations);
    } finally {
      Files.deleteIfExists(file);
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(
          "while it runs, the plugin does what it must not:\n" + String.join("\n", violations));
    }
  }

  private static void record(Path file, Callable<?> work) throws Exception {
    try (var recording = new Recording()) {
      EVENTS
          .keySet()
          .forEach(
              event ->
                  recording
                      .enable(event)
                      .withThreshold(Duration.ZERO)
                      .with("throttle", "off") // since Java 25; earlier versions record every event
                      .withStackTrace());
      recording.start();
      work.call();
      recording.stop();
      recording.dump(file);
    }
  }

  private static void read(
      Path file, Set<PluginCode> codes, Set<ForbiddenUse> permitted, Set<String> violations)
      throws IOException {
    try (var recorded = new RecordingFile(file)) {
      while (recorded.hasMoreEvents()) {
        RecordedEvent event = recorded.readEvent();
        ForbiddenUse use = EVENTS.get(event.getEventType().getName());
        if (use != null && !permitted.contains(use)) {
          String finding = finding(event, use, codes);
          if (finding != null) {
            violations.add(finding);
          }
        }
      }
    }
  }

  private static @Nullable String finding(
      RecordedEvent event, ForbiddenUse use, Set<PluginCode> codes) {
    RecordedStackTrace stack = event.getStackTrace();
    String target = target(event);
    RecordedFrame frame =
        stack == null || target == null ? null : pluginFrame(stack.getFrames(), codes);
    return frame == null
        ? null
        : "%s.%s(line %d) leads to %s%s, which %s"
            .formatted(
                type(frame),
                frame.getMethod().getName(),
                frame.getLineNumber(),
                event.getEventType().getName(),
                target,
                use.explanation());
  }

  /**
   * Returns the topmost frame of the plugin's own code; null when there is none, or when a class
   * loader or the test's chain is above it.
   */
  private static @Nullable RecordedFrame pluginFrame(
      List<RecordedFrame> frames, Set<PluginCode> codes) {
    for (RecordedFrame frame : frames) {
      String type = type(frame);
      if (codes.stream().anyMatch(code -> code.contains(type))) {
        return frame;
      }
      if (LOADERS.contains(type)
          || type.startsWith(BUILT_IN_LOADERS)
          || type.startsWith(CHAIN)) { // answers that the test makes are not a use by the plugin
        return null;
      }
    }
    return null;
  }

  private static String type(RecordedFrame frame) {
    return frame.getMethod().getType().getName();
  }

  /** Returns the file or host of an event; null for a file without a name, such as the console. */
  private static @Nullable String target(RecordedEvent event) {
    if (event.hasField("path")) {
      String path = event.getString("path");
      return path == null ? null : " of " + path;
    }
    return event.hasField("address")
        ? " of %s:%d".formatted(event.getString("address"), event.getInt("port"))
        : "";
  }
}
