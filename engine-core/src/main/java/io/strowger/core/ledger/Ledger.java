package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts money. The promise, on one node and under any interleaving: whenever a hold is granted,
 * settled + held &lt;= limit for every budget of every payer. A bill larger than its hold is
 * settled as it is and counted as overrun, and no further hold is granted until it fits.
 *
 * <p>The promise for several nodes on one {@link LedgerStore}: what all of them were granted of a
 * budget together never exceeds its limit, whatever becomes of them. So what is settled beyond a
 * limit is at most the overruns of acts that were under way, each counted as such. A limit that is
 * lowered binds at once on the node that is told, and whatever any node is granted after that; what
 * others were granted before they may still spend.
 *
 * <p>Safe on any thread.
 */
public interface Ledger {
  /**
   * What an act wants to set aside.
   *
   * @param payers who pay, each once
   * @param atMost the most the act can cost
   * @param at decides the periods the spending counts in, also when the act ends in later ones
   * @param deadline when the hold counts as abandoned: a reading of {@link Ambient#nanoTime}, so
   *     that no wall clock that is set frees what is still being spent
   */
  record Claim(List<Payer> payers, Charge atMost, Instant at, long deadline) {
    public Claim {
      payers = List.copyOf(payers);
      Objects.requireNonNull(at, "at");
      if (atMost.credits().nanos() < 0 || atMost.byokCost().nanos() < 0) {
        throw new IllegalArgumentException("a hold must be at least 0, was " + atMost);
      }
    }
  }

  /**
   * Sets money aside on all payers or on none. Waits for a database only when the node has no slice
   * of a budget in hand that is large enough, and then at most two seconds.
   *
   * @throws IllegalArgumentException when a payer is named twice
   */
  Outcome hold(Claim claim);

  /**
   * What budgets leave at a moment, as far as it is known without waiting: a hold of more is
   * refused, one of less may be.
   */
  Room room(List<Payer> payers, Instant at);

  /**
   * What acts under way have set aside on this node that counts against a budget, known without
   * waiting. It is free again when they end, but for what they turn out to cost.
   *
   * @param at a moment of the period in question
   * @return at least 0; 0 where an implementation does not say
   */
  default Usd held(Payer payer, Budget budget, Instant at) {
    return Usd.ZERO;
  }

  /**
   * Returns what acts under way have set aside on this node, of all payers together, known without
   * waiting for a database.
   */
  default OpenHolds openHolds() {
    return OpenHolds.NONE;
  }

  /**
   * What is set aside at one moment.
   *
   * @param count holds that have not ended, at least 0; 0 where an implementation does not say
   * @param credits that they are for, together
   */
  record OpenHolds(int count, Usd credits) {
    public static final OpenHolds NONE = new OpenHolds(0, Usd.ZERO);
  }

  /**
   * Whose spending is asked for.
   *
   * @param period the one that contains the moment of the question
   */
  record Spender(Payer payer, Period period) {}

  /**
   * What spending stands at, on all nodes as far as it is known. May wait for a database, but asks
   * it once, however many are asked for.
   *
   * @return of each, in the same order
   * @throws StoreUnavailableException when that fails
   */
  List<Balance> balances(List<Spender> spenders, Instant at);

  /**
   * The same of one.
   *
   * @throws StoreUnavailableException when that fails
   */
  default Balance balance(Payer payer, Period period, Instant at) {
    return balances(List.of(new Spender(payer, period)), at).getFirst();
  }

  /** Whether money was set aside. */
  sealed interface Outcome {
    record Granted(Reservation reservation) implements Outcome {}

    /**
     * A budget has not enough.
     *
     * @param which the first payer for whom that is so, in the order of {@link Payer.Kind}
     * @param budget of that payer; the one of the longest period, when several have not enough
     * @param remaining what it leaves; below zero after an overrun
     */
    record Refused(Payer which, Budget budget, Usd remaining) implements Outcome {}

    /**
     * Nobody can say: a store cannot be reached, or cannot write.
     *
     * @param why for the log
     */
    record Unavailable(String why) implements Outcome {}
  }

  /**
   * What may be spent, by what counts.
   *
   * @param credits the tightest of the budgets that count credits; null: there is none
   * @param withByok the tightest of those that count BYOK keys too; null: there is none
   */
  record Room(@Nullable Least credits, @Nullable Least withByok) {
    public static final Room UNLIMITED = new Room(null, null);
  }

  /**
   * A budget that leaves less than the others.
   *
   * @param left below zero after an overrun
   */
  record Least(Usd left, Payer payer, Budget budget) {}

  /**
   * @param settled billed so far
   * @param held set aside on this node for acts under way
   * @param overrun billed on this node beyond what was held
   * @param last when something was billed last; null: never
   */
  record Balance(Charge settled, Charge held, Usd overrun, @Nullable Instant last) {
    public static final Balance ZERO = new Balance(Charge.ZERO, Charge.ZERO, Usd.ZERO, null);
  }
}
