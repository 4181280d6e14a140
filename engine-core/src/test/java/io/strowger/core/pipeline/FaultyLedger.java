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
  private final Ledger sound;

  /** What settling throws, having booked nothing; null: nothing. */
  volatile @Nullable Throwable failure;

  FaultyLedger(Ledger sound) {
    this.sound = sound;
  }

  static void raise(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException bug -> throw bug;
      case Error error -> throw error;
      case null, default -> {
        // all is well
      }
    }
  }

  private record Faulty(FaultyLedger ledger, Reservation sound) implements Reservation {
    @Override
    public Charge maxCharge() {
      return sound.maxCharge();
    }

    @Override
    public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
      raise(ledger.failure);
      sound.settle(entries, record);
    }

    @Override
    public void release() {
      sound.release();
    }
  }

  @Override
  public Outcome hold(Claim claim) {
    Outcome outcome = sound.hold(claim);
    return outcome instanceof Outcome.Granted(Reservation held)
        ? new Outcome.Granted(new Faulty(this, held))
        : outcome;
  }

  @Override
  public AvailableAmounts available(List<Payer> payers, Instant at) {
    return sound.available(payers, at);
  }

  @Override
  public Usd held(Payer payer, Budget budget, Instant at) {
    return sound.held(payer, budget, at);
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    return sound.balances(spenders, at);
  }
}
