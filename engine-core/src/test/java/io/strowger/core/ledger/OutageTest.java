package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.budget;
import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.store.ForwardingLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("When a store fails or a limit is lowered,")
class OutageTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private static final GatewayError PAYMENT_REQUIRED = GatewayError.of(ErrorCode.PAYMENT_REQUIRED);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.startNode();

  @Test
  @DisplayName(
      "a hold beyond the node's own slice fails with 503 instead of 402, since the store may have"
          + " more")
  void unknown() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      Payer key = key(lifetime(1600));
      fixture.granted(10, key);
      node.down = true;
      assertThat(fixture.hold(200, key)).isInstanceOf(Outcome.Unavailable.class);
      RequestBudget budget = fixture.requestBudget(key);
      assertThat(budget.remainingBudget().credits())
          .isNotNull()
          .extracting(least -> least.remaining())
          .isEqualTo(new Usd(100));
      assertThat(budget.shortfall(PAYMENT_REQUIRED, null))
          .isNotNull()
          .extracting(GatewayError::code)
          .isEqualTo(ErrorCode.UNAVAILABLE);
      node.down = false;
      assertThat(budget.shortfall(PAYMENT_REQUIRED, null))
          .as("the store grants more by now")
          .isNull();
      assertThat(fixture.lifetimeAmounts(key)).containsExactly(0L, 10L, 0L);
    }
  }

  @Test
  @DisplayName("the money that a settled hold frees is not spent again while the limit is exceeded")
  void freedOfTooMuch() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      cluster // another node has a slice of 2
          .startNode()
          .requestSlice(
              new LedgerStore.SliceRequest(ALL, false, new Usd(900), new Usd(2), new Usd(2)));
      Reservation first = fixture.granted(20, key(lifetime(900)));
      fixture.granted(80, key(lifetime(900)));
      Payer poorer = key(lifetime(100));
      assertThat(fixture.hold(0, poorer)).isInstanceOf(Outcome.Refused.class);
      fixture.settle(first, 19); // 2 + 80 + 19 = 101 of 100
      assertThat(fixture.hold(0, poorer)).isInstanceOf(Outcome.Refused.class);
      assertThat(fixture.hold(1, poorer)).isInstanceOf(Outcome.Refused.class);
      assertThat(fixture.hold(0, key(lifetime(101)))).isInstanceOf(Outcome.Granted.class);
    }
  }

  @Test
  @DisplayName("a slice that could not be returned is returned later")
  void givenBackLater() {
    var leases = new Leases(node, ambient);
    var book = new Book(key(), new Stripes(1));
    Window window = book.windowsFor(Day.of(ambient.now())).window(Period.LIFETIME);
    LocalSlice slice = window.slice(false);
    assertThat(
            leases.obtain(List.of(new SliceShortfall(book, window, slice, 1600, 10)), MINUTE_NANOS))
        .isNull();
    node.down = true;
    assertThatThrownBy(() -> leases.returnUnused(book, window, slice))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(node.grantOf(ALL)).isEqualTo(110);
    assertThat(slice.covers(0, 10, 1600)).as("the slice is not spent meanwhile").isFalse();
    assertThat(slice.hasSpare(0)).isTrue();
    node.down = false;
    leases.returnUnused(book, window, slice);
    assertThat(node.grantOf(ALL)).isZero();
    assertThat(slice.hasSpare(0)).isFalse();
  }

  @Tag("full")
  @Test
  @DisplayName("no hold waits for ever for an answer of the store, whatever was requested")
  void hangs() {
    try (var fixture = LedgerFixture.withGatewayTimeout(node, ambient)) {
      Payer first = key(lifetime(1600));
      fixture.granted(10, first);
      Payer lowered = key(lifetime(800)); // its hold returns the slice, then requests another
      Payer daily = key(lifetime(1600), budget(Period.DAILY, 1600));
      node.hang();
      for (Payer payer : List.of(lowered, daily)) {
        var outcome = CompletableFuture.supplyAsync(() -> fixture.hold(500, payer));
        assertThat(outcome)
            .succeedsWithin(Duration.ofSeconds(30))
            .isInstanceOf(Outcome.Unavailable.class);
      }
      node.resume();
      assertThat(fixture.hold(500, first)).isInstanceOf(Outcome.Granted.class);
    }
  }

  @Test
  @DisplayName("a slice that was granted but whose answer was lost is returned")
  void lostAnswer() {
    var leases = new Leases(node, ambient);
    var book = new Book(key(), new Stripes(1));
    Window window = book.windowsFor(Day.of(ambient.now())).window(Period.LIFETIME);
    LocalSlice slice = window.slice(false);
    node.losesAnswers = true;
    assertThat(
            leases.obtain(List.of(new SliceShortfall(book, window, slice, 1600, 10)), MINUTE_NANOS))
        .isNotNull();
    assertThat(node.grantOf(ALL)).isEqualTo(110);
    node.losesAnswers = false;
    assertThat(slice.hasSpare(0)).isTrue();
    leases.returnUnused(book, window, slice);
    assertThat(node.grantOf(ALL)).isZero();
    assertThat(slice.hasSpare(0)).isFalse();
  }

  @Test
  @DisplayName("a lowered limit applies even if the slice that it makes void cannot be returned")
  void loweredWhileDown() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      cluster // another node has a slice of 40
          .startNode()
          .requestSlice(
              new LedgerStore.SliceRequest(ALL, false, new Usd(1600), new Usd(40), new Usd(40)));
      fixture.granted(10, key(lifetime(1600)));
      node.down = true;
      assertThat(fixture.hold(1, key(lifetime(50)))).isInstanceOf(Outcome.Unavailable.class);
      node.down = false;
      assertThat(fixture.hold(1, key(lifetime(50)))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  @DisplayName(
      "a bill is counted even if writing it fails with an unexpected error, and no more is granted")
  void unforeseen() {
    try (var fixture = new LedgerFixture(new BrokenStore(new MemoryLedgerStore()), ambient)) {
      Reservation held = fixture.granted(80, key(lifetime(100)));
      fixture.settle(held, 30);
      assertThat(fixture.lifetimeAmounts(key())).containsExactly(30L, 0L, 0L);
      assertThat(fixture.hold(1, key(lifetime(100)))).isInstanceOf(Outcome.Unavailable.class);
    }
  }

  /** A store whose {@code append} throws an error. */
  private static final class BrokenStore extends ForwardingLedgerStore {
    BrokenStore(LedgerStore delegate) {
      super(delegate);
    }

    @Override
    public void append(Posting posting) {
      throw new AssertionError("planted by the test");
    }
  }
}
