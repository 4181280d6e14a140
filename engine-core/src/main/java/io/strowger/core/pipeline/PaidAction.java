package io.strowger.core.pipeline;

import io.strowger.core.inference.BatchItem;
import io.strowger.core.money.Funds;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An act that a plugin pays for in addition to the answers of models, such as a search. It holds
 * money and becomes a line of the bill once it is settled. It never costs more than its hold; an
 * amount beyond that is not billed. Safe on any thread.
 */
final class PaidAction implements Hold {
  private final String generation;
  private final int number;
  private final String description;
  private final Funds funds;
  private final Supplier<Instant> clock;
  private final BiPredicate<Usd, Usd> claimBilling;
  private final AtomicReference<@Nullable Usd> settledCost = new AtomicReference<>();

  /**
   * @param generation the id of the generation whose bill has the act
   * @param number the number of the act within the generation
   * @param description the plugin and the purpose, for the bill
   * @param claimBilling asked with the billed and the held amount, as {@link
   *     BatchItem#claimBilling}
   */
  PaidAction(
      String generation,
      int number,
      String description,
      Funds funds,
      Supplier<Instant> clock,
      BiPredicate<Usd, Usd> claimBilling) {
    this.generation = generation;
    this.number = number;
    this.description = description;
    this.funds = funds;
    this.clock = clock;
    this.claimBilling = claimBilling;
  }

  String description() {
    return description;
  }

  /** Returns the cost of the act; null while it is under way. */
  @Nullable Usd cost() {
    return settledCost.get();
  }

  @Override
  public Usd amount() {
    return funds.maxCharge().credits();
  }

  @Override
  public void settle(Usd actual) {
    if (actual.nanos() < 0) {
      throw new IllegalArgumentException("an act must cost at least 0, was " + actual);
    }
    if (settledCost.get() != null) {
      return;
    }
    Usd charge = actual.isMoreThan(amount()) ? amount() : actual;
    Usd billedAmount = claimBilling.test(charge, amount()) ? charge : Usd.ZERO;
    if (settledCost.compareAndSet(null, billedAmount)) {
      funds.settle(List.of(entry(billedAmount)));
    }
  }

  private LedgerEntry entry(Usd actual) {
    return new LedgerEntry(
        generation,
        number,
        clock.get(),
        description,
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        Charge.credits(actual));
  }

  @Override
  public void release() {
    if (settledCost.compareAndSet(null, Usd.ZERO)) {
      funds.release();
    }
  }
}
