package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Ledger.Outcome;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Payer;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.JdbcStores;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.TestAmbient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A node whose database is frozen")
@SuppressWarnings("NullAway.Init") // before each
class FrozenDatabaseTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Usd LIMIT = new Usd(1_000_000_000_000L);
  private static final Duration FROZEN = Duration.ofSeconds(Integer.getInteger("frozen", 5));

  /** Nanoseconds from one act to the next. */
  private static final long EVERY = 200_000;

  /** What two seconds are on a busy machine. */
  private static final Duration TWO_SECONDS = Duration.ofMillis(2300);

  @TempDir private Path directory;
  private FreezingProxy proxy;
  private JdbcStores stores;
  private BookLedger ledger;
  private long spent;

  @BeforeEach
  void open() throws Exception {
    SERVER.node(0);
    proxy = FreezingProxy.start(SERVER.port());
    String url = SERVER.url().replace(":" + SERVER.port() + "/", ":" + proxy.port() + "/");
    stores =
        JdbcStores.open(
            new JdbcStores.Settings(url, ServerExtension.USER, Credential.NONE, directory),
            new JacksonCodec(),
            SERVER.ambient());
    ledger = new BookLedger(stores.ledger(), SERVER.ambient());
  }

  @AfterEach
  void close() {
    proxy.freeze(false);
    ledger.close();
    stores.close();
    proxy.close();
  }

  private static Payer payer() {
    var budget = new Budget(Period.LIFETIME, LIMIT, false);
    return new Payer(Payer.Kind.KEY, UUID.randomUUID().toString(), List.of(budget));
  }

  private static Posting.Account account(Payer payer) {
    return new Posting.Account(payer.toString(), "all");
  }

  private Outcome hold(Payer payer) {
    TestAmbient ambient = SERVER.ambient();
    long deadline = ambient.nanoTime() + Duration.ofSeconds(60).toNanos();
    return ledger.hold(
        new Ledger.Claim(List.of(payer), Charge.credits(new Usd(100)), ambient.now(), deadline));
  }

  /**
   * Holds and settles for so long, at a rate that a database keeps up with; the 99th percentile in
   * nanoseconds.
   */
  private long spend(Payer payer, Duration time) {
    long[] took = new long[(int) (time.toNanos() / EVERY)];
    int acts = 0;
    long due = System.nanoTime();
    while (acts < took.length) {
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      due += EVERY;
      long began = System.nanoTime();
      Outcome outcome = hold(payer);
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
      if (outcome instanceof Outcome.Granted granted) {
        granted.reservation().settle(List.of(entry()));
      }
      took[acts++] = System.nanoTime() - began;
      spent += 70;
    }
    Arrays.sort(took, 0, acts);
    return took[(int) (acts * 0.99)];
  }

  private static Entry entry() {
    return new Entry(
        "gen-" + UUID.randomUUID(),
        0,
        Instant.EPOCH,
        "acme/large",
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        Charge.credits(new Usd(70)));
  }

  @Test
  @DisplayName(
      "goes on as fast as before with a slice in hand, says 503 without, and leaks nothing")
  void frozen() {
    Payer rich = payer();
    Payer stranger = payer();
    spend(rich, Duration.ofMillis(500)); // warms up
    long before = spend(rich, Duration.ofSeconds(2));
    proxy.freeze(true);
    long during = spend(rich, FROZEN);
    assertThat(during).as("p99 in ns, against %d before", before).isLessThan(before + 1_000_000);
    long began = System.nanoTime();
    assertThat(hold(stranger)).isInstanceOf(Outcome.Unavailable.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TWO_SECONDS);
    proxy.freeze(false);

    Outcome outcome = hold(stranger);
    for (int i = 0; i < 20 && outcome instanceof Outcome.Unavailable; i++) {
      outcome = hold(stranger);
    }
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    if (outcome instanceof Outcome.Granted granted) {
      granted.reservation().release();
    }
    spend(rich, Duration.ofMillis(200));
    checkTheBooks(rich, stranger);
  }

  /** Everything that was spent is known, and everything else can be spent. */
  private void checkTheBooks(Payer rich, Payer stranger) {
    ledger.close();
    LedgerStore other = SERVER.node(0).ledger();
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    var spending = new Spending(account(rich));
    long known = 0;
    while (known < spent && System.nanoTime() < end) {
      known = spending.elsewhere(other);
    }
    assertThat(known).as("what the books say").isEqualTo(spent);
    assertThat(all(other, rich)).isEqualTo(LIMIT.minus(new Usd(known)));
    assertThat(all(other, stranger)).isEqualTo(LIMIT);
  }

  private static Usd all(LedgerStore store, Payer payer) {
    var ask = new LedgerStore.Ask(account(payer), false, LIMIT, Usd.ZERO, LIMIT);
    return store.lease(ask).granted();
  }

  @Test
  @DisplayName("waits no longer than two seconds for anything, and writes lines down at once")
  void bounded() {
    Posting.Account account = account(payer());
    LedgerStore store = stores.ledger();
    var ask = new LedgerStore.Ask(account, false, LIMIT, Usd.ZERO, new Usd(100));
    proxy.freeze(true);
    assertUnavailable(() -> store.lease(ask));
    assertUnavailable(() -> store.giveBack(account, false, Usd.ZERO));
    assertUnavailable(() -> store.elsewhere(List.of(account)));
    assertUnavailable(store::stranded);
    assertUnavailable(() -> store.release("nobody"));
    long began = System.nanoTime();
    store.append(new Posting(List.of(entry()), List.of(account)));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(500));
    proxy.freeze(false);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    long began = System.nanoTime();
    assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TWO_SECONDS);
  }
}
