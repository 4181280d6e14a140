package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A store as a process sees it: questions to it get lost, and answers do, until the process is
 * gone. What a process writes to its own disk arrives as long as there is a process.
 */
final class LossyLedgerStore implements LedgerStore {
  private final LedgerStore store;
  private int unasked; // so many questions get lost
  private int unanswered; // so many answers
  private boolean cut;
  private volatile boolean failed; // since somebody looked

  LossyLedgerStore(LedgerStore store) {
    this.store = store;
  }

  void loseQuestions(int next) {
    unasked = next;
  }

  void loseAnswers(int next) {
    unanswered = next;
  }

  /** Nothing is lost any more. */
  void mend() {
    unasked = 0;
    unanswered = 0;
  }

  /** The process is gone: nobody hears of it any more. */
  void cut() {
    cut = true;
  }

  /** Whether something was lost since this was asked last. */
  boolean hasFailed() {
    boolean has = failed;
    failed = false;
    return has;
  }

  private interface Question<T> {
    T ask();
  }

  private <T> T asked(Question<T> question) {
    if (cut || unasked-- > 0) {
      throw lost("question");
    }
    T answer = question.ask();
    if (unanswered-- > 0) {
      throw lost("answer");
    }
    return answer;
  }

  private StoreUnavailableException lost(String what) {
    failed = true;
    return new StoreUnavailableException("the " + what + " was lost", null);
  }

  @Override
  public Slice requestSlice(SliceRequest ask) {
    return asked(() -> store.requestSlice(ask));
  }

  @Override
  public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
    asked(
        () -> {
          store.returnUnused(account, withByok, keep);
          return true;
        });
  }

  @Override
  public void append(Posting posting) {
    if (cut) {
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
