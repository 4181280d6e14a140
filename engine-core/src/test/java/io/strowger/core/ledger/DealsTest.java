package io.strowger.core.ledger;

import static io.strowger.core.ledger.Till.account;
import static io.strowger.core.ledger.Till.all;
import static io.strowger.core.ledger.Till.granted;
import static io.strowger.core.ledger.Till.key;
import static io.strowger.core.ledger.Till.nanos;
import static io.strowger.core.ledger.Till.withByok;
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

@DisplayName("What stripes are dealt of a budget")
class DealsTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryLedgerStore store = new MemoryLedgerStore();
  private int stripe;

  @Nested
  @DisplayName("of a ledger with two of them")
  class Ledgers {
    private final Till till = new Till(store, ambient, new Stripes(1, 1, () -> stripe));

    @AfterEach
    void close() {
      till.close();
    }

    private Outcome holdOn(int number, long amount, Payer... payers) {
      stripe = number;
      return till.hold(amount, payers);
    }

    @Test
    @DisplayName("is all of it, and never more, however holds are spread over them")
    void whole() {
      for (int i = 0; i < 10; i++) {
        granted(holdOn(i & 1, 10, key(all(100)), account()));
      }
      assertThat(holdOn(0, 1, key(all(100)), account())).isInstanceOf(Outcome.Refused.class);
      assertThat(holdOn(1, 1, key(all(100)), account())).isInstanceOf(Outcome.Refused.class);
      assertThat(till.standing(key())).containsExactly(0L, 100L, 0L);
    }

    @Test
    @DisplayName("goes to the one that needs it, and is not spent by the other any more")
    void gathered() {
      granted(holdOn(0, 10, key(all(100)))); // 45 for each
      granted(holdOn(1, 80, key(all(100))));
      assertThat(holdOn(0, 11, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      granted(holdOn(0, 10, key(all(100))));
    }

    @Test
    @DisplayName("comes back from holds that end, under whichever they began")
    void comesBack() {
      for (int i = 0; i < 1_000; i++) {
        Reservation one = granted(holdOn(0, 50, key(all(200))));
        Reservation two = granted(holdOn(1, 60, key(all(200))));
        stripe = 0;
        two.release();
        stripe = 1;
        one.release();
      }
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
      granted(holdOn(0, 200, key(all(200))));
    }

    @Test
    @DisplayName("is not spent by who has a lower limit")
    void lowerLimit() {
      var other = new Payer(Payer.Kind.KEY, "b", List.of());
      granted(holdOn(0, 10, key(), account(all(100))));
      granted(holdOn(0, 10, other, account(all(30))));
      granted(holdOn(0, 30, key(), account(all(100)))); // dealt under 100 again
      assertThat(holdOn(0, 1, other, account(all(30)))).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    @DisplayName("does not grow by what only BYOK keys were held for")
    void byok() {
      Payer key = key(all(100), withByok(1_000));
      stripe = 0;
      Reservation byokKey = granted(till.hold(nanos(0, 20), key)); // 50 credits for each
      granted(holdOn(0, 1, key));
      byokKey.release();
      granted(holdOn(0, 69, key));
      assertThat(holdOn(1, 50, key)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    @DisplayName("is void once a bill went beyond its hold")
    void overrun() {
      Reservation held = granted(holdOn(0, 10, key(all(100))));
      till.settle(held, 90);
      assertThat(holdOn(1, 11, key(all(100)))).isInstanceOf(Outcome.Refused.class);
      till.settle(granted(holdOn(1, 10, key(all(100)))), 11);
      assertThat(holdOn(0, 0, key(all(100)))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  @DisplayName("is as it was when a hold fails in its middle, for want of memory")
  void failsInTheMiddle() {
    var memory = new AtomicBoolean(true);
    var stripes =
        new Stripes(
            1,
            1,
            () -> {
              if (!memory.get()) {
                throw new OutOfMemoryError("of the test");
              }
              return 0;
            });
    try (var till = new Till(store, ambient, stripes)) {
      memory.set(false);
      assertThatThrownBy(() -> till.hold(60, key(all(100)))).isInstanceOf(OutOfMemoryError.class);
      memory.set(true);
      assertThat(till.standing(key())).containsExactly(0L, 0L, 0L);
      granted(till.hold(100, key(all(100))));
    }
  }

  @Nested
  @DisplayName("in a book")
  class Books {
    private static final long PATIENCE = 2_000_000_000;

    private final Payer payer = key(all(100));
    private final Book book = new Book(payer, new Stripes(1));
    private final DayWindows pages = book.windowsFor(Day.of(ambient.now()));
    private final Window window = pages.window(Period.LIFETIME);
    private final LocalSlice slice = window.slice(false);
    private final InMemoryCluster.Node node = new InMemoryCluster().open();
    private final Leases leases = new Leases(node, ambient);

    private void obtain(long limit) {
      assertThat(
              leases.obtain(List.of(new SliceShortfall(book, window, slice, limit, 10)), PATIENCE))
          .isNull();
    }

    private void deal() {
      assertThat(pages.covers(0, pages.deal(payer, 20), 10)).isTrue();
    }

    private void assertVoid() {
      assertThat(pages.covers(0, payer, 0)).isFalse();
    }

    @Test
    @DisplayName("is void when the store says anew what may be spent")
    void answered() {
      obtain(100);
      deal();
      obtain(100);
      assertVoid();
    }

    @Test
    @DisplayName("is void when the slice is given back")
    void givenBack() {
      obtain(100);
      deal();
      leases.returnUnused(book, window, slice);
      assertVoid();
    }

    @Test
    @DisplayName("is void when the limit was lowered and the store says nothing")
    void lowered() {
      obtain(100);
      deal();
      node.down = true;
      assertThat(leases.obtain(List.of(new SliceShortfall(book, window, slice, 50, 10)), PATIENCE))
          .isNotNull();
      assertVoid();
    }

    @Test
    @DisplayName("counts as use of the slice")
    void used() {
      obtain(100);
      assertThat(slice.wasUsed()).isFalse();
      deal();
      pages.hold(0, nanos(5), 5);
      pages.settle(0, nanos(5), nanos(5), null);
      book.fold();
      assertThat(slice.wasUsed()).isTrue();
      assertThat(window.spent(false)).isEqualTo(5);
    }

    @Test
    @DisplayName("is void when the book is put away, and what was counted is kept")
    void putAway() {
      obtain(100);
      deal();
      pages.hold(0, nanos(5), 5);
      assertThat(book.releaseIdle()).contains(window);
      assertVoid();
      assertThat(window.spent(false)).isEqualTo(5);
      pages.settle(0, nanos(5), nanos(3), null);
      book.fold();
      assertThat(window.spent(false)).isEqualTo(3);
      Payer again = pages.deal(payer, 20);
      assertThat(pages.covers(0, again, 10)).isTrue();
      assertThat(pages.covers(0, again, 11)).isFalse();
    }

    @Test
    @DisplayName("leaves what is to be asked for more at, until that was asked for")
    void reserve() {
      Usd want = new Usd(slice.amountToRequest(0, 10, 960));
      assertThat(want).isEqualTo(new Usd(70));
      var ask =
          new LedgerStore.SliceRequest(window.account(), false, new Usd(960), new Usd(10), want);
      slice.onGranted(ask, new LedgerStore.Slice(want, new Usd(890)), 0);
      assertThat(slice.unreservedAmount(10, 1_000)).isEqualTo(30);
      slice.registerRequest();
      assertThat(slice.unreservedAmount(10, 1_000)).isEqualTo(60);
      assertThat(slice.unreservedAmount(10, 959))
          .isZero(); // it has to be asked for under that limit
    }
  }
}
