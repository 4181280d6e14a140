package io.strowger.host.server;

import io.strowger.core.config.GatewayConfig;
import io.strowger.spi.error.Problem;
import java.util.List;

/** The result of reloading the configuration. */
public sealed interface ReloadResult {
  /**
   * The configuration was applied.
   *
   * @param withoutEffect one sentence for each member of the file that takes effect only after a
   *     restart
   */
  record Applied(GatewayConfig config, List<String> withoutEffect) implements ReloadResult {
    public Applied {
      withoutEffect = List.copyOf(withoutEffect);
    }
  }

  /**
   * The file is invalid, and the previous configuration remains in use.
   *
   * @param problems at least one
   */
  record Refused(List<Problem> problems) implements ReloadResult {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** The file cannot be read, and the previous configuration remains in use. */
  record Unreadable() implements ReloadResult {}

  /**
   * The store cannot be reached to record the change, and the previous configuration remains in
   * use.
   */
  record StoreUnavailable() implements ReloadResult {}
}
