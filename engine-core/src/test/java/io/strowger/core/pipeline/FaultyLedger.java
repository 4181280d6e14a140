package io.strowger.core.pipeline;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ledger whose reservations can be made to break their promise that settling does not fail. */
final class FaultyLedger implements Ledger {
  private final Ledger delegate;

  /** What settling throws before it books anything; null for a ledger that works. */
  volatile @Nullable Throwable failure;

  FaultyLedger(Ledger delegate) {
    this.delegate = delegate;
  }

  static void raise(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException bug -> throw bug;
      case Error error -> throw error;
      case null, default -> {
        // no failure
      }
    }
  }

  private record FaultyReservation(FaultyLedger ledger, Reservation delegate)
      implements Reservation {
    @Override
    public Charge maxCharge() {
      return delegate.maxCharge();
    }

    @Override
    public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
      raise(ledger.failure);
      delegate.settle(entries, record);
    }

    @Override
    public void release() {
      delegate.release();
    }
  }

  @Override
  public Outcome hold(Claim claim) {
    Outcome outcome = delegate.hold(claim);
    return outcome instanceof Outcome.Granted(Reservation held)
        ? new Outcome.Granted(new FaultyReservation(this, held))
        : outcome;
  }

  @Override
  public AvailableAmounts available(List<Payer> payers, Instant at) {
    return delegate.available(payers, at);
  }

  @Override
  public Usd held(Payer payer, Budget budget, Instant at) {
    return delegate.held(payer, budget, at);
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    return delegate.balances(spenders, at);
  }
}
