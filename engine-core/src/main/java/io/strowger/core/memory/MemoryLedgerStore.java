package io.strowger.core.memory;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The books of a node that is alone and forgets: every limit is granted whole, and nothing is
 * written down that the ledger itself does not know.
 */
public final class MemoryLedgerStore implements LedgerStore {
  private final GenerationStore generations;

  /** With records of its own. */
  public MemoryLedgerStore() {
    this(new MemoryGenerations());
  }

  /**
   * @param generations where records go that come with lines
   */
  public MemoryLedgerStore(GenerationStore generations) {
    this.generations = generations;
  }

  @Override
  public Slice lease(LeaseRequest request) {
    return new Slice(request.limit(), Usd.ZERO);
  }

  @Override
  public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
    // nobody else could use it
  }

  @Override
  public void append(Posting posting) {
    GenerationStore.Generation record = posting.record();
    if (record != null) {
      generations.save(record);
    }
    // the lines the ledger has counted
  }

  @Override
  public Map<Posting.Account, OtherSpending> otherNodesSpending(
      Collection<Posting.Account> accounts) {
    return accounts.stream()
        .distinct()
        .collect(
            Collectors.toUnmodifiableMap(account -> account, account -> OtherSpending.NOTHING));
  }

  @Override
  public List<LostNode> lostNodes() {
    return List.of();
  }

  @Override
  public boolean release(String node) {
    return false;
  }
}
