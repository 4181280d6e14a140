package io.strowger.core.money;

import io.strowger.core.authentication.ApiKey;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Ledger.Spender;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The spending of a key in each of the periods that contain a moment. Contract: "API key", usage.
 *
 * @param charges the charges by period; no entry where there are none
 * @param last when something was last spent; null if never
 */
public record Spending(Map<Period, Charge> charges, @Nullable Instant last) {
  public static final Spending NONE = new Spending(Map.of(), null);

  private static final Period[] PERIODS = Period.values();

  public Spending {
    charges = Map.copyOf(charges);
  }

  /** Returns the spending of a key. May wait for a database, which is queried once. */
  public static Spending of(ApiKey key, Ledger ledger, Instant at) {
    return of(List.of(key), ledger, at).getFirst();
  }

  /**
   * Returns the spending of many keys, also with one query.
   *
   * @return the spending of each key, in the same order
   */
  public static List<Spending> of(List<ApiKey> keys, Ledger ledger, Instant at) {
    List<Spender> spenders =
        keys.stream()
            .map(ApiKey::payer)
            .flatMap(payer -> Stream.of(PERIODS).map(period -> new Spender(payer, period)))
            .toList();
    Iterator<Ledger.Balance> balances = ledger.balances(spenders, at).iterator();
    return keys.stream().map(key -> next(balances)).toList();
  }

  private static Spending next(Iterator<Ledger.Balance> balances) {
    Map<Period, Charge> charges = new EnumMap<>(Period.class);
    Instant last = null;
    for (Period period : PERIODS) {
      Ledger.Balance balance = balances.next();
      charges.put(period, balance.settled());
      last = period == Period.LIFETIME ? balance.last() : last;
    }
    return new Spending(charges, last);
  }

  public Charge in(Period period) {
    return charges.getOrDefault(period, Charge.ZERO);
  }
}
