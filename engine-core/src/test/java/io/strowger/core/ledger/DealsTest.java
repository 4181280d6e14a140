package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.account;
import static io.strowger.core.ledger.LedgerFixture.granted;
import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static io.strowger.core.ledger.LedgerFixture.nanos;
import static io.strowger.core.ledger.LedgerFixture.withByok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The part of a budget that is dealt to stripes")
class DealsTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryLedgerStore store = new MemoryLedgerStore();
  private int stripe;

  @Nested
  @DisplayName("in a ledger with two stripes")
  class Ledgers {
    private final LedgerFixture fixture =
        new LedgerFixture(store, ambient, new Stripes(1, 1, () -> stripe));

    @AfterEach
    void close() {
      fixture.close();
    }

    private Outcome holdOn(int number, long amount, Payer... payers) {
      stripe = number;
      return fixture.hold(amount, payers);
    }

    @Test
    @DisplayName(
        "is the whole budget and never more, however the holds are spread over the stripes")
    void whole() {
      for (int i = 0; i < 10; i++) {
        granted(holdOn(i & 1, 10, key(lifetime(100)), account()));
      }
      assertThat(holdOn(0, 1, key(lifetime(100)), account())).isInstanceOf(Outcome.Refused.class);
      assertThat(holdOn(1, 1, key(lifetime(100)), account())).isInstanceOf(Outcome.Refused.class);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 100L, 0L);
    }

    @Test
    @DisplayName(
        "is given to the stripe that needs it, and the other stripe does not spend it any more")
    void gathered() {
      granted(holdOn(0, 10, key(lifetime(100)))); // then 45 are dealt to each stripe
      granted(holdOn(1, 80, key(lifetime(100))));
      assertThat(holdOn(0, 11, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      granted(holdOn(0, 10, key(lifetime(100))));
    }

    @Test
    @DisplayName("is returned by holds that end, whatever stripe they began on")
    void comesBack() {
      for (int i = 0; i < 1_000; i++) {
        Reservation one = granted(holdOn(0, 50, key(lifetime(200))));
        Reservation two = granted(holdOn(1, 60, key(lifetime(200))));
        stripe = 0;
        two.release();
        stripe = 1;
        one.release();
      }
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
      granted(holdOn(0, 200, key(lifetime(200))));
    }

    @Test
    @DisplayName("is not spent by a payer with a lower limit")
    void lowerLimit() {
      var other = new Payer(Payer.Kind.KEY, "b", List.of());
      granted(holdOn(0, 10, key(), account(lifetime(100))));
      granted(holdOn(0, 10, other, account(lifetime(30))));
      granted(holdOn(0, 30, key(), account(lifetime(100)))); // dealt again with the limit of 100
      assertThat(holdOn(0, 1, other, account(lifetime(30)))).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    @DisplayName("does not grow when a hold for a BYOK key ends")
    void byok() {
      Payer key = key(lifetime(100), withByok(1_000));
      stripe = 0;
      Reservation byokKey = granted(fixture.hold(nanos(0, 20), key)); // then 50 are dealt to each
      granted(holdOn(0, 1, key));
      byokKey.release();
      granted(holdOn(0, 69, key));
      assertThat(holdOn(1, 50, key)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    @DisplayName("becomes void when a bill exceeds its hold")
    void overrun() {
      Reservation held = granted(holdOn(0, 10, key(lifetime(100))));
      fixture.settle(held, 90);
      assertThat(holdOn(1, 11, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
      fixture.settle(granted(holdOn(1, 10, key(lifetime(100)))), 11);
      assertThat(holdOn(0, 0, key(lifetime(100)))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  @DisplayName("is unchanged when a hold fails halfway, for lack of memory")
  void failsHalfway() {
    var hasMemory = new AtomicBoolean(true);
    var stripes =
        new Stripes(
            1,
            1,
            () -> {
              if (!hasMemory.get()) {
                throw new OutOfMemoryError("planted by the test");
              }
              return 0;
            });
    try (var fixture = new LedgerFixture(store, ambient, stripes)) {
      hasMemory.set(false);
      assertThatThrownBy(() -> fixture.hold(60, key(lifetime(100))))
          .isInstanceOf(OutOfMemoryError.class);
      hasMemory.set(true);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(0L, 0L, 0L);
      granted(fixture.hold(100, key(lifetime(100))));
    }
  }

  @Nested
  @DisplayName("in a book")
  class Books {
    private static final long WAIT_NANOS = 2_000_000_000;

    private final Payer payer = key(lifetime(100));
    private final Book book = new Book(payer, new Stripes(1));
    private final DayWindows windows = book.windowsFor(Day.of(ambient.now()));
    private final Window window = windows.window(Period.LIFETIME);
    private final LocalSlice slice = window.slice(false);
    private final InMemoryCluster.Node node = new InMemoryCluster().startNode();
    private final Leases leases = new Leases(node, ambient);

    private void obtain(long limit) {
      assertThat(
              leases.obtain(
                  List.of(new SliceShortfall(book, window, slice, limit, 10)), WAIT_NANOS))
          .isNull();
    }

    private void deal() {
      assertThat(windows.covers(0, windows.deal(payer, 20), 10)).isTrue();
    }

    private void assertVoid() {
      assertThat(windows.covers(0, payer, 0)).isFalse();
    }

    @Test
    @DisplayName("becomes void when the store grants another slice")
    void answered() {
      obtain(100);
      deal();
      obtain(100);
      assertVoid();
    }

    @Test
    @DisplayName("becomes void when the slice is returned")
    void givenBack() {
      obtain(100);
      deal();
      leases.returnUnused(book, window, slice);
      assertVoid();
    }

    @Test
    @DisplayName("becomes void when the limit is lowered and the store cannot be reached")
    void lowered() {
      obtain(100);
      deal();
      node.down = true;
      assertThat(
              leases.obtain(List.of(new SliceShortfall(book, window, slice, 50, 10)), WAIT_NANOS))
          .isNotNull();
      assertVoid();
    }

    @Test
    @DisplayName("counts as use of the slice")
    void used() {
      obtain(100);
      assertThat(slice.wasUsed()).isFalse();
      deal();
      windows.hold(0, nanos(5), 5);
      windows.settle(0, nanos(5), nanos(5), null);
      book.fold();
      assertThat(slice.wasUsed()).isTrue();
      assertThat(window.spent(false)).isEqualTo(5);
    }

    @Test
    @DisplayName("becomes void when the idle book is released, but counted amounts are kept")
    void releasedIdle() {
      obtain(100);
      deal();
      windows.hold(0, nanos(5), 5);
      assertThat(book.releaseIdle()).contains(window);
      assertVoid();
      assertThat(window.spent(false)).isEqualTo(5);
      windows.settle(0, nanos(5), nanos(3), null);
      book.fold();
      assertThat(window.spent(false)).isEqualTo(3);
      Payer again = windows.deal(payer, 20);
      assertThat(windows.covers(0, again, 10)).isTrue();
      assertThat(windows.covers(0, again, 11)).isFalse();
    }

    @Test
    @DisplayName("spares the reserve below which more is requested, until that request is sent")
    void reserve() {
      Usd desiredGrant = new Usd(slice.amountToRequest(0, 10, 960));
      assertThat(desiredGrant).isEqualTo(new Usd(70));
      var ask =
          new LedgerStore.SliceRequest(
              window.account(), false, new Usd(960), new Usd(10), desiredGrant);
      slice.onGranted(ask, new LedgerStore.Slice(desiredGrant, new Usd(890)), 0);
      assertThat(slice.unreservedAmount(10, 1_000)).isEqualTo(30);
      slice.registerRequest();
      assertThat(slice.unreservedAmount(10, 1_000)).isEqualTo(60);
      // under a lower limit the slice must be requested again
      assertThat(slice.unreservedAmount(10, 959)).isZero();
    }
  }
}
