package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts money. Guarantee on one node, under any interleaving: whenever a hold is granted, settled
 * + held &lt;= limit for every budget of every payer. A bill larger than its hold is settled in
 * full, the excess is counted as overrun, and no further hold is granted until one fits the limit
 * again.
 *
 * <p>Guarantee for several nodes on one {@link LedgerStore}: together they are never granted more
 * of a budget than its limit, even when nodes fail. So a limit is exceeded by at most the overruns
 * of the holds that were open, and each overrun is counted. A lowered limit applies at once on the
 * node that learns of it, and to everything any node is granted after that; other nodes may still
 * spend what they were granted before.
 *
 * <p>Safe on any thread.
 */
public interface Ledger {
  /**
   * A request to set money aside, for one turn or for one paid action of a plugin.
   *
   * @param payers the payers, each once
   * @param maxCharge the most that the turn or act can cost
   * @param at the moment whose periods the spending counts in, even if the hold ends in later ones
   * @param deadline when the hold counts as abandoned: a reading of {@link Ambient#nanoTime}, so
   *     that setting the wall clock does not free money that is still being spent
   */
  record Claim(List<Payer> payers, Charge maxCharge, Instant at, long deadline) {
    public Claim {
      payers = List.copyOf(payers);
      if (maxCharge.credits().nanos() < 0 || maxCharge.byokCost().nanos() < 0) {
        throw new IllegalArgumentException("a hold must be at least 0, was " + maxCharge);
      }
    }
  }

  /**
   * Sets money aside on all payers or on none. Waits for a database only when the node's slice of a
   * budget is too small, and then at most two seconds.
   *
   * @throws IllegalArgumentException when a payer is named twice
   */
  Outcome hold(Claim claim);

  /**
   * Returns the amounts that budgets leave at a moment, as far as known without waiting. A larger
   * hold is certainly refused; a smaller one may be refused too.
   */
  AvailableAmounts available(List<Payer> payers, Instant at);

  /**
   * Returns the amount of a budget that is set aside by the open holds of this node, known without
   * waiting. When they end, all of it but the actual cost is free again.
   *
   * @param at a moment of the period in question
   * @return at least 0; 0 when the implementation does not track it
   */
  default Usd held(Payer payer, Budget budget, Instant at) {
    return Usd.ZERO;
  }

  /**
   * Returns the number and sum of all open holds on this node, known without waiting for a
   * database.
   */
  default OpenHolds openHolds() {
    return OpenHolds.NONE;
  }

  /**
   * The money held at one moment.
   *
   * @param count holds that have not ended, at least 0; 0 when the implementation does not track
   *     them
   * @param credits the sum they hold
   */
  record OpenHolds(int count, Usd credits) {
    public static final OpenHolds NONE = new OpenHolds(0, Usd.ZERO);
  }

  /**
   * A payer and a period whose spending is requested.
   *
   * @param period the period; of its windows, the one that contains the moment of the query
   */
  record Spender(Payer payer, Period period) {}

  /**
   * Returns the spending on all nodes, as far as known. May wait for a database, but queries it
   * only once for all spenders.
   *
   * @return the balance of each spender, in the same order
   * @throws StoreUnavailableException when the database cannot be reached
   */
  List<Balance> balances(List<Spender> spenders, Instant at);

  /**
   * Returns the balance of one spender.
   *
   * @throws StoreUnavailableException when the database cannot be reached
   */
  default Balance balance(Payer payer, Period period, Instant at) {
    return balances(List.of(new Spender(payer, period)), at).getFirst();
  }

  /** The result of asking for a hold. */
  sealed interface Outcome {
    record Granted(Reservation reservation) implements Outcome {}

    /**
     * A budget does not have enough left.
     *
     * @param payer the first such payer, in the order of {@link Payer.Kind}
     * @param budget the payer's budget that is short; if several are, the one with the longest
     *     period
     * @param remaining what the budget leaves; below zero after an overrun
     */
    record Refused(Payer payer, Budget budget, Usd remaining) implements Outcome {}

    /**
     * The answer is unknown: a store cannot be reached, or cannot write.
     *
     * @param reason the reason, for the log
     */
    record Unavailable(String reason) implements Outcome {}
  }

  /**
   * The amounts that may be spent, separately for budgets with and without BYOK cost.
   *
   * @param credits the tightest budget that counts only credits; null when there is none
   * @param withByok the tightest budget that counts BYOK cost too; null when there is none
   */
  record AvailableAmounts(@Nullable TightestBudget credits, @Nullable TightestBudget withByok) {
    public static final AvailableAmounts UNLIMITED = new AvailableAmounts(null, null);
  }

  /**
   * The budget that leaves the least.
   *
   * @param remaining what it leaves; below zero after an overrun
   */
  record TightestBudget(Usd remaining, Payer payer, Budget budget) {}

  /**
   * The spending of one payer in one period.
   *
   * @param settled the charges billed so far
   * @param held the amount set aside by the open holds of this node
   * @param overrun the amount billed on this node beyond its holds
   * @param last when something was last billed; null if never
   */
  record Balance(Charge settled, Charge held, Usd overrun, @Nullable Instant last) {
    public static final Balance ZERO = new Balance(Charge.ZERO, Charge.ZERO, Usd.ZERO, null);
  }
}
