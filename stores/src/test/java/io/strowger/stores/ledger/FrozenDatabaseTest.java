package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.JdbcStores;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.TestAmbient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@DisplayName("A node whose database is frozen")
@SuppressWarnings("NullAway.Init") // before each
class FrozenDatabaseTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Usd LIMIT = new Usd(1_000_000_000_000L);
  private static final Duration FREEZE_TIME = Duration.ofSeconds(Integer.getInteger("frozen", 5));

  /** The time from one hold to the next. */
  private static final long HOLD_INTERVAL_NANOS = 200_000;

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

  /** Holds and settles for this time, at a rate that a database can keep up with. */
  private void spend(Payer payer, Duration time) {
    long holds = time.toNanos() / HOLD_INTERVAL_NANOS;
    long due = System.nanoTime();
    for (long i = 0; i < holds; i++) {
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      due += HOLD_INTERVAL_NANOS;
      Outcome outcome = hold(payer);
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
      if (outcome instanceof Outcome.Granted granted) {
        granted.reservation().settle(List.of(entry()));
      }
      spent += 70;
    }
  }

  private static LedgerEntry entry() {
    return new LedgerEntry(
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
  @DisplayName("grants from a slice that it has, is unavailable without one, and loses no money")
  void frozen() {
    Payer knownPayer = payer();
    Payer newPayer = payer();
    spend(knownPayer, Duration.ofMillis(500)); // warms up
    spend(knownPayer, Duration.ofSeconds(1));
    proxy.freeze(true);
    spend(knownPayer, FREEZE_TIME); // each hold is granted, which the database cannot have done
    assertThat(hold(newPayer)).isInstanceOf(Outcome.Unavailable.class);
    proxy.freeze(false);

    Outcome outcome = hold(newPayer);
    for (int i = 0; i < 20 && outcome instanceof Outcome.Unavailable; i++) {
      outcome = hold(newPayer);
    }
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    if (outcome instanceof Outcome.Granted granted) {
      granted.reservation().release();
    }
    spend(knownPayer, Duration.ofMillis(200));
    assertBooks(knownPayer, newPayer);
  }

  /** Asserts that all spending is known, and that everything else can be granted. */
  private void assertBooks(Payer knownPayer, Payer newPayer) {
    ledger.close();
    LedgerStore other = SERVER.node(0).ledger();
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    var spending = new TestAccount(account(knownPayer));
    long known = 0;
    while (known < spent && System.nanoTime() < end) {
      known = spending.spentElsewhere(other);
    }
    assertThat(known).as("the sum of the books").isEqualTo(spent);
    assertThat(requestAll(other, knownPayer)).isEqualTo(LIMIT.minus(new Usd(known)));
    assertThat(requestAll(other, newPayer)).isEqualTo(LIMIT);
  }

  private static Usd requestAll(LedgerStore store, Payer payer) {
    var request = new LedgerStore.SliceRequest(account(payer), false, LIMIT, Usd.ZERO, LIMIT);
    return store.requestSlice(request).granted();
  }

  @Test
  @DisplayName("abandons each request to the database meanwhile, and still appends lines")
  void bounded() {
    Posting.Account account = account(payer());
    LedgerStore store = stores.ledger();
    var request = new LedgerStore.SliceRequest(account, false, LIMIT, Usd.ZERO, new Usd(100));
    proxy.freeze(true);
    assertUnavailable(() -> store.requestSlice(request));
    assertUnavailable(() -> store.returnUnused(account, false, Usd.ZERO));
    assertUnavailable(() -> store.spendingElsewhere(List.of(account)));
    assertUnavailable(store::lostNodes);
    assertUnavailable(() -> store.release("nobody"));
    store.append(new Posting(List.of(entry()), List.of(account)));
    proxy.freeze(false);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
  }
}
