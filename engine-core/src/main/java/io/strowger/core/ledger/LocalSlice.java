package io.strowger.core.ledger;

import io.strowger.spi.store.LedgerStore;
import org.jspecify.annotations.Nullable;

/**
 * The part of a budget that this node was granted in one window, with or without BYOK cost. All
 * amounts are nanodollars. Guarded by all stripes; only a {@link PendingLeaseRequest} is awaited
 * without them.
 */
final class LocalSlice {
  /** The divisor of the limit that gives a share, small enough for several nodes. */
  private static final long PARTS_OF_LIMIT = 16;

  /** The divisor of what is left to all nodes that gives the largest share. */
  private static final long PARTS_OF_REST = 4;

  private static final long UNASKED = -1;

  private final boolean withByok;
  private long limit = UNASKED; // the limit in the last answered request
  private long granted;
  private long left; // not granted to any node, by the last answer; below zero: overdrawn
  private long learnt; // nanoTime of the last answer or failure
  private boolean unreachable; // the last request failed
  private long refillBelow = Long.MIN_VALUE;
  private boolean used; // since the last check
  private boolean owed; // the store does not know yet what was given back
  private long waitedFor; // the sum of all holds that wait for more
  private long share; // the share in the last request, not counting other waiting holds
  private @Nullable PendingLeaseRequest pendingLeaseRequest;

  LocalSlice(boolean withByok) {
    this.withByok = withByok;
  }

  boolean withByok() {
    return withByok;
  }

  /**
   * Returns whether more may be spent under this limit without a request. Acts that cost nothing
   * are allowed until the limit is exceeded, by any node.
   */
  boolean covers(long spent, long more, long ofLimit) {
    long need = SaturatingMath.plus(spent, more);
    return need <= inHand() && need <= ofLimit && ofLimit >= limit && limit != UNASKED;
  }

  /**
   * Returns the part of the slice that may be spent. When all nodes were granted more than the
   * limit, since it was lowered or exceeded, the excess may not be spent again once a hold has
   * freed it.
   */
  private long inHand() {
    return SaturatingMath.plus(granted, Math.min(0, left));
  }

  /**
   * Returns the amount that may be dealt to stripes. It excludes the reserve whose use has to
   * trigger a refill, and is below zero when the slice is overdrawn.
   */
  long unreservedAmount(long spent, long ofLimit) {
    if (limit == UNASKED || ofLimit < limit) {
      return 0;
    }
    long most = Math.min(inHand(), ofLimit);
    long reserve = pendingLeaseRequest == null ? Math.max(0, refillBelow) : 0;
    return SaturatingMath.minus(Math.min(most, SaturatingMath.minus(granted, reserve)), spent);
  }

  /** Marks the slice as used. */
  void use() {
    used = true;
  }

  /** Returns whether so little is left that a refill should start; marks the slice as used. */
  boolean isLow(long spent) {
    used = true;
    return granted - spent < refillBelow && pendingLeaseRequest == null;
  }

  /**
   * Returns whether the store might grant a larger slice.
   *
   * @param fresh the nanoTime before which answers are outdated
   */
  boolean mayGrow(long need, long ofLimit, long fresh) {
    if (need > ofLimit) {
      return false;
    }
    boolean whole = limit == ofLimit && inHand() >= ofLimit;
    boolean tooMuch = limit == ofLimit && need > SaturatingMath.plus(granted, left) && !unreachable;
    return !whole && !(tooMuch && learnt - fresh > 0);
  }

  /** Returns the amount that a limit leaves, as far as known; never less than a hold could get. */
  long availableAmount(long spent, long ofLimit, long fresh) {
    boolean known = ofLimit <= limit && (inHand() >= limit || learnt - fresh > 0);
    long free = unreachable ? 0 : left;
    long most = known ? Math.min(ofLimit, SaturatingMath.plus(granted, free)) : ofLimit;
    return SaturatingMath.minus(most, spent);
  }

  /** Returns the request under way; null when there is none. */
  @Nullable PendingLeaseRequest pendingRequest() {
    return pendingLeaseRequest;
  }

  /** Registers a request. There must be no other until this one has ended. */
  PendingLeaseRequest ask() {
    var begun = new PendingLeaseRequest();
    pendingLeaseRequest = begun;
    return begun;
  }

  /** Counts a hold that waits for more, until {@link #stopWaiting}. */
  void startWaiting(long hold) {
    waitedFor = SaturatingMath.plus(waitedFor, hold);
  }

  void stopWaiting(long hold) {
    waitedFor = SaturatingMath.minus(waitedFor, hold);
  }

  /**
   * Returns the total to request: enough for all waiting holds, and a share in addition. For many
   * waiting holds the share is their sum, so that a growing number is served in doubling steps.
   *
   * @param hold the waiting hold, in nanodollars; 0 for a refill
   */
  long amountToRequest(long spent, long hold, long ofLimit) {
    share = share(hold, ofLimit);
    long crowd = Math.max(hold, waitedFor);
    long want = SaturatingMath.plus(SaturatingMath.plus(spent, crowd), Math.max(crowd, share));
    return Math.max(SaturatingMath.plus(spent, hold), Math.min(ofLimit, want));
  }

  private long share(long hold, long ofLimit) {
    long part = ofLimit / PARTS_OF_LIMIT;
    if (limit == ofLimit) {
      part = Math.min(part, Math.max(0, left) / PARTS_OF_REST);
    }
    return Math.max(hold, part);
  }

  /** Returns whether the limit was lowered, which voids what is granted and not spent. */
  boolean shrinks(long ofLimit) {
    return limit != UNASKED && ofLimit < limit;
  }

  /** Gives up the unspent part of the slice. */
  void keep(long spent) {
    granted = Math.min(granted, spent);
    refillBelow = Long.MIN_VALUE;
    limit = UNASKED;
  }

  /**
   * Ends a return to the store.
   *
   * @param told whether the store was reached
   */
  void onReturned(boolean told) {
    owed = !told;
    pendingLeaseRequest = null;
  }

  /** Records the answer of the store. */
  void answered(LedgerStore.LeaseRequest ask, LedgerStore.Slice answer, long now) {
    limit = ask.limit().nanos();
    granted = answer.granted().nanos();
    left = answer.left().nanos();
    learnt = now;
    unreachable = false;
    owed = false;
    long beyond = Math.min(share, ask.want().nanos() - ask.need().nanos());
    refillBelow = left <= 0 || granted >= limit ? Long.MIN_VALUE : beyond / 2;
    pendingLeaseRequest = null;
  }

  /**
   * Records that the store did not answer: only the current slice can be spent for now. The store
   * may still have granted the request, so the unspent part has to be returned to it.
   */
  void unanswered(long now) {
    unreachable = true;
    owed = true;
    learnt = now;
    refillBelow = Long.MIN_VALUE;
    pendingLeaseRequest = null;
  }

  /** Returns whether a part of the slice can be returned to the store. */
  boolean hasSpare(long spent) {
    return pendingLeaseRequest == null && (owed || limit != UNASKED && granted > spent);
  }

  /** Returns whether the slice was used since the last call of this method. */
  boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }
}
