package io.strowger.conformance;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * The main class of a process that runs the tests of its arguments, each given as {@code class} or
 * {@code class#method}.
 */
final class ProofRunner {
  /** The exit codes: all tests passed, some test failed, no test was run. */
  static final int GREEN = 0;

  static final int RED = 1;
  static final int NOTHING = 2;

  private ProofRunner() {}

  public static void main(String[] tests) throws Exception {
    var selectors = new ArrayList<DiscoverySelector>();
    for (String test : tests) {
      selectors.addAll(selectors(test));
    }
    var listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectors)
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
            .build();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session.getLauncher().execute(request, listener);
    }
    var summary = listener.getSummary();
    summary
        .getFailures()
        .forEach(
            failed ->
                System.out.println(
                    failed.getTestIdentifier().getUniqueId() + ": " + failed.getException()));
    if (summary.getTotalFailureCount() > 0) {
      System.exit(RED);
    }
    System.exit(summary.getTestsSucceededCount() > 0 ? GREEN : NOTHING);
  }

  private static List<DiscoverySelector> selectors(String test) throws Exception {
    int mark = test.indexOf('#');
    Class<?> type = Class.forName(mark < 0 ? test : test.substring(0, mark));
    if (Modifier.isAbstract(type.getModifiers())) {
      return List.of(); // a contract, which runs in the classes that extend it
    }
    if (mark < 0) {
      return List.of(DiscoverySelectors.selectClass(type));
    }
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(test.substring(mark + 1)))
        .filter(method -> !method.isSynthetic())
        .<DiscoverySelector>map((Method method) -> DiscoverySelectors.selectMethod(type, method))
        .toList();
  }
}
