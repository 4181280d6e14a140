package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Money set aside in the windows it was counted in, so that it ends in them, whatever the time is
 * then. Of settle, release and expiry the first counts; a bill after expiry is still booked.
 */
final class ActiveHold implements Reservation {
  private static final int OPEN = 0;
  private static final int EXPIRED = 1;
  private static final int ENDED = 2;

  @Nullable ActiveHold previous; // guarded by the stripe
  @Nullable ActiveHold next;
  private final LedgerLineWriter journal;
  private final Stripe stripe;
  private final DayAccounts sheet;
  private final Charge atMost;
  private final long dueSecond;
  private final AtomicInteger state = new AtomicInteger(OPEN);

  /**
   * @param stripe that keeps an eye on it
   * @param sheet where it was counted
   */
  ActiveHold(
      LedgerLineWriter journal, Stripe stripe, DayAccounts sheet, Charge atMost, long dueSecond) {
    this.journal = journal;
    this.stripe = stripe;
    this.sheet = sheet;
    this.atMost = atMost;
    this.dueSecond = dueSecond;
  }

  /** It is overdue when this second of {@link LedgerMaintenance#second} is over. */
  long dueSecond() {
    return dueSecond;
  }

  /** Nobody ended it, and its time is not over as far as anybody looked. */
  boolean isOpen() {
    return state.get() == OPEN;
  }

  @Override
  public Charge atMost() {
    return atMost;
  }

  @Override
  public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
    if (entries.isEmpty()) {
      if (record != null) {
        throw new IllegalArgumentException(
            "there is no ledger line that " + record + " could come with");
      }
      release();
      return;
    }
    var posting = new Posting(entries, sheet.accounts(), record);
    Charge charge = posting.total();
    check(posting);
    if (state.compareAndSet(OPEN, ENDED)) {
      write(posting, charge, atMost);
    } else if (state.compareAndSet(EXPIRED, ENDED)) {
      write(posting, charge, null);
    }
  }

  /** Whatever happens to the line, the money is spent and nothing is held for it any more. */
  private void write(Posting posting, Charge charge, @Nullable Charge freed) {
    try {
      journal.append(posting);
    } finally {
      book(posting, charge, freed);
    }
  }

  private static void check(Posting posting) {
    for (LedgerEntry entry : posting.entries()) {
      if (entry.charge().credits().nanos() < 0 || entry.charge().byokCost().nanos() < 0) {
        throw new IllegalArgumentException("a line must cost at least 0, was " + entry.charge());
      }
    }
  }

  /**
   * @param freed what was still held; null when that is free already
   */
  private void book(Posting posting, Charge charge, @Nullable Charge freed) {
    long beyond = beyond(charge, freed == null ? Charge.ZERO : freed);
    LedgerEntry last = posting.entries().getLast();
    if (freed == null || beyond > 0 || !endInStripe(charge, last)) {
      bookOnWhole(charge, beyond, last, freed);
    }
  }

  /** Ends it where it was counted; false: nobody counts there any more, or all are needed. */
  private boolean endInStripe(Charge charge, @Nullable LedgerEntry lastLine) {
    stripe.lock();
    try {
      if (!sheet.isOpen()) {
        return false;
      }
      sheet.settle(stripe.number(), atMost, charge, lastLine);
      stripe.unlink(this);
      return true;
    } finally {
      stripe.unlock();
    }
  }

  /** What is spent beyond what was held was dealt to others, who may not have it now. */
  private void bookOnWhole(
      Charge charge, long beyond, LedgerEntry lastLine, @Nullable Charge freed) {
    PayerGroup party = sheet.party();
    party.lock();
    try {
      if (freed != null) {
        sheet.free(freed);
        stripe.unlink(this);
      }
      sheet.settle(charge, beyond, lastLine);
      party.revokeShares();
    } finally {
      party.unlock();
    }
  }

  /** The most that any budget counts beyond what was held, whatever it counts. */
  private static long beyond(Charge charge, Charge held) {
    long credits = charge.credits().nanos() - held.credits().nanos();
    long byok = charge.byokCost().nanos() - held.byokCost().nanos();
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

  /** Its deadline is over and nobody ended it: what it holds is free. */
  void expire() {
    if (state.compareAndSet(OPEN, EXPIRED)) {
      free();
    }
  }

  private void free() {
    if (endInStripe(Charge.ZERO, null)) {
      return;
    }
    PayerGroup party = sheet.party();
    party.lock();
    try {
      sheet.free(atMost);
      stripe.unlink(this);
    } finally {
      party.unlock();
    }
  }
}
