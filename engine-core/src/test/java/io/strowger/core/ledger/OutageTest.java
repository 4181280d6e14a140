package io.strowger.core.ledger;

import static io.strowger.core.ledger.Till.all;
import static io.strowger.core.ledger.Till.key;
import static io.strowger.core.ledger.Till.per;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.authentication.Caller;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.money.RequestBudget;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("While a store fails, or a limit is lowered,")
class OutageTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");
  private static final long LONG = Duration.ofMinutes(1).toNanos();

  private static final GatewayError TOLD = GatewayError.of(ErrorCode.PAYMENT_REQUIRED);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.open();

  @Test
  @DisplayName(
      "what is in hand is not all the money there is: what needs more is told 503, not 402")
  void unknown() {
    try (var till = new Till(node, ambient)) {
      Payer key = key(all(1600));
      till.granted(10, key);
      node.down = true;
      assertThat(till.hold(200, key)).isInstanceOf(Outcome.Unavailable.class);
      RequestBudget budget = budget(till, key);
      assertThat(budget.remainingBudget().credits())
          .isNotNull()
          .extracting(least -> least.remaining())
          .isEqualTo(new Usd(100));
      assertThat(budget.shortfall(TOLD, null))
          .isNotNull()
          .extracting(GatewayError::code)
          .isEqualTo(ErrorCode.UNAVAILABLE);
      node.down = false;
      assertThat(budget.shortfall(TOLD, null)).as("there is more by now").isNull();
      assertThat(till.standing(key)).containsExactly(0L, 10L, 0L);
    }
  }

  @Test
  @DisplayName("and when it does not, who has spent all is told 402")
  void spent() {
    try (var till = new Till(node, ambient)) {
      Payer key = key(all(1600));
      till.settle(till.granted(1590, key), 1590);
      assertThat(budget(till, key).shortfall(TOLD, null)).isEqualTo(TOLD);
      assertThat(budget(till, key()).shortfall(TOLD, null)).isEqualTo(TOLD);
    }
  }

  @Test
  @DisplayName("and who has money that acts under way hold is told so")
  void held() {
    try (var till = new Till(node, ambient)) {
      Payer key = key(all(1600));
      till.granted(1590, key);
      GatewayError error = Objects.requireNonNull(budget(till, key).shortfall(TOLD, null));
      assertThat(error.message()).endsWith("; $0.00000159 is held by requests under way");
      assertThat(error.retryAfterSeconds()).hasValue(5);
      var answer =
          (RequestBudget.HoldResult.Short) budget(till, key).hold(Charge.credits(new Usd(2000)));
      assertThat(answer.error().message()).contains("held by requests under way");
      assertThat(answer.error().retryAfterSeconds()).as("more than all of it").isEmpty();
    }
  }

  @Test
  @DisplayName("and a key is not told what a whole workspace has left and holds")
  void heldByWorkspace() {
    try (var till = new Till(node, ambient)) {
      Payer workspace = new Payer(Payer.Kind.WORKSPACE, "w", List.of(all(1600)));
      till.granted(1590, workspace);
      GatewayError error = Objects.requireNonNull(budget(till, workspace).shortfall(TOLD, null));
      assertThat(error.code().status()).isEqualTo(403);
      assertThat(error.message()).isEqualTo("The lifetime budget of the workspace is exceeded");
      assertThat(error.metadata().has("budget")).isFalse();
      var answer =
          (RequestBudget.HoldResult.Short)
              budget(till, workspace).hold(Charge.credits(new Usd(2000)));
      assertThat(answer.error().message()).doesNotContain("held");
    }
  }

  private static RequestBudget budget(Till till, Payer payer) {
    var caller = new Caller(new KeyId(1, 2, 3, 4), "a", false, List.of(payer));
    return RequestBudget.open(till.ledger, caller, till.ambient.now(), Till.FAR, null);
  }

  @Test
  @DisplayName("what a hold frees of a limit that is passed is not spent again")
  void freedOfTooMuch() {
    try (var till = new Till(node, ambient)) {
      cluster
          .open()
          .requestSlice(
              new LedgerStore.SliceRequest(ALL, false, new Usd(900), new Usd(2), new Usd(2)));
      Reservation some = till.granted(20, key(all(900)));
      till.granted(80, key(all(900)));
      Payer poorer = key(all(100));
      assertThat(till.hold(0, poorer)).isInstanceOf(Outcome.Refused.class);
      till.settle(some, 19); // 101 of 100
      assertThat(till.hold(0, poorer)).isInstanceOf(Outcome.Refused.class);
      assertThat(till.hold(1, poorer)).isInstanceOf(Outcome.Refused.class);
      assertThat(till.hold(0, key(all(101)))).isInstanceOf(Outcome.Granted.class);
    }
  }

  @Test
  @DisplayName("what could not be given back is given back later")
  void givenBackLater() {
    var leases = new Leases(node, ambient);
    var book = new Book(key(), new Stripes(1));
    Window window = book.windowsFor(Day.of(ambient.now())).window(Period.LIFETIME);
    LocalSlice slice = window.slice(false);
    assertThat(leases.obtain(List.of(new SliceShortfall(book, window, slice, 1600, 10)), LONG))
        .isNull();
    node.down = true;
    assertThatThrownBy(() -> leases.returnUnused(book, window, slice))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(node.granted(ALL)).isEqualTo(110);
    assertThat(slice.covers(0, 10, 1600)).as("it is not spent meanwhile").isFalse();
    assertThat(slice.hasSpare(0)).isTrue();
    node.down = false;
    leases.returnUnused(book, window, slice);
    assertThat(node.granted(ALL)).isZero();
    assertThat(slice.hasSpare(0)).isFalse();
  }

  @Tag("full")
  @Test
  @DisplayName("nobody waits for an answer that does not come, whatever it does and asks for")
  void hangs() {
    try (var till = Till.asServed(node, ambient)) {
      Payer first = key(all(1600));
      till.granted(10, first);
      Payer lowered = key(all(800)); // gives back, then asks
      Payer daily = key(all(1600), per(Period.DAILY, 1600));
      node.hang();
      for (Payer payer : List.of(lowered, daily)) {
        var outcome = CompletableFuture.supplyAsync(() -> till.hold(500, payer));
        assertThat(outcome)
            .succeedsWithin(Duration.ofSeconds(30))
            .isInstanceOf(Outcome.Unavailable.class);
      }
      node.goOn();
      assertThat(till.hold(500, first)).isInstanceOf(Outcome.Granted.class);
    }
  }

  @Test
  @DisplayName("what was granted after nobody waited for it any more is given back")
  void unheard() {
    var leases = new Leases(node, ambient);
    var book = new Book(key(), new Stripes(1));
    Window window = book.windowsFor(Day.of(ambient.now())).window(Period.LIFETIME);
    LocalSlice slice = window.slice(false);
    node.mute = true;
    assertThat(leases.obtain(List.of(new SliceShortfall(book, window, slice, 1600, 10)), LONG))
        .isNotNull();
    assertThat(node.granted(ALL)).isEqualTo(110);
    node.mute = false;
    assertThat(slice.hasSpare(0)).isTrue();
    leases.returnUnused(book, window, slice);
    assertThat(node.granted(ALL)).isZero();
    assertThat(slice.hasSpare(0)).isFalse();
  }

  @Test
  @DisplayName("a limit that is lowered binds, although what it voids cannot be given back")
  void loweredUnseen() {
    try (var till = new Till(node, ambient)) {
      cluster
          .open()
          .requestSlice(
              new LedgerStore.SliceRequest(ALL, false, new Usd(1600), new Usd(40), new Usd(40)));
      till.granted(10, key(all(1600)));
      node.down = true;
      assertThat(till.hold(1, key(all(50)))).isInstanceOf(Outcome.Unavailable.class);
      node.down = false;
      assertThat(till.hold(1, key(all(50)))).isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  @DisplayName("even with an error nobody foresaw a bill is booked, and written down before more")
  void unforeseen() {
    try (var till = new Till(new Broken(new MemoryLedgerStore()), ambient)) {
      Reservation held = till.granted(80, key(all(100)));
      till.settle(held, 30);
      assertThat(till.standing(key())).containsExactly(30L, 0L, 0L);
      assertThat(till.hold(1, key(all(100)))).isInstanceOf(Outcome.Unavailable.class);
    }
  }

  /** A store that has a bug where it writes lines. */
  private record Broken(LedgerStore of) implements LedgerStore {
    @Override
    public Slice requestSlice(SliceRequest ask) {
      return of.requestSlice(ask);
    }

    @Override
    public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
      of.returnUnused(account, withByok, keep);
    }

    @Override
    public void append(Posting posting) {
      throw new AssertionError("a bug");
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      return of.spendingElsewhere(accounts);
    }

    @Override
    public List<LostNode> lostNodes() {
      return of.lostNodes();
    }

    @Override
    public boolean release(String node) {
      return of.release(node);
    }
  }
}
