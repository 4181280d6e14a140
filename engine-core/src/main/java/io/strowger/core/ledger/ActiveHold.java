package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The default reservation. It ends in the windows in which it was counted, even when a later period
 * has begun. Only the first of settle, release and expiry has an effect, except that a settlement
 * after expiry still books its bill.
 */
final class ActiveHold implements Reservation {
  private static final int OPEN = 0;
  private static final int EXPIRED = 1;
  private static final int ENDED = 2;

  @Nullable ActiveHold previous; // guarded by the stripe
  @Nullable ActiveHold next;
  private final LedgerLineWriter lineWriter;
  private final Stripe stripe;
  private final DayAccounts dayAccounts;
  private final Charge maxCharge;
  private final long dueSecond;
  private final AtomicInteger state = new AtomicInteger(OPEN);

  /**
   * @param stripe the stripe that tracks this hold
   * @param dayAccounts the accounts in which the hold was counted
   */
  ActiveHold(
      LedgerLineWriter lineWriter,
      Stripe stripe,
      DayAccounts dayAccounts,
      Charge maxCharge,
      long dueSecond) {
    this.lineWriter = lineWriter;
    this.stripe = stripe;
    this.dayAccounts = dayAccounts;
    this.maxCharge = maxCharge;
    this.dueSecond = dueSecond;
  }

  /** Returns the second after which the hold is overdue, by {@link LedgerMaintenance#second}. */
  long dueSecond() {
    return dueSecond;
  }

  /** Returns whether the hold is neither settled, released nor expired so far. */
  boolean isOpen() {
    return state.get() == OPEN;
  }

  @Override
  public Charge maxCharge() {
    return maxCharge;
  }

  @Override
  public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
    if (entries.isEmpty()) {
      if (record != null) {
        throw new IllegalArgumentException("cannot write " + record + " without a ledger line");
      }
      release();
      return;
    }
    var posting = new Posting(entries, dayAccounts.accounts(), record);
    Charge charge = posting.total();
    requireNonNegative(posting);
    if (state.compareAndSet(OPEN, ENDED)) {
      write(posting, charge, maxCharge);
    } else if (state.compareAndSet(EXPIRED, ENDED)) {
      write(posting, charge, null);
    }
  }

  /** Writes the lines, and books the charge even when writing fails, since the money is spent. */
  private void write(Posting posting, Charge charge, @Nullable Charge stillHeld) {
    try {
      lineWriter.append(posting);
    } finally {
      book(posting, charge, stillHeld);
    }
  }

  private static void requireNonNegative(Posting posting) {
    for (LedgerEntry entry : posting.entries()) {
      if (entry.charge().credits().nanos() < 0 || entry.charge().byokCost().nanos() < 0) {
        throw new IllegalArgumentException("a line must cost at least 0, was " + entry.charge());
      }
    }
  }

  /**
   * Books a charge and ends the hold.
   *
   * @param stillHeld the amount still held; null when the hold has expired and freed it
   */
  private void book(Posting posting, Charge charge, @Nullable Charge stillHeld) {
    long excess = excess(charge, stillHeld == null ? Charge.ZERO : stillHeld);
    LedgerEntry lastLine = posting.entries().getLast();
    if (stillHeld == null || excess > 0 || !endInStripe(charge, lastLine)) {
      bookInAllStripes(charge, excess, lastLine, stillHeld);
    }
  }

  /** Ends the hold under its stripe; returns false when its day is closed to single stripes. */
  private boolean endInStripe(Charge charge, @Nullable LedgerEntry lastLine) {
    stripe.lock();
    try {
      if (!dayAccounts.isOpen()) {
        return false;
      }
      dayAccounts.settle(stripe.number(), maxCharge, charge, lastLine);
      stripe.unlink(this);
      return true;
    } finally {
      stripe.unlock();
    }
  }

  /**
   * Books under all stripes and revokes their shares, since they may have been dealt the money that
   * the charge takes beyond the hold.
   */
  private void bookInAllStripes(
      Charge charge, long excess, LedgerEntry lastLine, @Nullable Charge stillHeld) {
    PayerGroup payerGroup = dayAccounts.payerGroup();
    payerGroup.lock();
    try {
      if (stillHeld != null) {
        dayAccounts.free(stillHeld);
        stripe.unlink(this);
      }
      dayAccounts.settle(charge, excess, lastLine);
      payerGroup.revokeShares();
    } finally {
      payerGroup.unlock();
    }
  }

  /** Returns the most that any budget counts beyond the hold, in nanodollars; at least 0. */
  private static long excess(Charge charge, Charge hold) {
    long credits = charge.credits().nanos() - hold.credits().nanos();
    long byok = charge.byokCost().nanos() - hold.byokCost().nanos();
    return Math.max(0, Math.max(credits, SaturatingMath.plus(credits, byok)));
  }

  @Override
  public void release() {
    if (state.compareAndSet(OPEN, ENDED)) {
      free();
    } else {
      state.compareAndSet(EXPIRED, ENDED);
    }
  }

  /** Frees the held money after the deadline; does nothing when the hold has ended. */
  void expire() {
    if (state.compareAndSet(OPEN, EXPIRED)) {
      free();
    }
  }

  private void free() {
    if (endInStripe(Charge.ZERO, null)) {
      return;
    }
    PayerGroup payerGroup = dayAccounts.payerGroup();
    payerGroup.lock();
    try {
      dayAccounts.free(maxCharge);
      stripe.unlink(this);
    } finally {
      payerGroup.unlock();
    }
  }
}
