package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores the ledger of one node, which may share it with other nodes. What may be spent is handed
 * out in slices: a node spends a slice without asking again, and what all nodes were granted of a
 * budget never exceeds its limit, whatever becomes of them.
 *
 * <p>The slice of a node that is gone counts as spent until its journal was read, or until an
 * operator releases it.
 *
 * <p>Safe on any thread. Every method but {@link #append} may wait for a database, at most two
 * seconds, and then throws {@link StoreUnavailableException}.
 */
public interface LedgerStore {
  /**
   * A request that this node may spend more of a budget.
   *
   * @param account where the spending counts
   * @param withByok what counts of a {@link Charge}: {@link Charge#counted}
   * @param limit of the budget, for all nodes together
   * @param need the least total, since this node began, with which it can go on
   * @param want the total it would like to have; at least {@code need}
   */
  record LeaseRequest(Posting.Account account, boolean withByok, Usd limit, Usd need, Usd want) {}

  /**
   * The part of a budget that is granted to this node.
   *
   * @param granted in all since it began, including what it has spent; never less than the answer
   *     before, except for what it gave back
   * @param left the part of the limit that is granted to no node; negative when more was spent or
   *     granted than the limit
   */
  record Slice(Usd granted, Usd left) {}

  /**
   * What was spent in an account by all other nodes, and by this node before it began.
   *
   * @param charge in all
   * @param last when something was spent last; null: never
   */
  record OtherSpending(Charge charge, @Nullable Instant last) {
    public static final OtherSpending NOTHING = new OtherSpending(Charge.ZERO, null);
  }

  /**
   * A node that is gone, and the money that cannot be spent because of that.
   *
   * @param id of the node
   * @param since when it was last seen
   * @param granted granted to it and not known to be spent
   */
  record LostNode(String id, Instant since, Usd granted) {}

  /**
   * Asks for a slice. Grants as much as it can up to {@code want}; when the budget does not leave
   * {@code need}, it grants nothing more, so that the rest stays for nodes that need less. Answers
   * say what was granted in all, so a request may be repeated, and an answer may be lost. For one
   * account and one way of counting, the engine has one request or {@link #returnUnused} under way
   * at a time.
   */
  Slice lease(LeaseRequest request);

  /**
   * Returns the unused part of a slice.
   *
   * @param keep what stays granted in all; at least what this node spent and holds
   */
  void returnUnused(Posting.Account account, boolean withByok, Usd keep);

  /**
   * Writes entries and the record that comes with them. When this returns they survive the end of
   * the process, and {@link GenerationStore#find} of the same {@link Stores} finds the record; they
   * reach other nodes later. Waits for no database. An entry that was written before is not written
   * again, so a posting that failed may be repeated.
   *
   * @throws StoreUnavailableException when they cannot be written; the engine then spends nothing
   *     more
   */
  void append(Posting posting);

  /**
   * Returns what others spent, as far as it is known: as of one moment for all accounts, with one
   * query however many they are.
   *
   * @return of every account asked for; {@link OtherSpending#NOTHING} where nothing was spent
   */
  Map<Posting.Account, OtherSpending> otherNodesSpending(Collection<Posting.Account> accounts);

  /** Returns the nodes that are gone and still hold slices. */
  List<LostNode> lostNodes();

  /**
   * Releases the slices of a node, on the word of an operator that the node is gone and that
   * nothing was spent which it did not write.
   *
   * @return false when there is no such node, or it is alive
   */
  boolean release(String node);
}
