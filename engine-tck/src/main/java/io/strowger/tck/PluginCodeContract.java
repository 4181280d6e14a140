package io.strowger.tck;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of the code of interceptors and tools: checks what the plugin uses, in its
 * bytecode and while it runs.
 */
abstract class PluginCodeContract {
  /** Creates the plugin under test. */
  abstract Object plugin();

  /** Runs the plugin with all requests or calls of its test. */
  abstract void runAll(Object plugin) throws Exception;

  /** Returns the texts of the requests of {@link #runAll}. */
  abstract List<String> texts();

  /** Returns whether the plugin uses the network; false unless overridden. */
  protected boolean usesNetwork() {
    return false;
  }

  /** Returns whether the plugin reads or writes files; false unless overridden. */
  protected boolean usesFiles() {
    return false;
  }

  /**
   * Returns whether libraries of the plugin read clocks or take random numbers for something that
   * changes no result, such as the age of a cache entry; false unless overridden. The plugin's own
   * code must do neither. A plugin that uses the network need not override this.
   */
  protected boolean librariesUseClocks() {
    return false;
  }

  private Set<ForbiddenUse> permitted() {
    var permitted = EnumSet.noneOf(ForbiddenUse.class);
    if (usesNetwork()) {
      permitted.add(ForbiddenUse.NETWORK);
    }
    if (usesFiles()) {
      permitted.add(ForbiddenUse.FILES);
    }
    return permitted;
  }

  @Test
  @DisplayName("its own code uses no clock, randomness, threads or mutable static state")
  void code() {
    for (PluginCode code : PluginCode.of(plugin())) {
      code.assertNoForbiddenUse(permitted());
    }
  }

  @Test
  @DisplayName("it leaves no thread behind, platform or virtual")
  void threads() throws InterruptedException {
    LeakedThreads.assertNone(PluginCode.of(plugin()), this::run);
  }

  @Test
  @DisplayName(
      "while it runs, its libraries use no network, files or sleeps that the test does not permit")
  void libraries() throws Exception {
    RecordedUse.assertNone(PluginCode.of(plugin()), permitted(), this::run);
  }

  @Test
  @DisplayName("while it runs, its libraries read no clock and take no random numbers")
  void clocks() throws Exception {
    Assumptions.assumeFalse(
        usesNetwork() || librariesUseClocks(),
        "its libraries may use clocks, for timeouts or ages");
    PluginCodeContract rewritten = RecordedCalls.rewrite(this, PluginCodeContract.class);
    RecordedCalls.assertNone(PluginCode.of(rewritten.plugin()), Set.of(), rewritten::run);
  }

  @Test
  @DisplayName("its static fields do not change, and its other fields hold nothing of a request")
  void holdsNothing() throws Exception {
    Object plugin = plugin();
    PluginStateSnapshot.assertNothingOfRequests(
        PluginCode.of(plugin),
        plugin,
        texts(),
        () -> {
          runAll(plugin);
          return plugin;
        });
  }

  private boolean run() throws Exception {
    runAll(plugin());
    return true;
  }
}
