package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives one node access to the ledger, which other nodes may share. The right to spend is granted
 * in slices: a node spends its slice without asking again. No grant makes the total of all nodes
 * exceed the limit of a budget, whatever happens to the nodes; only lowering the limit can leave
 * more granted than it allows.
 *
 * <p>The slice of a node that is gone counts as spent until its journal has been read, or until an
 * operator releases it.
 *
 * <p>Safe on any thread. Every method but {@link #append} may wait for a database, at most two
 * seconds, and then throws {@link StoreUnavailableException}.
 */
public interface LedgerStore {
  /**
   * A request that a node may spend more of a budget.
   *
   * @param account the payer and window in which the spending counts
   * @param includeByok whether BYOK costs count, as in {@link Charge#budgetAmount}
   * @param limit the limit of the budget, for all nodes together
   * @param minGrant the smallest total grant, counted since this node started, that is enough for
   *     the node to go on
   * @param desiredGrant the total grant that the node would like; at least {@code minGrant}
   */
  record SliceRequest(
      Posting.Account account, boolean includeByok, Usd limit, Usd minGrant, Usd desiredGrant) {}

  /**
   * The part of a budget that is granted to this node.
   *
   * @param granted the total granted since the node started, including what the node has spent;
   *     never less than in the previous answer, except for what the node returned; a store of a
   *     single node may also lower it together with the limit
   * @param unallocated the part of the limit that is granted to no node; negative when the limit
   *     was lowered below what is granted, or when nodes spent more than they were granted
   */
  record Slice(Usd granted, Usd unallocated) {}

  /**
   * The amount that was spent in an account by all other nodes, and by this node before it started.
   *
   * @param charge the total
   * @param lastSpentAt when money was last spent; null: never
   */
  record SpendingElsewhere(Charge charge, @Nullable Instant lastSpentAt) {
    public static final SpendingElsewhere NOTHING = new SpendingElsewhere(Charge.ZERO, null);
  }

  /**
   * A node that is gone, and the money that cannot be spent because it was granted to that node.
   *
   * @param id the id of the node
   * @param lastSeen when the node was last seen
   * @param granted the amount granted to it and not known to be spent
   */
  record LostNode(String id, Instant lastSeen, Usd granted) {}

  /**
   * Requests a slice. Grants as much as possible, up to {@code desiredGrant}. When the budget has
   * less left than {@code minGrant} requires, nothing more is granted, so that the rest stays for
   * nodes that need less. The answer states the total grant, so a request may be repeated when its
   * answer was lost. For one account and one value of {@code includeByok}, the engine has at most
   * one call of this method or of {@link #returnUnused} in progress at a time.
   */
  Slice requestSlice(SliceRequest request);

  /**
   * Gives back the unused part of a slice.
   *
   * @param retained the total that stays granted; at least what this node has spent and holds
   */
  void returnUnused(Posting.Account account, boolean includeByok, Usd retained);

  /**
   * Writes entries and the record that comes with them. When this returns, both survive the end of
   * the process, and {@link GenerationStore#find} of the same {@link Stores} finds the record;
   * other nodes see both later. Waits for no database. An entry that was written before is not
   * written again, so a posting that failed may be repeated.
   *
   * @throws StoreUnavailableException when they cannot be written; the engine then spends no more
   *     money
   */
  void append(Posting posting);

  /**
   * Returns the amounts that other nodes, and this node before it started, have spent, as far as
   * they are known. All accounts are read as of one moment, with a single query.
   *
   * @return an entry for every given account; {@link SpendingElsewhere#NOTHING} if nothing was
   *     spent
   */
  Map<Posting.Account, SpendingElsewhere> spendingElsewhere(Collection<Posting.Account> accounts);

  /** Returns the nodes that are gone and still have slices. */
  List<LostNode> lostNodes();

  /**
   * Releases the slices of a node after an operator has confirmed that the node is gone and that it
   * spent nothing beyond what it wrote.
   *
   * @return false when there is no such node, or it is alive
   */
  boolean release(String node);
}
