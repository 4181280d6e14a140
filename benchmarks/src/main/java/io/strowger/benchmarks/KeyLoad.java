package io.strowger.benchmarks;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger.Claim;
import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keys of one account, each with a daily limit, and a ledger they spend from. */
final class KeyLoad implements AutoCloseable {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final long TEN_MINUTES = 600_000_000_000L;

  private final Map<KeyId, Authenticator.LiveKey> keys = new HashMap<>();
  private final Authenticator authenticator = new Authenticator(keys::get, () -> NOW);
  private final String[] headers;
  private final BookLedger ledger;
  private final long deadline;
  private final Charge holdAmount = Charge.credits(new Usd(500_000));

  KeyLoad(LedgerStore store, int keyCount) {
    var ambient = new SystemAmbient();
    ledger = new BookLedger(store, ambient);
    deadline = ambient.nanoTime() + TEN_MINUTES;
    headers = new String[keyCount];
    var credits = new Budget(Period.LIFETIME, new Usd(Long.MAX_VALUE / 2), false);
    Payer account = Payer.account(List.of(credits));
    for (int i = 0; i < keyCount; i++) {
      String secret = "sk-gw-v1-" + "0123456789abcdef".repeat(3) + i;
      KeyId id = Authenticator.id(new Credential(secret));
      var limit = new Budget(Period.DAILY, new Usd(1_000_000_000_000L), false);
      var key = new Payer(Payer.Kind.KEY, id.hex(), List.of(limit));
      var caller = new Caller(id, "k" + i, false, List.of(key, account));
      keys.put(id, new Authenticator.LiveKey(caller, false, null));
      headers[i] = "Bearer " + secret;
    }
  }

  /** Returns the value of {@code Authorization} for a key. */
  String header(int key) {
    return headers[key];
  }

  /** Returns the ledger entry of a call that cost a nanodollar. */
  static List<LedgerEntry> bill(String generation) {
    return List.of(
        new LedgerEntry(
            generation,
            0,
            NOW,
            "acme",
            "",
            CallRecord.Outcome.COMPLETE,
            Usage.NONE,
            Charge.credits(new Usd(1))));
  }

  /** Authenticates a key, holds money for it and settles. */
  Caller admitHoldSettle(int key, List<LedgerEntry> bill) {
    Caller caller = authenticator.admit(headers[key], KeyRequirement.INFERENCE);
    var claim = new Claim(caller.payers(), holdAmount, NOW, deadline);
    if (ledger.hold(claim) instanceof Outcome.Granted granted) {
      granted.reservation().settle(bill);
      return caller;
    }
    throw new IllegalStateException("no money");
  }

  /** Ends the ledger's thread. */
  @Override
  public void close() {
    ledger.close();
  }
}
