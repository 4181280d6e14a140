package io.strowger.core.pipeline;

import io.strowger.core.store.ForwardingLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A store that grants no more than the desired amount, and can be made unavailable or fail to
 * write.
 */
final class FaultyLedgerStore extends ForwardingLedgerStore {
  /** While this is true, the store cannot grant, but can still write. */
  volatile boolean unavailable;

  /** What writing lines throws; null for a store that works. */
  volatile @Nullable Throwable failure;

  FaultyLedgerStore(LedgerStore delegate) {
    super(delegate);
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
    super.append(posting);
  }
}
