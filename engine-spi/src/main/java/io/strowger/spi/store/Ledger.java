package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts money. The promise, on one node and under any interleaving: whenever a hold is granted,
 * settled + held &lt;= limit for every counter of it. A bill larger than its hold is settled as it
 * is, and no further hold is granted until it fits.
 *
 * <p>Safe on any thread; no method waits for I/O.
 */
public interface Ledger {
  /**
   * Sets money aside against all counters or against none.
   *
   * @param all every counter that binds
   * @param atMost the most the act can cost
   * @param deadline when an unsettled hold counts as abandoned
   */
  Outcome hold(List<Counter> all, Usd atMost, Instant deadline);

  /**
   * The least any of the counters leaves; null when none has a limit. May be below zero after an
   * overrun.
   */
  @Nullable Usd remaining(List<Counter> all);

  /** What a counter stands at. */
  Balance balance(String owner, String window);

  /** Whether money was set aside. */
  sealed interface Outcome {
    record Granted(Hold hold) implements Outcome {}

    /**
     * @param which the first counter that has not enough
     * @param remaining what it leaves
     */
    record Refused(Counter which, Usd remaining) implements Outcome {}
  }

  /**
   * @param settled billed so far
   * @param held set aside for acts under way
   * @param overrun billed beyond what was held
   */
  record Balance(Usd settled, Usd held, Usd overrun) {}
}
