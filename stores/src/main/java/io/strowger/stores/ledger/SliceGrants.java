package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore.Slice;
import io.strowger.spi.store.LedgerStore.SliceRequest;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Grants slices of budgets. A transaction that grants a slice locks the account's row until it
 * ends. The larger of what a node was granted and what it has spent is not available to other
 * nodes.
 *
 * @param node the id of the node that asks
 */
record SliceGrants(String node) {
  private static final int MAX_TRIES = 5;
  private static final String INSERT =
      """
      INSERT INTO ledger_slice (payer, span, with_own_keys, node, granted, turn)
      VALUES (:payer, :span, :include_byok, :node, :granted, :request_number) ON CONFLICT DO NOTHING
      """;

  /** The account of a slice, and whether the cost of BYOK keys is included. */
  private record Budget(Posting.Account account, boolean includeByok) {}

  /**
   * Grants a slice; the caller may have stopped waiting for the answer.
   *
   * @param requestNumber larger than the numbers of this node's earlier requests
   */
  Slice grant(Handle handle, SliceRequest request, long requestNumber) {
    lock(handle, request.account());
    rejectReleasedNode(handle);
    AccountGrants state = state(handle, request);
    long notTakenByOthers = request.limit().nanos() - state.takenByOthers;
    if (state.requestNumber > requestNumber) {
      return answer(state.granted, notTakenByOthers, state);
    }
    long need = request.minGrant().nanos();
    long target =
        need <= notTakenByOthers
            ? Math.min(request.desiredGrant().nanos(), notTakenByOthers)
            : state.granted;
    long granted = Math.max(state.granted, target);
    write(handle, request, granted, requestNumber);
    return answer(granted, notTakenByOthers, state);
  }

  private static Slice answer(long granted, long notTakenByOthers, AccountGrants state) {
    long remaining = notTakenByOthers - Math.max(granted, state.spent);
    return new Slice(new Usd(granted), new Usd(remaining));
  }

  private static void lock(Handle handle, Posting.Account account) {
    // the row may have been rolled back by its creator, or deleted by the pruning
    for (int i = 0; i < MAX_TRIES; i++) {
      if (tryLock(handle, account)) {
        return;
      }
      bindAccount(
              handle.createUpdate(
                  "INSERT INTO ledger_account (payer, span) VALUES (:payer, :span)"
                      + " ON CONFLICT DO NOTHING"),
              account)
          .execute();
    }
    throw new StoreUnavailableException(
        "the row of " + account + " is inserted and deleted concurrently", null);
  }

  private static boolean tryLock(Handle handle, Posting.Account account) {
    return bindAccount(
            handle.createQuery(
                "SELECT payer FROM ledger_account WHERE payer = :payer AND span = :span"
                    + " FOR UPDATE"),
            account)
        .mapTo(String.class)
        .findOne()
        .isPresent();
  }

  private static <S extends SqlStatement<S>> S bindAccount(S statement, Posting.Account account) {
    return statement.bind("payer", account.payer()).bind("span", account.window());
  }

  /**
   * Fails when an operator released this node while it was running: other nodes may now have what
   * it would spend.
   */
  private void rejectReleasedNode(Handle handle) {
    if (!lockNodeIfAlive(handle)) {
      throw new StoreUnavailableException(
          "an operator released this node while it was running; restart it to spend again", null);
    }
  }

  private boolean lockNodeIfAlive(Handle handle) {
    return handle
        .select("SELECT id FROM ledger_node WHERE id = ? AND NOT ended FOR UPDATE", node)
        .mapTo(String.class)
        .findOne()
        .isPresent();
  }

  /**
   * What this node was granted and has spent in one account, and what other nodes have taken of it.
   */
  private static final class AccountGrants {
    private long takenByOthers; // granted to others or spent by them
    private long granted;
    private long spent;
    private long requestNumber;
  }

  private AccountGrants state(Handle handle, SliceRequest request) {
    var state = new AccountGrants();
    bindAccount(
            handle.createQuery(
                """
                SELECT node, MAX(granted) AS granted, MAX(spent) AS spent, MAX(turn) AS turn
                FROM (
                  SELECT node, granted, 0 AS spent, turn FROM ledger_slice
                  WHERE payer = :payer AND span = :span AND with_own_keys = :include_byok
                  UNION ALL
                  SELECT node, 0, credits + CASE WHEN :include_byok THEN own_keys ELSE 0 END, 0
                  FROM ledger_spent WHERE payer = :payer AND span = :span
                ) AS nodes
                GROUP BY node
                """),
            request.account())
        .bind("include_byok", request.includeByok())
        .map((row, context) -> add(state, row))
        .list();
    return state;
  }

  private AccountGrants add(AccountGrants state, ResultSet row) throws SQLException {
    if (row.getString("node").equals(node)) {
      state.granted = row.getLong("granted");
      state.spent = row.getLong("spent");
      state.requestNumber = row.getLong("turn");
    } else {
      long taken = Math.max(row.getLong("granted"), row.getLong("spent"));
      state.takenByOthers = Math.addExact(state.takenByOthers, taken);
    }
    return state;
  }

  private void write(Handle handle, SliceRequest request, long granted, long requestNumber) {
    String update =
        """
        UPDATE ledger_slice SET granted = :granted, turn = :request_number
        WHERE payer = :payer AND span = :span AND with_own_keys = :include_byok AND node = :node
        """;
    var budget = new Budget(request.account(), request.includeByok());
    if (put(handle, update, budget, granted, requestNumber) == 0
        && put(handle, INSERT, budget, granted, requestNumber) == 0) {
      throw new IllegalStateException("another transaction has written the same slice");
    }
  }

  private int put(Handle handle, String sql, Budget budget, long granted, long requestNumber) {
    return bindAccount(handle.createUpdate(sql), budget.account())
        .bind("include_byok", budget.includeByok())
        .bind("node", node)
        .bind("granted", granted)
        .bind("request_number", requestNumber)
        .execute();
  }

  /**
   * Lowers what was granted, unless the node has asked for a slice since. An earlier request that
   * is answered after this call is granted nothing more, since nobody waits for its answer any
   * more.
   *
   * @param retained the total that stays granted
   * @return false when the node has ended, or has asked for a slice since
   */
  boolean giveBack(
      Handle handle,
      Posting.Account account,
      boolean includeByok,
      Usd retained,
      long requestNumber) {
    lock(handle, account);
    if (!lockNodeIfAlive(handle)) {
      return false; // an ended node holds no slices
    }
    String update =
        """
        UPDATE ledger_slice SET granted = LEAST(granted, :granted), turn = :request_number
        WHERE payer = :payer AND span = :span AND with_own_keys = :include_byok
          AND node = :node AND turn < :request_number
        """;
    var budget = new Budget(account, includeByok);
    return put(handle, update, budget, retained.nanos(), requestNumber) > 0
        || put(handle, INSERT, budget, 0, requestNumber) > 0;
  }
}
