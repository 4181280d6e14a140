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
 * Finds the sockets, files and sleeps a plugin uses while it runs, also those of its libraries,
 * whose code is not read. The JVM's flight recorder notes each with its stack; the plugin's are
 * those with one of its classes on it. So tests that run at the same time do not meet.
 */
final class RecordedUse {
  private static final Map<String, ForbiddenUse> EVENTS =
      Map.of(
          "jdk.SocketRead", ForbiddenUse.NETWORK,
          "jdk.SocketWrite", ForbiddenUse.NETWORK,
          "jdk.FileRead", ForbiddenUse.FILES,
          "jdk.FileWrite", ForbiddenUse.FILES,
          "jdk.ThreadSleep", ForbiddenUse.THREADS);

  /** What reads jars and directories for the JVM, which needs classes whenever it needs them. */
  private static final Set<String> LOADERS =
      Set.of("java.lang.ClassLoader", "java.net.URLClassLoader", "java.util.ServiceLoader");

  private static final String BUILT_IN_LOADERS = "jdk.internal.loader.";
  private static final String CHAIN = FakeChain.class.getName();

  private RecordedUse() {}

  /**
   * Does something with a plugin, and fails when it uses what is not permitted.
   *
   * @param work is done twice: what is loaded and set up once, for the first time, does not count
   */
  static void assertNone(Set<PluginCode> codes, Set<ForbiddenUse> permitted, Callable<?> work)
      throws Exception {
    work.call();
    var wrong = new LinkedHashSet<String>();
    Path file = Files.createTempFile("recorded", ".jfr");
    try {
      record(file, work);
      read(file, codes, permitted, wrong);
    } finally {
      Files.deleteIfExists(file);
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          "while it runs, the plugin does what it must not:\n" + String.join("\n", wrong));
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
                      .with("throttle", "off") // as of Java 25; before, every event is recorded
                      .withStackTrace());
      recording.start();
      work.call();
      recording.stop();
      recording.dump(file);
    }
  }

  private static void read(
      Path file, Set<PluginCode> codes, Set<ForbiddenUse> permitted, Set<String> wrong)
      throws IOException {
    try (var recorded = new RecordingFile(file)) {
      while (recorded.hasMoreEvents()) {
        RecordedEvent event = recorded.readEvent();
        ForbiddenUse use = EVENTS.get(event.getEventType().getName());
        if (use != null && !permitted.contains(use)) {
          String finding = finding(event, use, codes);
          if (finding != null) {
            wrong.add(finding);
          }
        }
      }
    }
  }

  private static @Nullable String finding(
      RecordedEvent event, ForbiddenUse use, Set<PluginCode> codes) {
    RecordedStackTrace stack = event.getStackTrace();
    String of = of(event);
    RecordedFrame frame = stack == null || of == null ? null : plugins(stack.getFrames(), codes);
    return frame == null
        ? null
        : "%s.%s(line %d) leads to %s%s, which %s"
            .formatted(
                type(frame),
                frame.getMethod().getName(),
                frame.getLineNumber(),
                event.getEventType().getName(),
                of,
                use.explained());
  }

  /** The first of the plugin's own; null when somebody else does it, be it in the plugin's name. */
  private static @Nullable RecordedFrame plugins(
      List<RecordedFrame> frames, Set<PluginCode> codes) {
    for (RecordedFrame frame : frames) {
      String type = type(frame);
      if (codes.stream().anyMatch(code -> code.contains(type))) {
        return frame;
      }
      if (LOADERS.contains(type)
          || type.startsWith(BUILT_IN_LOADERS)
          || type.startsWith(CHAIN)) { // what a test answers with is no work of the plugin
        return null;
      }
    }
    return null;
  }

  private static String type(RecordedFrame frame) {
    return frame.getMethod().getType().getName();
  }

  /** Which file or host; null for a file without a name, such as the console a log goes to. */
  private static @Nullable String of(RecordedEvent event) {
    if (event.hasField("path")) {
      String path = event.getString("path");
      return path == null ? null : " of " + path;
    }
    return event.hasField("address")
        ? " of %s:%d".formatted(event.getString("address"), event.getInt("port"))
        : "";
  }
}
