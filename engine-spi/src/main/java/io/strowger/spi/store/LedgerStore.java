package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the books of one node are kept, alone or together with other nodes. What may be spent is
 * handed out in slices: a node spends a slice without asking again, and what all nodes were granted
 * of a budget never exceeds its limit, whatever becomes of them.
 *
 * <p>The slice of a node that is gone counts as spent until its journal was read, or until an
 * operator releases it.
 *
 * <p>Safe on any thread. Every method but {@link #append} may wait for a database, at most two
 * seconds, and then throws {@link StoreUnavailableException}.
 */
public interface LedgerStore {
  /**
   * Asks that this node may spend more of a budget.
   *
   * @param account where the spending counts
   * @param withOwnKeys what counts of a {@link Charge}: {@link Charge#counted}
   * @param limit of the budget, for all nodes together
   * @param need what this node must be granted in all since it began, to go on at all
   * @param want what it would like to be granted in all since it began; at least {@code need}
   */
  record Ask(Posting.Account account, boolean withOwnKeys, Usd limit, Usd need, Usd want) {}

  /**
   * What this node may spend.
   *
   * @param granted in all since it began, what it has spent of it included; as large as the last
   *     answer or larger, but for what it gave back
   * @param left of the limit, granted to nobody; below zero when more was spent or granted than the
   *     limit is
   */
  record Slice(Usd granted, Usd left) {}

  /**
   * What was spent in an account by everybody else, and by this node before it began.
   *
   * @param charge in all
   * @param last when something was spent last; null: never
   */
  record Elsewhere(Charge charge, @Nullable Instant last) {
    public static final Elsewhere NOTHING = new Elsewhere(Charge.ZERO, null);
  }

  /**
   * A node that is gone, and the money that cannot be spent because of it.
   *
   * @param id of the node
   * @param since when it was last seen
   * @param granted granted to it and not known to be spent
   */
  record Stranded(String id, Instant since, Usd granted) {}

  /**
   * Asks for a slice. Grants as much as it can up to {@code want}, but nothing more when the budget
   * does not leave {@code need}: what there is then stays for whoever needs less. Repeating a
   * question is harmless, and so is an answer that nobody waited for: answers say what was granted
   * in all. Of one account and one way of counting there is one question at a time, giving back
   * included.
   */
  Slice lease(Ask ask);

  /**
   * Gives back what a slice has over.
   *
   * @param keep what stays granted in all; at least what this node spent and holds
   */
  void giveBack(Posting.Account account, boolean withOwnKeys, Usd keep);

  /**
   * Writes lines down, with the record that comes with them. When it returns they survive the end
   * of the process, and {@link GenerationStore#find} of the same {@link Stores} finds the record;
   * they reach other nodes later. Waits for no database. A line that was written before is not
   * written again: a posting that failed may be tried once more.
   *
   * @throws StoreUnavailableException when it cannot; nothing further may then be spent
   */
  void append(Posting posting);

  /**
   * What others spent, as far as it is known by now: the same moment for all accounts, and one
   * question to a database however many they are.
   *
   * @return of every account asked for; {@link Elsewhere#NOTHING} where nothing was spent
   */
  Map<Posting.Account, Elsewhere> elsewhere(Collection<Posting.Account> accounts);

  /** Nodes that are gone and hold slices. */
  List<Stranded> stranded();

  /**
   * An operator vouches that a node is gone and that what it had not written down was not spent.
   *
   * @return false when there is no such node, or it is alive
   */
  boolean release(String node);
}
