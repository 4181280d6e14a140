package io.strowger.host.server;

import io.strowger.core.config.GatewayConfig;
import io.strowger.spi.error.Problem;
import java.util.List;

/** What came of reading the configuration again. */
public sealed interface Reloaded {
  /**
   * The configuration is the current one.
   *
   * @param withoutEffect one sentence for each member of the file that is not
   */
  record Applied(GatewayConfig config, List<String> withoutEffect) implements Reloaded {
    public Applied {
      withoutEffect = List.copyOf(withoutEffect);
    }
  }

  /**
   * The file is wrong, and everything stays as it is.
   *
   * @param problems at least one
   */
  record Refused(List<Problem> problems) implements Reloaded {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** The file cannot be read, and everything stays as it is. */
  record Unreadable() implements Reloaded {}

  /** The store cannot be reached, so that nobody could record it: everything stays as it is. */
  record StoreAway() implements Reloaded {}
}
