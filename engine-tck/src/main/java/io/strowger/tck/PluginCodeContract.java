package io.strowger.tck;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the code of interceptors and of tools may use, read and run. */
abstract class PluginCodeContract {
  /** A new plugin under test. */
  abstract Object plugin();

  /** Has a new plugin do all it does. */
  abstract void runAll() throws Exception;

  /** Whether it talks to others over the network; says false. */
  protected boolean usesNetwork() {
    return false;
  }

  /** Whether it reads or writes files; says false. */
  protected boolean usesFiles() {
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
  @DisplayName("its code has no clock, randomness, threads or static state of its own")
  void code() {
    for (PluginCode code : PluginCode.of(plugin())) {
      code.assertFree(permitted());
    }
  }

  @Test
  @DisplayName("it leaves no thread behind, platform or virtual")
  void threads() throws InterruptedException {
    LeakedThreads.assertNone(PluginCode.of(plugin()), this::ran);
  }

  @Test
  @DisplayName(
      "while it runs, no library of it uses the network, files or sleeps unless it says so")
  void libraries() throws Exception {
    RecordedUse.assertNone(PluginCode.of(plugin()), permitted(), this::ran);
  }

  private boolean ran() throws Exception {
    runAll();
    return true;
  }
}
