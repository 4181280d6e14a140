package io.strowger.core.store;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A store that forwards every call to another one; tests override single methods. */
public abstract class ForwardingLedgerStore implements LedgerStore {
  private final LedgerStore ledger;

  protected ForwardingLedgerStore(LedgerStore ledger) {
    this.ledger = Objects.requireNonNull(ledger, "ledger");
  }

  @Override
  public Slice requestSlice(SliceRequest request) {
    return ledger.requestSlice(request);
  }

  @Override
  public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
    ledger.returnUnused(account, includeByok, retained);
  }

  @Override
  public void append(Posting posting) {
    ledger.append(posting);
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return ledger.spendingElsewhere(accounts);
  }

  @Override
  public List<LostNode> lostNodes() {
    return ledger.lostNodes();
  }

  @Override
  public boolean release(String node) {
    return ledger.release(node);
  }
}
