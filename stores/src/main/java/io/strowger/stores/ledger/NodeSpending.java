package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore.SpendingElsewhere;
import io.strowger.spi.store.Posting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The table of what each node spent in each account. All transactions lock its rows in the order of
 * accounts.
 */
final class NodeSpending {
  /**
   * The maximum number of accounts that are folded in one transaction, so that other transactions
   * wait only briefly.
   */
  static final int MAX_FOLDED = 500;

  private static final Comparator<Posting.Account> ORDER =
      Comparator.comparing(Posting.Account::payer).thenComparing(Posting.Account::window);

  private NodeSpending() {}

  /**
   * The sum spent in an account.
   *
   * @param last the time of the last spending
   */
  record Sum(Charge charge, Instant last) {
    Sum plus(Sum other) {
      return new Sum(charge.plus(other.charge), last.isAfter(other.last) ? last : other.last);
    }
  }

  /** Returns an empty map in the order of accounts, for {@link #addSpending}. */
  static SortedMap<Posting.Account, Sum> sums() {
    return new TreeMap<>(ORDER);
  }

  /** Adds to what a node spent. Only the node itself writes these rows while it is alive. */
  static void addSpending(Handle handle, String node, SortedMap<Posting.Account, Sum> sums) {
    var accounts = new ArrayList<>(sums.entrySet());
    PreparedBatch update =
        handle.prepareBatch(
            """
            UPDATE ledger_spent SET credits = credits + :credits, own_keys = own_keys + :byok,
              last_at = GREATEST(last_at, CAST(:last AS TIMESTAMP(6) WITH TIME ZONE))
            WHERE payer = :payer AND span = :span AND node = :node
            """);
    accounts.forEach(account -> add(update, node, account));
    int[] updated = update.execute();
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO ledger_spent (payer, span, node, credits, own_keys, last_at)
            VALUES (:payer, :span, :node, :credits, :byok, :last)
            """);
    for (int i = 0; i < updated.length; i++) {
      if (updated[i] == 0) {
        add(insert, node, accounts.get(i));
      }
    }
    if (insert.size() > 0) {
      insert.execute();
    }
  }

  private static void add(
      PreparedBatch batch, String node, Map.Entry<Posting.Account, Sum> account) {
    Sum sum = account.getValue();
    batch
        .bind("payer", replaceNul(account.getKey().payer()))
        .bind("span", account.getKey().window())
        .bind("node", node)
        .bind("credits", sum.charge().credits().nanos())
        .bind("byok", sum.charge().byokCost().nanos())
        .bind("last", sum.last().atOffset(ZoneOffset.UTC))
        .add();
  }

  /** Replaces NUL, which a server's text cannot hold: money must not be refused for that. */
  private static String replaceNul(String value) {
    return value.indexOf('\0') < 0 ? value : value.replace('\0', '\uFFFD');
  }

  /**
   * Moves some sums of an ended node, which holds no slices, to those of all ended nodes. The rows
   * are locked as they are read, so no other transaction adds to them or moves them meanwhile;
   * later spending makes new rows. Only one transaction at a time adds to the ended nodes' sums.
   *
   * @return the number of accounts moved; fewer than {@link #MAX_FOLDED} when none are left for
   *     this caller
   */
  static int fold(Handle handle, String id) {
    if (id.equals(Nodes.ENDED_NODES)) {
      throw new IllegalArgumentException("the sums of ended nodes cannot be folded again");
    }
    SortedMap<Posting.Account, Sum> sums = lockSums(handle, id);
    if (sums.isEmpty()) {
      return 0;
    }
    Nodes.lockEndedNodes(handle);
    addSpending(handle, Nodes.ENDED_NODES, sums);
    PreparedBatch delete =
        handle.prepareBatch(
            "DELETE FROM ledger_spent WHERE payer = :payer AND span = :span AND node = :node");
    for (Posting.Account account : sums.keySet()) {
      delete.bind("payer", account.payer()).bind("span", account.window()).bind("node", id).add();
    }
    delete.execute();
    return sums.size();
  }

  private static SortedMap<Posting.Account, Sum> lockSums(Handle handle, String id) {
    SortedMap<Posting.Account, Sum> sums = sums();
    handle
        .select(
            """
            SELECT payer, span, credits, own_keys, last_at FROM ledger_spent WHERE node = ?
            ORDER BY payer, span LIMIT ? FOR UPDATE
            """,
            id,
            MAX_FOLDED)
        .map((row, context) -> put(sums, row))
        .list();
    return sums;
  }

  private static Sum put(Map<Posting.Account, Sum> sums, ResultSet row) throws SQLException {
    var charge = new Charge(new Usd(row.getLong("credits")), new Usd(row.getLong("own_keys")));
    var sum = new Sum(charge, row.getObject("last_at", OffsetDateTime.class).toInstant());
    sums.put(new Posting.Account(row.getString("payer"), row.getString("span")), sum);
    return sum;
  }

  /**
   * Returns what the nodes other than {@code node} spent in each of the accounts. The query covers
   * all pairs of their payers and windows; pairs that are not asked for are dropped.
   */
  static Map<Posting.Account, SpendingElsewhere> ofOthers(
      Handle handle, String node, Collection<Posting.Account> accounts) {
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
