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
 * The ledger store of a single node without persistence: every limit is granted in full, so a
 * lowered limit lowers the grant. Only records are saved, because the ledger itself keeps the
 * books.
 */
public final class MemoryLedgerStore implements LedgerStore {
  private final GenerationStore generations;

  /** Creates a store with records of its own. */
  public MemoryLedgerStore() {
    this(new MemoryGenerations());
  }

  /**
   * @param generations receives the records that postings contain
   */
  public MemoryLedgerStore(GenerationStore generations) {
    this.generations = generations;
  }

  @Override
  public Slice requestSlice(SliceRequest request) {
    return new Slice(request.limit(), Usd.ZERO);
  }

  @Override
  public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
    // no other node could use it
  }

  @Override
  public void append(Posting posting) {
    GenerationStore.Generation record = posting.record();
    if (record != null) {
      generations.save(record);
    }
    // the ledger itself has counted the lines
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return accounts.stream()
        .distinct()
        .collect(
            Collectors.toUnmodifiableMap(account -> account, account -> SpendingElsewhere.NOTHING));
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
