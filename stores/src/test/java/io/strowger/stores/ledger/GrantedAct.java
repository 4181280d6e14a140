package io.strowger.stores.ledger;

import io.strowger.core.ledger.Reservation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Posting;
import java.util.List;

/** An act that was granted money, and what became of it. */
final class GrantedAct {
  private enum State {
    OPEN,
    EXPIRED, // a bill may come yet
    OVER
  }

  private final LedgerNode by;
  private final Reservation hold;
  private final List<Posting.Account> accounts;
  private final long deadline;
  private State state = State.OPEN;
  private Charge bill = Charge.ZERO;
  private Charge held = Charge.ZERO; // when the bill came
  private boolean arrived; // in the database

  /**
   * @param deadline by the clock of who granted it
   */
  GrantedAct(LedgerNode by, Reservation hold, List<Posting.Account> accounts, long deadline) {
    this.by = by;
    this.hold = hold;
    this.accounts = accounts;
    this.deadline = deadline;
  }

  LedgerNode by() {
    return by;
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

  /** Billed, and in a journal only. */
  boolean isUnderWay() {
    return !bill.equals(Charge.ZERO) && !arrived;
  }

  /** What was billed beyond what was held for it then, by what counts. */
  long overrun(boolean withByok) {
    long beyond = bill.budgetAmount(withByok).nanos() - held.budgetAmount(withByok).nanos();
    return Math.max(0, beyond);
  }

  void billed(Charge charge) {
    held = held();
    bill = charge;
    state = State.OVER;
  }

  /** Nothing more comes of it. */
  void ended() {
    state = State.OVER;
  }

  /**
   * Time has passed.
   *
   * @param second that is not over yet
   */
  void passed(long second) {
    if (state == State.OPEN && deadline / 1_000_000_000 < second) {
      state = State.EXPIRED;
    }
  }

  void arrived() {
    arrived = true;
  }
}
