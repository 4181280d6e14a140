package io.strowger.core.pipeline;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store that grants no more than it is asked for, can be away, and can fail to write. */
final class FaultyLedgerStore implements LedgerStore {
  private final LedgerStore sound;

  /** It grants nothing while this is true, and writes. */
  volatile boolean away;

  /** What writing lines throws; null: nothing. */
  volatile @Nullable Throwable failure;

  FaultyLedgerStore(LedgerStore sound) {
    this.sound = sound;
  }

  @Override
  public Slice requestSlice(SliceRequest ask) {
    if (away) {
      throw new StoreUnavailableException("the test says so", null);
    }
    Usd granted = ask.desiredGrant().isMoreThan(ask.limit()) ? ask.limit() : ask.desiredGrant();
    return new Slice(granted, ask.limit().minus(granted));
  }

  @Override
  public void append(Posting posting) {
    FaultyLedger.raise(failure);
    sound.append(posting);
  }

  @Override
  public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
    sound.returnUnused(account, withByok, keep);
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return sound.spendingElsewhere(accounts);
  }

  @Override
  public List<LostNode> lostNodes() {
    return sound.lostNodes();
  }

  @Override
  public boolean release(String node) {
    return sound.release(node);
  }
}
