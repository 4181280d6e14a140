package io.strowger.core.account;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a key spent in each of the periods that contain a moment. Contract: "API key", usage.
 *
 * @param settled by period; nothing where there is none
 * @param last when something was spent last; null: never
 */
public record Spending(Map<Period, Charge> settled, @Nullable Instant last) {
  public static final Spending NONE = new Spending(Map.of(), null);

  public Spending {
    settled = Map.copyOf(settled);
  }

  /** May wait for a database. */
  public static Spending of(ApiKey key, Ledger ledger, Instant at) {
    Map<Period, Charge> settled = new EnumMap<>(Period.class);
    Instant last = null;
    for (Period period : Period.values()) {
      Ledger.Balance balance = ledger.balance(key.payer(), period, at);
      settled.put(period, balance.settled());
      last = period == Period.LIFETIME ? balance.last() : last;
    }
    return new Spending(settled, last);
  }

  public Charge in(Period period) {
    return settled.getOrDefault(period, Charge.ZERO);
  }
}
