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

/** A ledger that remembers how each hold was ended. */
final class CountedLedger implements Ledger, AutoCloseable {
  private final BookLedger ledger;
  private final Queue<Counted> granted = new ConcurrentLinkedQueue<>();

  CountedLedger(Ambient ambient) {
    ledger = new BookLedger(new MemoryLedgerStore(), ambient);
  }

  @Override
  public Outcome hold(Claim claim) {
    return switch (ledger.hold(claim)) {
      case Outcome.Granted(Reservation held) -> {
        var counted = new Counted(held, new AtomicInteger(), new AtomicInteger());
        granted.add(counted);
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

  /** Begins to remember anew. */
  void forget() {
    granted.clear();
  }

  /** How many holds were paid since. */
  long paid() {
    return granted.stream().filter(one -> one.paid.get() > 0).count();
  }

  /** Money was set aside once since, and paid once or given back: giving back again is nothing. */
  void assertEndedOnce() {
    assertThat(granted).as("holds").hasSize(1);
    Counted only = granted.element();
    assertThat(only.paid.get() + Math.min(1, only.back.get())).as("ends of %s", only).isEqualTo(1);
  }

  /** Whatever was set aside since was paid once or given back. */
  void assertAllEndedOnce() {
    assertThat(granted).as("holds").isNotEmpty();
    for (Counted one : granted) {
      assertThat(one.paid.get() + Math.min(1, one.back.get())).as("ends of %s", one).isEqualTo(1);
    }
  }

  private record Counted(Reservation held, AtomicInteger paid, AtomicInteger back)
      implements Reservation {
    @Override
    public Charge maxCharge() {
      return held.maxCharge();
    }

    @Override
    public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
      paid.incrementAndGet();
      held.settle(entries, record);
    }

    @Override
    public void release() {
      back.incrementAndGet();
      held.release();
    }
  }
}
