package io.strowger.core.ledger;

import static io.strowger.core.ledger.Till.account;
import static io.strowger.core.ledger.Till.all;
import static io.strowger.core.ledger.Till.key;
import static io.strowger.core.ledger.Till.nanos;
import static io.strowger.core.ledger.Till.per;
import static io.strowger.core.ledger.Till.withByok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ledger.Ledger.AvailableAmounts;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Ledger.TightestBudget;
import io.strowger.core.memory.MemoryGenerations;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger, over a store that grants whole limits,")
class BookLedgerTest {
  private final Till till = new Till();

  @AfterEach
  void nothingIsLeft() {
    till.close();
  }

  @Test
  @DisplayName("counts the holds of all payers that have not ended")
  void openHolds() {
    assertThat(till.ledger.openHolds()).isEqualTo(Ledger.OpenHolds.NONE);
    Reservation released = till.granted(60, key(all(100)));
    Reservation settled = till.granted(7, account());
    assertThat(till.ledger.openHolds()).isEqualTo(new Ledger.OpenHolds(2, new Usd(67)));
    released.release();
    assertThat(till.ledger.openHolds()).isEqualTo(new Ledger.OpenHolds(1, new Usd(7)));
    till.settle(settled, 3);
    assertThat(till.ledger.openHolds()).isEqualTo(Ledger.OpenHolds.NONE);
  }

  @Nested
  @DisplayName("grants a hold")
  class Grants {
    @Test
    @DisplayName("that just fits, and refuses one nano more, saying what is left")
    void bound() {
      Payer key = key(all(100));
      assertThat(till.hold(101, key)).isEqualTo(new Outcome.Refused(key, all(100), new Usd(100)));
      assertThat(till.hold(100, key)).isInstanceOf(Outcome.Granted.class);
      assertThat(till.hold(1, key)).isEqualTo(new Outcome.Refused(key, all(100), Usd.ZERO));
    }

    @Test
    @DisplayName("on all payers or on none")
    void allOrNone() {
      assertThat(till.hold(60, key(all(100)), account(all(50))))
          .isEqualTo(new Outcome.Refused(account(all(50)), all(50), new Usd(50)));
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
      assertThat(till.standing(account())).containsExactly(0L, 0L, 0L);
    }

    @Test
    @DisplayName("without a limit, and counts it all the same")
    void unlimited() {
      till.hold(500, key());
      assertThat(till.standing(key())).containsExactly(0L, 500L, 0L);
      assertThat(till.ledger.available(List.of(key()), till.ambient.now()))
          .isEqualTo(AvailableAmounts.UNLIMITED);
    }

    @Test
    @DisplayName("unless more would be held than can be counted")
    void uncountable() {
      till.granted(Long.MAX_VALUE - 1, key());
      assertThat(till.hold(1, key())).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    @DisplayName("of payers in any order, but not twice of the same")
    void order() {
      assertThat(till.hold(1, account(), key(all(0))))
          .isEqualTo(new Outcome.Refused(key(all(0)), all(0), Usd.ZERO));
      assertThatThrownBy(() -> till.hold(1, key(), account(), key()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key:a is named twice");
    }

    @Test
    @DisplayName("or names the longest of the periods that have not enough")
    void broadest() {
      Payer workspace =
          new Payer(
              Payer.Kind.WORKSPACE,
              "w",
              List.of(per(Period.DAILY, 5), per(Period.MONTHLY, 8), per(Period.WEEKLY, 7)));
      assertThat(till.hold(9, workspace))
          .isEqualTo(new Outcome.Refused(workspace, per(Period.MONTHLY, 8), new Usd(8)));
      assertThat(till.hold(6, workspace))
          .isEqualTo(new Outcome.Refused(workspace, per(Period.DAILY, 5), new Usd(5)));
    }
  }

  @Nested
  @DisplayName("counts what the customer's own keys cost")
  class ByokKeys {
    @Proves({"resources.key.counts", "resources.key.KY-3"})
    @Test
    @DisplayName("KY-3: not against a budget of credits, which leaves 5 of 5")
    void apart() {
      till.granted(till.hold(nanos(0, 7), key(all(5)))).settle(List.of(till.line(nanos(0, 7))));
      assertThat(till.ledger.available(List.of(key(all(5))), till.ambient.now()).credits())
          .isEqualTo(new TightestBudget(new Usd(5), key(all(5)), all(5)));
      assertThat(till.balance(key(), Period.LIFETIME).settled()).isEqualTo(nanos(0, 7));
    }

    @Proves({"resources.key.counts", "resources.key.KY-4"})
    @Test
    @DisplayName("KY-4: against one that includes them, which leaves less than nothing and refuses")
    void together() {
      till.granted(till.hold(nanos(0, 7), key())).settle(List.of(till.line(nanos(0, 7))));
      Payer key = key(withByok(5));
      assertThat(till.hold(0, key)).isEqualTo(new Outcome.Refused(key, withByok(5), new Usd(-2)));
    }

    @Test
    @DisplayName("each sort in its own room, the tightest of each")
    void rooms() {
      Payer key = key(all(9), withByok(100));
      Payer account = account(all(8));
      till.granted(till.hold(nanos(1, 20), key, account));
      AvailableAmounts room = till.ledger.available(List.of(key, account), till.ambient.now());
      assertThat(room.credits()).isEqualTo(new TightestBudget(new Usd(7), account, all(8)));
      assertThat(room.withByok()).isEqualTo(new TightestBudget(new Usd(79), key, withByok(100)));
    }
  }

  @Test
  @DisplayName("tells what acts under way hold of a budget, by what counts against it")
  void held() {
    Payer key = key(all(9), withByok(100));
    assertThat(till.ledger.held(key, all(9), till.ambient.now())).isEqualTo(Usd.ZERO);
    var reservation = till.granted(till.hold(nanos(1, 20), key));
    till.granted(till.hold(nanos(2, 0), key));
    assertThat(till.ledger.held(key, all(9), till.ambient.now())).isEqualTo(new Usd(3));
    assertThat(till.ledger.held(key, withByok(100), till.ambient.now())).isEqualTo(new Usd(23));
    reservation.settle(List.of(till.line(nanos(1, 5))));
    assertThat(till.ledger.held(key, withByok(100), till.ambient.now())).isEqualTo(new Usd(2));
  }

  @Nested
  @DisplayName("ends a hold")
  class Ends {
    @Test
    @DisplayName("at the actual bill; what is over is free again")
    void settles() {
      till.settle(till.granted(80, key(all(100)), account(all(1000))), 30);
      assertThat(till.standing(key())).containsExactly(30L, 0L, 0L);
      assertThat(till.standing(account())).containsExactly(30L, 0L, 0L);
      assertThat(till.hold(70, key(all(100)))).isInstanceOf(Outcome.Granted.class);
      assertThat(till.balance(key(), Period.LIFETIME).last()).isEqualTo(till.ambient.now());
    }

    @Test
    @DisplayName("once: a second settlement or release does nothing")
    void once() {
      Reservation held = till.granted(80, key(all(100)));
      till.settle(held, 30);
      till.settle(held, 30);
      held.release();
      assertThat(till.standing(key())).containsExactly(30L, 0L, 0L);
    }

    @Test
    @DisplayName(
        "at a bill beyond it as it is, counts the overrun, and grants nothing until it fits")
    void overrun() {
      till.settle(till.granted(80, key(all(100))), 130);
      assertThat(till.standing(key())).containsExactly(130L, 0L, 50L);
      assertThat(till.hold(0, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(till.hold(0, key(all(130)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("by release, as if it had never been")
    void releases() {
      till.granted(80, key(all(100))).release();
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
      assertThat(till.balance(key(), Period.LIFETIME).last()).isNull();
    }

    @Test
    @DisplayName("without a line as release does")
    void noLines() {
      till.granted(80, key(all(100))).settle(List.of());
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
    }

    @Test
    @DisplayName("with what is known of the request, which the store gets with the lines")
    void record() {
      var generations = new MemoryGenerations();
      var store = new MemoryLedgerStore(generations);
      var known = new Generation("gen-1", "owner", Instant.EPOCH, new byte[] {1}, null);
      try (var other = new Till(store, TestAmbient.at("2026-11-21T12:00:00Z"))) {
        Reservation held = other.granted(80, key(all(100)));
        assertThatThrownBy(() -> held.settle(List.of(), known))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("gen-1");
        assertThat(other.standing(key())).as("still held").containsExactly(0L, 80L, 0L);
        held.settle(List.of(other.line(nanos(30, 0))), known);
        assertThat(other.standing(key())).containsExactly(30L, 0L, 0L);
      }
      assertThat(generations.find("gen-1")).isEqualTo(known);
    }

    @Test
    @DisplayName("not at a negative bill")
    void negative() {
      Reservation held = till.granted(10, key(all(100)));
      assertThatThrownBy(() -> till.settle(held, -1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> till.hold(new Charge(Usd.ZERO, new Usd(-1)), key()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("binds a limit that was lowered or raised with the next hold")
  void otherLimits() {
    till.settle(till.granted(60, key(all(100))), 60);
    assertThat(till.hold(1, key(all(50)))).isInstanceOf(Outcome.Refused.class);
    assertThat(till.hold(10, key(all(70)))).isInstanceOf(Outcome.Granted.class);
    assertThat(till.hold(1, key(all(70)))).isInstanceOf(Outcome.Refused.class);
    assertThat(till.hold(30, key(all(100)))).isInstanceOf(Outcome.Granted.class);
  }

  @Proves("open.71")
  @Test
  @DisplayName(
      "admits exactly as many of a crowd as the budget covers, whatever order payers come in")
  void crowd() throws InterruptedException {
    int covered = 37;
    var admitted = new AtomicInteger();
    var start = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    Payer key = key(all(covered * 10L));
    for (int i = 0; i < 400; i++) {
      Payer[] order = i % 2 == 0 ? new Payer[] {key, account()} : new Payer[] {account(), key};
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      start.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    if (till.hold(10, order) instanceof Outcome.Granted granted) {
                      admitted.incrementAndGet();
                      till.settle(granted.reservation(), 10);
                    }
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted).hasValue(covered);
    assertThat(till.standing(key())).containsExactly(covered * 10L, 0L, 0L);
    assertThat(till.standing(account())).containsExactly(covered * 10L, 0L, 0L);
  }
}
