package io.strowger.tck;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.platform.commons.support.ReflectionSupport;
import org.objectweb.asm.Opcodes;

/**
 * Finds the clocks and random numbers that libraries of a plugin use while it runs. A second loader
 * loads the test class again, with the plugin and its libraries, and inserts a call of this class
 * before each such use. Every finding is therefore a call that was really made, with its stack.
 *
 * <p>Public only because rewritten code of other packages calls it; authors do not use it.
 */
public final class RecordedCalls {
  private static final ThreadLocal<@Nullable RecordedCalls> RECORDING = new ThreadLocal<>();

  /** Packages of logging libraries, which read the time for each line. */
  private static final List<String> LOGGING =
      List.of(
          "org.slf4j.",
          "ch.qos.logback.",
          "org.apache.logging.",
          "org.apache.commons.logging.",
          "org.jboss.logging.");

  private static final String CHAIN = FakeChain.class.getName();

  private final Set<PluginCode> codes;
  private final Set<ForbiddenUse> permitted;
  private final Set<String> wrong = new LinkedHashSet<>();

  private RecordedCalls(Set<PluginCode> codes, Set<ForbiddenUse> permitted) {
    this.codes = codes;
    this.permitted = permitted;
  }

  /** Called by rewritten code before it reads a clock. */
  public static void clock() {
    called(ForbiddenUse.CLOCK);
  }

  /** Called by rewritten code before it takes a random number. */
  public static void random() {
    called(ForbiddenUse.RANDOMNESS);
  }

  private static void called(ForbiddenUse use) {
    RecordedCalls recording = RECORDING.get();
    if (recording != null && !recording.permitted.contains(use)) {
      recording.record(use);
    }
  }

  /**
   * Returns an instance of the contract's class that the rewriting loader has loaded.
   *
   * @throws org.opentest4j.TestAbortedException when no further instance of the class can be
   *     created
   */
  static <C> C rewritten(C contract, Class<C> type) {
    Class<?> own = contract.getClass();
    try {
      ClassLoader loader = new RewritingLoader(own.getClassLoader());
      return type.cast(made(loader.loadClass(own.getName())));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError impossible) {
      return Assumptions.abort(
          "%s cannot be made a second time, so the clocks of libraries are not looked at: %s"
              .formatted(own.getName(), impossible));
    }
  }

  /**
   * Creates an instance of a test class; for an inner class, within a new instance of its enclosing
   * class.
   */
  private static Object made(Class<?> type) {
    Class<?> around = type.getEnclosingClass();
    boolean inner = around != null && (type.getModifiers() & Opcodes.ACC_STATIC) == 0;
    return inner
        ? ReflectionSupport.newInstance(type, made(around))
        : ReflectionSupport.newInstance(type);
  }

  /**
   * Runs work of rewritten plugins, and fails when their libraries use something that is not
   * permitted.
   *
   * @param work the work, which is run twice; uses during the first run, such as initialization,
   *     are ignored
   */
  static void assertNone(Set<PluginCode> codes, Set<ForbiddenUse> permitted, Callable<?> work)
      throws Exception {
    work.call();
    var recording = new RecordedCalls(codes, permitted);
    RECORDING.set(recording);
    try {
      work.call();
    } finally {
      RECORDING.remove();
    }
    if (!recording.wrong.isEmpty()) {
      throw new AssertionError(
          "while it runs, a library of the plugin does what the plugin must not:\n"
              + String.join("\n", recording.wrong));
    }
  }

  private void record(ForbiddenUse use) {
    List<StackWalker.StackFrame> frames =
        StackWalker.getInstance()
            .walk(
                all ->
                    all.dropWhile(
                            frame -> frame.getClassName().equals(RecordedCalls.class.getName()))
                        .collect(Collectors.toList()));
    for (StackWalker.StackFrame frame : frames) {
      String type = frame.getClassName();
      if (codes.stream().anyMatch(code -> code.contains(type))) {
        wrong.add(
            "%s.%s(line %d) has %s called, which %s"
                .formatted(
                    type,
                    frame.getMethodName(),
                    frame.getLineNumber(),
                    frames.getFirst().getClassName() + "." + frames.getFirst().getMethodName(),
                    use.explained()));
        return;
      }
      if (type.startsWith(CHAIN) || LOGGING.stream().anyMatch(type::startsWith)) {
        return;
      }
    }
  }
}
