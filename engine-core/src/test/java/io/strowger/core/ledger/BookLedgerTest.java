package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.account;
import static io.strowger.core.ledger.LedgerFixture.budget;
import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static io.strowger.core.ledger.LedgerFixture.nanos;
import static io.strowger.core.ledger.LedgerFixture.withByok;
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

@DisplayName("The ledger, with a store that grants each limit as a whole,")
class BookLedgerTest {
  private final LedgerFixture fixture = new LedgerFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  @DisplayName("counts the open holds of all payers")
  void openHolds() {
    assertThat(fixture.ledger.openHolds()).isEqualTo(Ledger.OpenHolds.NONE);
    Reservation released = fixture.granted(60, key(lifetime(100)));
    Reservation settled = fixture.granted(7, account());
    assertThat(fixture.ledger.openHolds()).isEqualTo(new Ledger.OpenHolds(2, new Usd(67)));
    released.release();
    assertThat(fixture.ledger.openHolds()).isEqualTo(new Ledger.OpenHolds(1, new Usd(7)));
    fixture.settle(settled, 3);
    assertThat(fixture.ledger.openHolds()).isEqualTo(Ledger.OpenHolds.NONE);
  }

  @Nested
  @DisplayName("grants a hold")
  class Grants {
    @Test
    @DisplayName("that exactly fits, and refuses one more nanodollar with the amount that is left")
    void bound() {
      Payer key = key(lifetime(100));
      assertThat(fixture.hold(101, key))
          .isEqualTo(new Outcome.Refused(key, lifetime(100), new Usd(100)));
      assertThat(fixture.hold(100, key)).isInstanceOf(Outcome.Granted.class);
      assertThat(fixture.hold(1, key)).isEqualTo(new Outcome.Refused(key, lifetime(100), Usd.ZERO));
    }

    @Test
    @DisplayName("from all payers or from none")
    void allOrNone() {
      assertThat(fixture.hold(60, key(lifetime(100)), account(lifetime(50))))
          .isEqualTo(new Outcome.Refused(account(lifetime(50)), lifetime(50), new Usd(50)));
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
      assertThat(fixture.lifetimeAmounts(account())).containsExactly(0L, 0L, 0L);
    }

    @Test
    @DisplayName("from a payer without a limit, and counts it")
    void unlimited() {
      fixture.hold(500, key());
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 500L, 0L);
      assertThat(fixture.ledger.available(List.of(key()), fixture.ambient.now()))
          .isEqualTo(AvailableAmounts.UNLIMITED);
    }

    @Test
    @DisplayName("unless the sum of the holds would exceed the range of an amount")
    void uncountable() {
      fixture.granted(Long.MAX_VALUE - 1, key());
      assertThat(fixture.hold(1, key())).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    @DisplayName("from payers in any order, but not twice from the same payer")
    void order() {
      assertThat(fixture.hold(1, account(), key(lifetime(0))))
          .isEqualTo(new Outcome.Refused(key(lifetime(0)), lifetime(0), Usd.ZERO));
      assertThatThrownBy(() -> fixture.hold(1, key(), account(), key()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key:a is named twice");
    }

    @Test
    @DisplayName("or refuses it with the longest period whose budget does not suffice")
    void broadest() {
      Payer workspace =
          new Payer(
              Payer.Kind.WORKSPACE,
              "w",
              List.of(
                  budget(Period.DAILY, 5), budget(Period.MONTHLY, 8), budget(Period.WEEKLY, 7)));
      assertThat(fixture.hold(9, workspace))
          .isEqualTo(new Outcome.Refused(workspace, budget(Period.MONTHLY, 8), new Usd(8)));
      assertThat(fixture.hold(6, workspace))
          .isEqualTo(new Outcome.Refused(workspace, budget(Period.DAILY, 5), new Usd(5)));
    }
  }

  @Nested
  @DisplayName("counts the cost of BYOK keys")
  class ByokKeys {
    @Proves({"resources.key.counts", "resources.key.KY-3"})
    @Test
    @DisplayName("KY-3: not against a budget of credits, of which 5 of 5 are left")
    void apart() {
      LedgerFixture.granted(fixture.hold(nanos(0, 7), key(lifetime(5))))
          .settle(List.of(fixture.line(nanos(0, 7))));
      assertThat(
              fixture.ledger.available(List.of(key(lifetime(5))), fixture.ambient.now()).credits())
          .isEqualTo(new TightestBudget(new Usd(5), key(lifetime(5)), lifetime(5)));
      assertThat(fixture.balance(key(), Period.LIFETIME).settled()).isEqualTo(nanos(0, 7));
    }

    @Proves({"resources.key.counts", "resources.key.KY-4"})
    @Test
    @DisplayName(
        "KY-4: against a budget that includes them, which then is exceeded and refuses holds")
    void together() {
      LedgerFixture.granted(fixture.hold(nanos(0, 7), key()))
          .settle(List.of(fixture.line(nanos(0, 7))));
      Payer key = key(withByok(5));
      assertThat(fixture.hold(0, key))
          .isEqualTo(new Outcome.Refused(key, withByok(5), new Usd(-2)));
    }

    @Test
    @DisplayName("apart from credits, and returns the tightest budget of each sort")
    void rooms() {
      Payer key = key(lifetime(9), withByok(100));
      Payer account = account(lifetime(8));
      LedgerFixture.granted(fixture.hold(nanos(1, 20), key, account));
      AvailableAmounts room =
          fixture.ledger.available(List.of(key, account), fixture.ambient.now());
      assertThat(room.credits()).isEqualTo(new TightestBudget(new Usd(7), account, lifetime(8)));
      assertThat(room.withByok()).isEqualTo(new TightestBudget(new Usd(79), key, withByok(100)));
    }
  }

  @Test
  @DisplayName(
      "returns how much of a budget is held, with the cost of BYOK keys only where the budget"
          + " counts it")
  void held() {
    Payer key = key(lifetime(9), withByok(100));
    assertThat(fixture.ledger.held(key, lifetime(9), fixture.ambient.now())).isEqualTo(Usd.ZERO);
    var reservation = LedgerFixture.granted(fixture.hold(nanos(1, 20), key));
    LedgerFixture.granted(fixture.hold(nanos(2, 0), key));
    assertThat(fixture.ledger.held(key, lifetime(9), fixture.ambient.now())).isEqualTo(new Usd(3));
    assertThat(fixture.ledger.held(key, withByok(100), fixture.ambient.now()))
        .isEqualTo(new Usd(23));
    reservation.settle(List.of(fixture.line(nanos(1, 5))));
    assertThat(fixture.ledger.held(key, withByok(100), fixture.ambient.now()))
        .isEqualTo(new Usd(2));
  }

  @Nested
  @DisplayName("ends a hold")
  class Ends {
    @Test
    @DisplayName("with the actual bill, and the rest can be held again")
    void settles() {
      fixture.settle(fixture.granted(80, key(lifetime(100)), account(lifetime(1000))), 30);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(30L, 0L, 0L);
      assertThat(fixture.lifetimeAmounts(account())).containsExactly(30L, 0L, 0L);
      assertThat(fixture.hold(70, key(lifetime(100)))).isInstanceOf(Outcome.Granted.class);
      assertThat(fixture.balance(key(), Period.LIFETIME).last()).isEqualTo(fixture.ambient.now());
    }

    @Test
    @DisplayName("once: a second settlement or release does nothing")
    void once() {
      Reservation held = fixture.granted(80, key(lifetime(100)));
      fixture.settle(held, 30);
      fixture.settle(held, 30);
      held.release();
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(30L, 0L, 0L);
    }

    @Test
    @DisplayName(
        "with a bill above the hold in full, counts the overrun, and grants nothing until it fits"
            + " again")
    void overrun() {
      fixture.settle(fixture.granted(80, key(lifetime(100))), 130);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(130L, 0L, 50L);
      assertThat(fixture.hold(0, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      assertThat(fixture.hold(0, key(lifetime(130)))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    @DisplayName("by release, as if it had never been granted")
    void releases() {
      fixture.granted(80, key(lifetime(100))).release();
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
      assertThat(fixture.balance(key(), Period.LIFETIME).last()).isNull();
    }

    @Test
    @DisplayName("by a settlement without lines as by a release")
    void noLines() {
      fixture.granted(80, key(lifetime(100))).settle(List.of());
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
    }

    @Test
    @DisplayName("with the record of the request, which the store receives with the lines")
    void record() {
      var generations = new MemoryGenerations();
      var store = new MemoryLedgerStore(generations);
      var known = new Generation("gen-1", "owner", Instant.EPOCH, new byte[] {1}, null);
      try (var other = new LedgerFixture(store, TestAmbient.at("2026-11-21T12:00:00Z"))) {
        Reservation held = other.granted(80, key(lifetime(100)));
        assertThatThrownBy(() -> held.settle(List.of(), known))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("gen-1");
        assertThat(other.lifetimeAmounts(key())).as("still held").containsExactly(0L, 80L, 0L);
        held.settle(List.of(other.line(nanos(30, 0))), known);
        assertThat(other.lifetimeAmounts(key())).containsExactly(30L, 0L, 0L);
      }
      assertThat(generations.find("gen-1")).isEqualTo(known);
    }

    @Test
    @DisplayName("but not with a negative bill")
    void negative() {
      Reservation held = fixture.granted(10, key(lifetime(100)));
      assertThatThrownBy(() -> fixture.settle(held, -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> fixture.hold(new Charge(Usd.ZERO, new Usd(-1)), key()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("applies a lowered or raised limit from the next hold on")
  void otherLimits() {
    fixture.settle(fixture.granted(60, key(lifetime(100))), 60);
    assertThat(fixture.hold(1, key(lifetime(50)))).isInstanceOf(Outcome.Refused.class);
    assertThat(fixture.hold(10, key(lifetime(70)))).isInstanceOf(Outcome.Granted.class);
    assertThat(fixture.hold(1, key(lifetime(70)))).isInstanceOf(Outcome.Refused.class);
    assertThat(fixture.hold(30, key(lifetime(100)))).isInstanceOf(Outcome.Granted.class);
  }

  @Proves("open.71")
  @Test
  @DisplayName(
      "admits exactly as many concurrent holds as the budget covers, whatever the order of the"
          + " payers")
  void crowd() throws InterruptedException {
    int covered = 37;
    var admitted = new AtomicInteger();
    var start = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    Payer key = key(lifetime(covered * 10L));
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
                    if (fixture.hold(10, order) instanceof Outcome.Granted granted) {
                      admitted.incrementAndGet();
                      fixture.settle(granted.reservation(), 10);
                    }
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted).hasValue(covered);
    assertThat(fixture.lifetimeAmounts(key())).containsExactly(covered * 10L, 0L, 0L);
    assertThat(fixture.lifetimeAmounts(account())).containsExactly(covered * 10L, 0L, 0L);
  }
}
