package io.strowger.core.pipeline;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A store that grants no more than the desired amount, and can be made unavailable or fail to
 * write.
 */
final class FaultyLedgerStore implements LedgerStore {
  private final LedgerStore delegate;

  /** While this is true, the store cannot grant, but can still write. */
  volatile boolean unavailable;

  /** What writing lines throws; null for a store that works. */
  volatile @Nullable Throwable failure;

  FaultyLedgerStore(LedgerStore delegate) {
    this.delegate = delegate;
  }

  @Override
  public Slice requestSlice(SliceRequest ask) {
    if (unavailable) {
      throw new StoreUnavailableException("planted by the test", null);
    }
    Usd granted = ask.desiredGrant().isMoreThan(ask.limit()) ? ask.limit() : ask.desiredGrant();
    return new Slice(granted, ask.limit().minus(granted));
  }

  @Override
  public void append(Posting posting) {
    FaultyLedger.raise(failure);
    delegate.append(posting);
  }

  @Override
  public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
    delegate.returnUnused(account, withByok, keep);
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return delegate.spendingElsewhere(accounts);
  }

  @Override
  public List<LostNode> lostNodes() {
    return delegate.lostNodes();
  }

  @Override
  public boolean release(String node) {
    return delegate.release(node);
  }
}
