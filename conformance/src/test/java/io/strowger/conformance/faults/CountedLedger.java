package io.strowger.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A ledger that counts how often each hold was settled and released. */
final class CountedLedger implements Ledger, AutoCloseable {
  private final BookLedger ledger;
  private final Queue<CountedHold> holds = new ConcurrentLinkedQueue<>();

  CountedLedger(Ambient ambient) {
    ledger = new BookLedger(new MemoryLedgerStore(), ambient);
  }

  @Override
  public Outcome hold(Claim claim) {
    return switch (ledger.hold(claim)) {
      case Outcome.Granted(Reservation held) -> {
        var counted = new CountedHold(held, new AtomicInteger(), new AtomicInteger());
        holds.add(counted);
        yield new Outcome.Granted(counted);
      }
      case Outcome.Refused refused -> refused;
      case Outcome.Unavailable down -> down;
    };
  }

  @Override
  public AvailableAmounts available(List<Payer> payers, Instant at) {
    return ledger.available(payers, at);
  }

  @Override
  public Usd held(Payer payer, Budget budget, Instant at) {
    return ledger.held(payer, budget, at);
  }

  @Override
  public List<Balance> balances(List<Spender> spenders, Instant at) {
    return ledger.balances(spenders, at);
  }

  @Override
  public void close() {
    ledger.close();
  }

  /** Forgets all earlier holds. */
  void reset() {
    holds.clear();
  }

  /** Returns how many holds were settled since the last reset. */
  long settledHolds() {
    return holds.stream().filter(one -> one.settled.get() > 0).count();
  }

  /** Asserts one hold since the last reset, which was either settled once or released. */
  void assertEndedOnce() {
    assertThat(holds).as("holds").hasSize(1);
    CountedHold only = holds.element();
    assertThat(only.settled.get() + Math.min(1, only.released.get()))
        .as("ends of %s", only)
        .isEqualTo(1);
  }

  /** Asserts that each hold since the last reset was either settled once or released. */
  void assertAllEndedOnce() {
    assertThat(holds).as("holds").isNotEmpty();
    for (CountedHold one : holds) {
      assertThat(one.settled.get() + Math.min(1, one.released.get()))
          .as("ends of %s", one)
          .isEqualTo(1);
    }
  }

  private record CountedHold(Reservation hold, AtomicInteger settled, AtomicInteger released)
      implements Reservation {
    @Override
    public Charge maxCharge() {
      return hold.maxCharge();
    }

    @Override
    public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
      settled.incrementAndGet();
      hold.settle(entries, record);
    }

    @Override
    public void release() {
      released.incrementAndGet();
      hold.release();
    }
  }
}
