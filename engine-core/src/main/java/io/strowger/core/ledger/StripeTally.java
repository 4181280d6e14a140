package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The changes to a book's {@link DayWindows} under one stripe since the last fold, and what is left
 * of the stripe's share of the last deal. Guarded by the stripe, or by all stripes. All amounts are
 * nanodollars; held sums are below zero when a hold from before the fold has ended.
 */
final class StripeTally {
  private static final long NEVER = Long.MIN_VALUE;

  long credits; // settled
  long byok;
  long heldCredits;
  long heldByok;
  long holds; // holds taken minus holds ended
  long holdsStarted;
  private long lastSecond = NEVER; // no Instant: writing a reference costs more
  private long lastNano;
  private long deal; // the number of the deal that the share is from
  private long shareLeft;
  private boolean changed;

  @SuppressWarnings("unused") // padding, as in Stripe
  private final long room1 = 0, room2 = 0, room3 = 0, room4 = 0, room5 = 0, room6 = 0, room7 = 0;

  /**
   * Returns whether the share covers this amount.
   *
   * @param validDeal the number of the valid deal
   * @param share the share of every stripe in that deal
   */
  boolean covers(long amount, long validDeal, long share) {
    if (deal != validDeal) {
      deal = validDeal;
      shareLeft = share;
    }
    return amount <= shareLeft;
  }

  /**
   * Counts a hold.
   *
   * @param amount the most that any budget counts of the charge
   */
  void hold(Charge charge, long amount) {
    shareLeft -= amount;
    heldCredits += charge.credits().nanos();
    heldByok += charge.byokCost().nanos();
    holds++;
    holdsStarted++;
    changed = true;
  }

  /**
   * Ends a hold and books its charge.
   *
   * @param hold the hold; no budget may count more of the charge than of the hold
   */
  void settle(Charge hold, Charge charge, @Nullable LedgerEntry lastLine) {
    long unusedCredits = hold.credits().nanos() - charge.credits().nanos();
    long unusedByok = hold.byokCost().nanos() - charge.byokCost().nanos();
    shareLeft += Math.min(unusedCredits, SaturatingMath.plus(unusedCredits, unusedByok));
    heldCredits -= hold.credits().nanos();
    heldByok -= hold.byokCost().nanos();
    holds--;
    changed = true;
    credits = SaturatingMath.plus(credits, charge.credits().nanos());
    byok = SaturatingMath.plus(byok, charge.byokCost().nanos());
    if (lastLine != null) {
      updateLast(lastLine.at());
    }
  }

  @SuppressWarnings("JavaInstantGetSecondsGetNano") // stored separately
  private void updateLast(Instant at) {
    long second = at.getEpochSecond();
    if (second > lastSecond || second == lastSecond && at.getNano() > lastNano) {
      lastSecond = second;
      lastNano = at.getNano();
    }
  }

  /** Returns when something was last booked; null when nothing was. */
  @Nullable Instant last() {
    return lastSecond == NEVER ? null : Instant.ofEpochSecond(lastSecond, lastNano);
  }

  /** Returns whether there are changes to fold into the windows. */
  boolean hasChanges() {
    return changed;
  }

  /** Clears the changes after they were folded into the windows. */
  void clear() {
    changed = false;
    lastSecond = NEVER;
    credits = 0;
    byok = 0;
    heldCredits = 0;
    heldByok = 0;
    holds = 0;
    holdsStarted = 0;
  }
}
