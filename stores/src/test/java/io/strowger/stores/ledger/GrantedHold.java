package io.strowger.stores.ledger;

import io.strowger.core.ledger.Reservation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Posting;
import java.util.List;

/** An act that was granted a hold, and what became of the hold. */
final class GrantedAct {
  private enum State {
    OPEN,
    EXPIRED, // may still be billed
    OVER
  }

  private final LedgerNode node;
  private final Reservation hold;
  private final List<Posting.Account> accounts;
  private final long deadline;
  private State state = State.OPEN;
  private Charge bill = Charge.ZERO;
  private Charge heldWhenBilled = Charge.ZERO;
  private boolean isInDatabase;

  /**
   * @param deadline the deadline by the clock of the node
   */
  GrantedAct(LedgerNode node, Reservation hold, List<Posting.Account> accounts, long deadline) {
    this.node = node;
    this.hold = hold;
    this.accounts = accounts;
    this.deadline = deadline;
  }

  LedgerNode node() {
    return node;
  }

  Reservation hold() {
    return hold;
  }

  boolean countsIn(Posting.Account account) {
    return accounts.contains(account);
  }

  boolean isOver() {
    return state == State.OVER;
  }

  Charge held() {
    return state == State.OPEN ? hold.maxCharge() : Charge.ZERO;
  }

  Charge bill() {
    return bill;
  }

  /** Returns whether the act is billed, and the bill only in a journal. */
  boolean isInJournalOnly() {
    return !bill.equals(Charge.ZERO) && !isInDatabase;
  }

  /** Returns what was billed beyond the hold, with or without BYOK costs. */
  long overrun(boolean withByok) {
    long beyond =
        bill.budgetAmount(withByok).nanos() - heldWhenBilled.budgetAmount(withByok).nanos();
    return Math.max(0, beyond);
  }

  void setBill(Charge charge) {
    heldWhenBilled = held();
    bill = charge;
    state = State.OVER;
  }

  /** Ends the act, which is not billed any more. */
  void end() {
    state = State.OVER;
  }

  /**
   * Expires the act if its deadline is before a second.
   *
   * @param second the current second
   */
  void expireBefore(long second) {
    if (state == State.OPEN && deadline / 1_000_000_000 < second) {
      state = State.EXPIRED;
    }
  }

  void setInDatabase() {
    isInDatabase = true;
  }
}
