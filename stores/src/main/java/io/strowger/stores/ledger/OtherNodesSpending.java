package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore.SpendingElsewhere;
import io.strowger.spi.store.Posting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Reads what the other nodes have spent.
 *
 * @param node the id of the node that asks
 */
record OtherNodesSpending(String node) {
  /**
   * Returns what other nodes spent in each of the accounts. The query covers all pairs of their
   * payers and windows; pairs that are not asked for are dropped.
   */
  Map<Posting.Account, SpendingElsewhere> find(
      Handle handle, Collection<Posting.Account> accounts) {
    Map<Posting.Account, SpendingElsewhere> spending = new HashMap<>();
    accounts.forEach(account -> spending.put(account, SpendingElsewhere.NOTHING));
    handle
        .createQuery(
            """
            SELECT payer, span, SUM(credits), SUM(own_keys), MAX(last_at) FROM ledger_spent
            WHERE payer = ANY (:payers) AND span = ANY (:spans) AND node <> :node
            GROUP BY payer, span
            """)
        .bindArray("payers", String.class, distinct(accounts, Posting.Account::payer))
        .bindArray("spans", String.class, distinct(accounts, Posting.Account::window))
        .bind("node", node)
        .map((row, context) -> Map.entry(readAccount(row), readSpending(row)))
        .forEach(entry -> spending.replace(entry.getKey(), entry.getValue()));
    return spending;
  }

  private static Object[] distinct(
      Collection<Posting.Account> accounts, Function<Posting.Account, String> part) {
    return accounts.stream().map(part).distinct().toArray();
  }

  private static Posting.Account readAccount(ResultSet row) throws SQLException {
    return new Posting.Account(row.getString("payer"), row.getString("span"));
  }

  private static SpendingElsewhere readSpending(ResultSet row) throws SQLException {
    var charge =
        new Charge(
            new Usd(row.getBigDecimal(3).longValueExact()),
            new Usd(row.getBigDecimal(4).longValueExact()));
    return new SpendingElsewhere(charge, row.getObject(5, OffsetDateTime.class).toInstant());
  }
}
