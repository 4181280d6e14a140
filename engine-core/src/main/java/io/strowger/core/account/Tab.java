package io.strowger.core.account;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Counter;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request may spend, and where it is counted: on the key that sent it and on the account
 * the key belongs to. Every paid act takes a hold here first, on all counters or on none.
 */
public final class Tab {
  private static final String ACCOUNT = "account";

  private final Ledger ledger;
  private final List<Counter> counters;
  private final Instant deadline;

  private Tab(Ledger ledger, List<Counter> counters, Instant deadline) {
    this.ledger = ledger;
    this.counters = counters;
    this.deadline = deadline;
  }

  /**
   * Opens a tab at a moment, which decides the period the spending counts in, also when the request
   * ends in the next one.
   *
   * @param credits what the account may spend in all; null: no limit
   * @param deadline when the request is over at the latest
   */
  public static Tab open(
      Ledger ledger, Caller caller, @Nullable Usd credits, Instant at, Instant deadline) {
    var key = new Counter(caller.owner(), caller.reset().window(at), caller.limit());
    var account = new Counter(ACCOUNT, Period.LIFETIME.window(at), credits);
    return new Tab(ledger, List.of(key, account), deadline);
  }

  /** What the tightest limit leaves now; null when nothing limits the request. */
  public @Nullable Usd remaining() {
    return ledger.remaining(counters);
  }

  public Ledger.Outcome hold(Usd atMost) {
    return ledger.hold(counters, atMost, deadline);
  }
}
