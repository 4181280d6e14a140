package io.strowger.stores.ledger;

import io.strowger.core.ledger.Reservation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Posting;
import java.util.List;

/** A hold that the ledger of a node granted in a simulation, and what became of it. */
final class GrantedHold {
  private enum State {
    OPEN,
    EXPIRED, // may still be billed
    OVER
  }

  private final LedgerNode node;
  private final Reservation reservation;
  private final List<Posting.Account> accounts;
  private final long deadline;
  private State state = State.OPEN;
  private Charge bill = Charge.ZERO;
  private Charge heldWhenBilled = Charge.ZERO;
  private boolean isInDatabase;

  /**
   * @param deadline in nanoseconds of the clock of the node
   */
  GrantedHold(
      LedgerNode node, Reservation reservation, List<Posting.Account> accounts, long deadline) {
    this.node = node;
    this.reservation = reservation;
    this.accounts = accounts;
    this.deadline = deadline;
  }

  LedgerNode node() {
    return node;
  }

  Reservation reservation() {
    return reservation;
  }

  boolean countsIn(Posting.Account account) {
    return accounts.contains(account);
  }

  boolean isOver() {
    return state == State.OVER;
  }

  Charge held() {
    return state == State.OPEN ? reservation.maxCharge() : Charge.ZERO;
  }

  Charge bill() {
    return bill;
  }

  /** Returns whether the hold is billed and its bill is not yet in the database. */
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

  /** Ends the hold, which is not billed any more. */
  void end() {
    state = State.OVER;
  }

  /**
   * Expires the hold if the second of its deadline has passed.
   *
   * @param second the current second of the clock of the node
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
