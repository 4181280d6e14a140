package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A store as a process sees it: requests to it and responses can get lost, until the process has
 * ended. What the process writes to its own disk is never lost while the process runs.
 */
final class LossyLedgerStore implements LedgerStore {
  private final LedgerStore store;
  private int requestsToLose;
  private int responsesToLose;
  private boolean isCut;
  private volatile boolean failed; // since the last hasFailed()

  LossyLedgerStore(LedgerStore store) {
    this.store = store;
  }

  void loseRequests(int count) {
    requestsToLose = count;
  }

  void loseResponses(int count) {
    responsesToLose = count;
  }

  /** Stops losing requests and responses. */
  void mend() {
    requestsToLose = 0;
    responsesToLose = 0;
  }

  /** Cuts off the process: nothing reaches the store any more. */
  void cut() {
    isCut = true;
  }

  /** Returns whether something was lost since the last call. */
  boolean hasFailed() {
    boolean has = failed;
    failed = false;
    return has;
  }

  private interface Request<T> {
    T send();
  }

  private <T> T send(Request<T> request) {
    if (isCut || requestsToLose-- > 0) {
      throw lost("request");
    }
    T response = request.send();
    if (responsesToLose-- > 0) {
      throw lost("response");
    }
    return response;
  }

  private StoreUnavailableException lost(String what) {
    failed = true;
    return new StoreUnavailableException("the " + what + " was lost", null);
  }

  @Override
  public Slice requestSlice(SliceRequest request) {
    return send(() -> store.requestSlice(request));
  }

  @Override
  public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
    send(
        () -> {
          store.returnUnused(account, includeByok, retained);
          return true;
        });
  }

  @Override
  public void append(Posting posting) {
    if (isCut) {
      throw lost("process");
    }
    store.append(posting);
  }

  @Override
  public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
      Collection<Posting.Account> accounts) {
    return store.spendingElsewhere(accounts);
  }

  @Override
  public List<LostNode> lostNodes() {
    return store.lostNodes();
  }

  @Override
  public boolean release(String node) {
    return store.release(node);
  }
}
