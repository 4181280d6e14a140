package io.strowger.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryLedger;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Counter;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A ledger that remembers how each hold was ended. */
final class CountedLedger implements Ledger {
  private final Ledger ledger = new MemoryLedger();
  private final Queue<CountedHold> granted = new ConcurrentLinkedQueue<>();

  @Override
  public Outcome hold(List<Counter> all, Usd atMost, Instant deadline) {
    return switch (ledger.hold(all, atMost, deadline)) {
      case Outcome.Granted(Hold hold) -> {
        var counted = new CountedHold(hold, new AtomicInteger(), new AtomicInteger());
        granted.add(counted);
        yield new Outcome.Granted(counted);
      }
      case Outcome.Refused refused -> refused;
    };
  }

  @Override
  public @Nullable Usd remaining(List<Counter> all) {
    return ledger.remaining(all);
  }

  @Override
  public Balance balance(String owner, String window) {
    return ledger.balance(owner, window);
  }

  /** Begins to remember anew. */
  void forget() {
    granted.clear();
  }

  /** Money was set aside once since, and paid once or given back: giving back again is nothing. */
  void assertEndedOnce() {
    assertThat(granted).as("holds").hasSize(1);
    CountedHold only = granted.element();
    assertThat(only.paid.get() + Math.min(1, only.back.get())).as("ends of %s", only).isEqualTo(1);
  }

  private record CountedHold(Hold hold, AtomicInteger paid, AtomicInteger back) implements Hold {
    @Override
    public Usd amount() {
      return hold.amount();
    }

    @Override
    public void settle(Usd actual) {
      paid.incrementAndGet();
      hold.settle(actual);
    }

    @Override
    public void release() {
      back.incrementAndGet();
      hold.release();
    }
  }
}
