package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Counter;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger.Balance;
import io.strowger.spi.store.Ledger.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger in memory")
class MemoryLedgerTest {
  private final MemoryLedger ledger = new MemoryLedger();

  private static Counter key(long limit) {
    return new Counter("key:a", "all", new Usd(limit));
  }

  private static Counter account(long limit) {
    return new Counter("account", "all", new Usd(limit));
  }

  private Outcome hold(long nanos, Counter... counters) {
    return ledger.hold(List.of(counters), new Usd(nanos), Instant.MAX);
  }

  private Hold granted(long nanos, Counter... counters) {
    return ((Outcome.Granted) hold(nanos, counters)).hold();
  }

  private Balance balance(String owner) {
    return ledger.balance(owner, "all");
  }

  private static Balance standing(long settled, long held, long overrun) {
    return new Balance(new Usd(settled), new Usd(held), new Usd(overrun));
  }

  @Nested
  @DisplayName("grants a hold")
  class Grants {
    @Test
    @DisplayName("that just fits, and refuses one nano more, saying what is left")
    void bound() {
      assertThat(hold(101, key(100))).isEqualTo(new Outcome.Refused(key(100), new Usd(100)));
      assertThat(hold(100, key(100))).isInstanceOf(Outcome.Granted.class);
      assertThat(hold(1, key(100))).isEqualTo(new Outcome.Refused(key(100), Usd.ZERO));
    }

    @Test
    @DisplayName("on all counters or on none")
    void allOrNone() {
      assertThat(hold(60, key(100), account(50)))
          .isEqualTo(new Outcome.Refused(account(50), new Usd(50)));
      assertThat(balance("key:a")).isEqualTo(standing(0, 0, 0));
      assertThat(balance("account")).isEqualTo(standing(0, 0, 0));
    }

    @Test
    @DisplayName("without a limit, and counts it all the same")
    void unlimited() {
      hold(500, new Counter("key:a", "all", null));
      assertThat(balance("key:a")).isEqualTo(standing(0, 500, 0));
      assertThat(ledger.remaining(List.of(new Counter("key:a", "all", null)))).isNull();
    }

    @Test
    @DisplayName("in a new window from zero")
    void windows() {
      hold(100, key(100));
      var tomorrow = new Counter("key:a", "2026-11-22", new Usd(100));
      assertThat(hold(100, tomorrow)).isInstanceOf(Outcome.Granted.class);
    }
  }

  @Nested
  @DisplayName("ends a hold")
  class Ends {
    @Test
    @DisplayName("at the actual bill; what is over is free again")
    void settles() {
      var outcome = (Outcome.Granted) hold(80, key(100), account(1000));
      outcome.hold().settle(new Usd(30));
      assertThat(balance("key:a")).isEqualTo(standing(30, 0, 0));
      assertThat(balance("account")).isEqualTo(standing(30, 0, 0));
      assertThat(ledger.remaining(List.of(key(100), account(1000)))).isEqualTo(new Usd(70));
    }

    @Test
    @DisplayName("once: a second settlement or release does nothing")
    void once() {
      var hold = ((Outcome.Granted) hold(80, key(100))).hold();
      hold.settle(new Usd(30));
      hold.settle(new Usd(30));
      hold.release();
      assertThat(balance("key:a")).isEqualTo(standing(30, 0, 0));
    }

    @Test
    @DisplayName(
        "at a bill beyond it as it is, counts the overrun, and grants nothing until it fits")
    void overrun() {
      ((Outcome.Granted) hold(80, key(100))).hold().settle(new Usd(130));
      assertThat(balance("key:a")).isEqualTo(standing(130, 0, 50));
      assertThat(hold(0, key(100))).isInstanceOf(Outcome.Refused.class);
      assertThat(hold(0, key(130))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("by release, as if it had never been")
    void releases() {
      ((Outcome.Granted) hold(80, key(100))).hold().release();
      assertThat(balance("key:a")).isEqualTo(standing(0, 0, 0));
    }

    @Test
    @DisplayName("not at a negative bill")
    void negative() {
      Hold hold = granted(10, key(100));
      assertThatThrownBy(() -> hold.settle(new Usd(-1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName(
      "admits exactly as many of a crowd as the budget covers, whatever order counters come in")
  void crowd() throws InterruptedException {
    int covered = 37;
    int crowd = 400;
    var admitted = new AtomicInteger();
    var start = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < crowd; i++) {
      Counter[] order =
          i % 2 == 0
              ? new Counter[] {key(covered * 10L), account(Long.MAX_VALUE)}
              : new Counter[] {account(Long.MAX_VALUE), key(covered * 10L)};
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      start.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    if (hold(10, order) instanceof Outcome.Granted granted) {
                      admitted.incrementAndGet();
                      granted.hold().settle(new Usd(10));
                    }
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted).hasValue(covered);
    assertThat(balance("key:a")).isEqualTo(standing(covered * 10L, 0, 0));
    assertThat(balance("account")).isEqualTo(standing(covered * 10L, 0, 0));
  }
}
