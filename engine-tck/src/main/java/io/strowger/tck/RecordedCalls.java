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
  private final Set<String> violations = new LinkedHashSet<>();

  private RecordedCalls(Set<PluginCode> codes, Set<ForbiddenUse> permitted) {
    this.codes = codes;
    this.permitted = permitted;
  }

  /** Called by rewritten code before it reads a clock. */
  public static void clock() {
    check(ForbiddenUse.CLOCK);
  }

  /** Called by rewritten code before it takes a random number. */
  public static void random() {
    check(ForbiddenUse.RANDOMNESS);
  }

  private static void check(ForbiddenUse use) {
    RecordedCalls recording = RECORDING.get();
    if (recording != null && !recording.permitted.contains(use)) {
      recording.record(use);
    }
  }

  /**
   * Loads the class of a contract test again with a {@link RewritingLoader}, and returns a new
   * instance of it.
   *
   * @throws org.opentest4j.TestAbortedException when no further instance of the class can be
   *     created
   */
  static <C> C rewrite(C contract, Class<C> type) {
    Class<?> contractClass = contract.getClass();
    try {
      ClassLoader loader = new RewritingLoader(contractClass.getClassLoader());
      return type.cast(newInstance(loader.loadClass(contractClass.getName())));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError cause) {
      return Assumptions.abort(
          "%s cannot be loaded a second time, so the clocks of its libraries are not checked: %s"
              .formatted(contractClass.getName(), cause));
    }
  }

  /**
   * Creates an instance of a test class; for an inner class, within a new instance of its enclosing
   * class.
   */
  private static Object newInstance(Class<?> type) {
    Class<?> enclosing = type.getEnclosingClass();
    boolean inner = enclosing != null && (type.getModifiers() & Opcodes.ACC_STATIC) == 0;
    return inner
        ? ReflectionSupport.newInstance(type, newInstance(enclosing))
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
    if (!recording.violations.isEmpty()) {
      throw new AssertionError(
          "while it runs, a library of the plugin does what the plugin must not:\n"
              + String.join("\n", recording.violations));
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
        violations.add(
            "%s.%s(line %d) leads to %s, which %s"
                .formatted(
                    type,
                    frame.getMethodName(),
                    frame.getLineNumber(),
                    frames.getFirst().getClassName() + "." + frames.getFirst().getMethodName(),
                    use.explanation()));
        return;
      }
      if (type.startsWith(CHAIN) || LOGGING.stream().anyMatch(type::startsWith)) {
        return;
      }
    }
  }
}
