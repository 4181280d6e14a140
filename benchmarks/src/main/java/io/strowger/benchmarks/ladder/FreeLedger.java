package io.strowger.benchmarks.ladder;

import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that grants everything and records nothing, so that holds and settlements take no time.
 */
final class FreeLedger implements Ledger {
  private static final Outcome GRANTED = new Outcome.Granted(new FreeReservation());

  @Override
  public Outcome hold(Claim claim) {
    return GRANTED;
  }

  @Override
  public AvailableAmounts available(List<Payer> payers, Instant at) {
    return AvailableAmounts.UNLIMITED;
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    return spenders.stream().map(spender -> Balance.ZERO).toList();
  }

  private record FreeReservation() implements Reservation {
    @Override
    public Charge maxCharge() {
      return Charge.ZERO;
    }

    @Override
    public void settle(List<LedgerEntry> entries, GenerationStore.@Nullable Generation record) {
      // nothing is recorded
    }

    @Override
    public void release() {
      // nothing was held
    }
  }
}
