package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What changed in a book's {@link DayWindows} under one stripe since its windows were brought up to
 * date, and what of its last deal is left. Guarded by the stripe, or by all of them. All amounts
 * are nanodollars; what is held can be below zero, where it was taken before.
 */
final class StripeTally {
  private static final long NEVER = Long.MIN_VALUE;

  long credits; // settled
  long byok;
  long heldCredits;
  long heldByok;
  long holds; // begun less ended
  long begun;
  private long lastSecond = NEVER; // not an Instant: a reference written to old memory costs more
  private long lastNano;
  private long deal; // which one there is something left of
  private long left;
  private boolean changed;

  @SuppressWarnings("unused") // apart from its neighbours, as a Stripe is
  private final long room1 = 0, room2 = 0, room3 = 0, room4 = 0, room5 = 0, room6 = 0, room7 = 0;

  /**
   * Whether so much may be held.
   *
   * @param number of the deal that is valid
   * @param each what every stripe was dealt in it
   */
  boolean covers(long amount, long number, long each) {
    if (deal != number) {
      deal = number;
      left = each;
    }
    return amount <= left;
  }

  /**
   * @param amount the most that any budget counts of it
   */
  void hold(Charge more, long amount) {
    left -= amount;
    heldCredits += more.credits().nanos();
    heldByok += more.byokCost().nanos();
    holds++;
    begun++;
    changed = true;
  }

  /**
   * Books what was done.
   *
   * @param held for it; nothing that any budget counts of the charge is beyond it
   */
  void settle(Charge held, Charge charge, @Nullable LedgerEntry lastLine) {
    long overCredits = held.credits().nanos() - charge.credits().nanos();
    long overByok = held.byokCost().nanos() - charge.byokCost().nanos();
    left += Math.min(overCredits, SaturatingMath.plus(overCredits, overByok));
    heldCredits -= held.credits().nanos();
    heldByok -= held.byokCost().nanos();
    holds--;
    changed = true;
    credits = SaturatingMath.plus(credits, charge.credits().nanos());
    byok = SaturatingMath.plus(byok, charge.byokCost().nanos());
    if (lastLine != null) {
      later(lastLine.at());
    }
  }

  @SuppressWarnings("JavaInstantGetSecondsGetNano") // both, apart
  private void later(Instant at) {
    long second = at.getEpochSecond();
    if (second > lastSecond || second == lastSecond && at.getNano() > lastNano) {
      lastSecond = second;
      lastNano = at.getNano();
    }
  }

  /** When something was booked last; null: nothing was. */
  @Nullable Instant last() {
    return lastSecond == NEVER ? null : Instant.ofEpochSecond(lastSecond, lastNano);
  }

  /** Whether its windows are to be brought up to date. */
  boolean changed() {
    return changed;
  }

  /** Its windows were brought up to date. */
  void clear() {
    changed = false;
    lastSecond = NEVER;
    credits = 0;
    byok = 0;
    heldCredits = 0;
    heldByok = 0;
    holds = 0;
    begun = 0;
  }
}
