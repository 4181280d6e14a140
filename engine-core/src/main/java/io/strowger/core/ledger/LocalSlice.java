package io.strowger.core.ledger;

import io.strowger.spi.store.LedgerStore;
import org.jspecify.annotations.Nullable;

/**
 * The part of a budget that this node was granted in one window, with or without BYOK cost. All
 * amounts are nanodollars. Guarded by all stripes; only a {@link PendingLeaseRequest} is awaited
 * without the stripes.
 */
final class LocalSlice {
  /** The limit divided by this is the surplus to request: small enough for several nodes. */
  private static final long LIMIT_DIVISOR = 16;

  /** What is left to all nodes, divided by this, is the largest surplus to request. */
  private static final long REMAINDER_DIVISOR = 4;

  private static final long NO_ANSWER = -1;

  private final boolean withByok;
  private long limit = NO_ANSWER; // the limit in the last answered request
  private long grantedAmount;
  private long ungranted; // not granted to any node, by the last answer; below zero: overdrawn
  private long lastResponseNanos; // nanoTime of the last answer or failure
  private boolean lastRequestFailed; // the store did not answer it
  private long refillBelow = Long.MIN_VALUE;
  private boolean usedSinceCheck; // since the last call of wasUsed
  private boolean needsReturn; // the store does not know yet what was given back
  private long waitingTotal; // the sum of all holds that wait for more
  private long requestedSurplus; // of the last request, as if no other hold had waited
  private @Nullable PendingLeaseRequest pendingLeaseRequest;

  LocalSlice(boolean withByok) {
    this.withByok = withByok;
  }

  boolean withByok() {
    return withByok;
  }

  /**
   * Returns whether more may be spent under this limit without a request. A hold of nothing is
   * allowed until the limit is exceeded, by any node.
   */
  boolean covers(long spent, long amount, long budgetLimit) {
    long need = SaturatingMath.plus(spent, amount);
    return need <= spendableAmount()
        && need <= budgetLimit
        && budgetLimit >= limit
        && limit != NO_ANSWER;
  }

  /**
   * Returns the part of the slice that may be spent. When all nodes were granted more than the
   * limit, since it was lowered or exceeded, the excess may not be spent again once a hold has
   * freed it.
   */
  private long spendableAmount() {
    return SaturatingMath.plus(grantedAmount, Math.min(0, ungranted));
  }

  /**
   * Returns the amount that may be dealt to stripes. It excludes the reserve whose use has to
   * trigger a refill, and is below zero when the slice is overdrawn.
   */
  long unreservedAmount(long spent, long budgetLimit) {
    if (limit == NO_ANSWER || budgetLimit < limit) {
      return 0;
    }
    long max = Math.min(spendableAmount(), budgetLimit);
    long reserve = pendingLeaseRequest == null ? Math.max(0, refillBelow) : 0;
    return SaturatingMath.minus(Math.min(max, SaturatingMath.minus(grantedAmount, reserve)), spent);
  }

  /** Marks the slice as used. */
  void use() {
    usedSinceCheck = true;
  }

  /** Returns whether so little is left that a refill should start; marks the slice as used. */
  boolean isLow(long spent) {
    usedSinceCheck = true;
    return grantedAmount - spent < refillBelow && pendingLeaseRequest == null;
  }

  /**
   * Returns whether the store might grant a larger slice.
   *
   * @param freshSince the nanoTime before which answers are outdated
   */
  boolean mayGrow(long need, long budgetLimit, long freshSince) {
    if (need > budgetLimit) {
      return false;
    }
    boolean isFullyGranted = limit == budgetLimit && spendableAmount() >= budgetLimit;
    boolean isBeyondRemainder =
        limit == budgetLimit
            && need > SaturatingMath.plus(grantedAmount, ungranted)
            && !lastRequestFailed;
    return !isFullyGranted && !(isBeyondRemainder && lastResponseNanos - freshSince > 0);
  }

  /** Returns the amount that a limit leaves, as far as known; never less than a hold could get. */
  long availableAmount(long spent, long budgetLimit, long freshSince) {
    boolean isCurrent =
        budgetLimit <= limit && (spendableAmount() >= limit || lastResponseNanos - freshSince > 0);
    long grantable = lastRequestFailed ? 0 : ungranted;
    long max =
        isCurrent
            ? Math.min(budgetLimit, SaturatingMath.plus(grantedAmount, grantable))
            : budgetLimit;
    return SaturatingMath.minus(max, spent);
  }

  /** Returns the request under way; null when there is none. */
  @Nullable PendingLeaseRequest pendingRequest() {
    return pendingLeaseRequest;
  }

  /** Registers a request. There must be no other request until this one has ended. */
  PendingLeaseRequest registerRequest() {
    var request = new PendingLeaseRequest();
    pendingLeaseRequest = request;
    return request;
  }

  /** Counts a hold that waits for more, until {@link #stopWaiting}. */
  void startWaiting(long hold) {
    waitingTotal = SaturatingMath.plus(waitingTotal, hold);
  }

  void stopWaiting(long hold) {
    waitingTotal = SaturatingMath.minus(waitingTotal, hold);
  }

  /**
   * Returns the total to request: enough for all waiting holds, and a surplus. For many waiting
   * holds the surplus is their sum, so that a growing number of them needs few requests.
   *
   * @param hold the waiting hold, in nanodollars; 0 for a refill
   */
  long amountToRequest(long spent, long hold, long budgetLimit) {
    requestedSurplus = surplusToRequest(hold, budgetLimit);
    long waiting = Math.max(hold, waitingTotal);
    long total =
        SaturatingMath.plus(
            SaturatingMath.plus(spent, waiting), Math.max(waiting, requestedSurplus));
    return Math.max(SaturatingMath.plus(spent, hold), Math.min(budgetLimit, total));
  }

  private long surplusToRequest(long hold, long budgetLimit) {
    long fraction = budgetLimit / LIMIT_DIVISOR;
    if (limit == budgetLimit) {
      fraction = Math.min(fraction, Math.max(0, ungranted) / REMAINDER_DIVISOR);
    }
    return Math.max(hold, fraction);
  }

  /** Returns whether the limit was lowered, which voids what is granted and not spent. */
  boolean isLimitLowered(long budgetLimit) {
    return limit != NO_ANSWER && budgetLimit < limit;
  }

  /** Gives up the unspent part of the slice. */
  void dropUnspent(long spent) {
    grantedAmount = Math.min(grantedAmount, spent);
    refillBelow = Long.MIN_VALUE;
    limit = NO_ANSWER;
  }

  /**
   * Ends a return to the store.
   *
   * @param isReturned whether the store was reached
   */
  void onReturned(boolean isReturned) {
    needsReturn = !isReturned;
    pendingLeaseRequest = null;
  }

  /** Records the answer of the store. */
  void onGranted(LedgerStore.SliceRequest request, LedgerStore.Slice grant, long now) {
    limit = request.limit().nanos();
    grantedAmount = grant.granted().nanos();
    ungranted = grant.unallocated().nanos();
    lastResponseNanos = now;
    lastRequestFailed = false;
    needsReturn = false;
    long surplus =
        Math.min(requestedSurplus, request.desiredGrant().nanos() - request.minGrant().nanos());
    refillBelow = ungranted <= 0 || grantedAmount >= limit ? Long.MIN_VALUE : surplus / 2;
    pendingLeaseRequest = null;
  }

  /**
   * Records that the store did not answer: only the current slice can be spent for now. The store
   * may still have granted the request, so the unspent part has to be returned to it.
   */
  void onFailure(long now) {
    lastRequestFailed = true;
    needsReturn = true;
    lastResponseNanos = now;
    refillBelow = Long.MIN_VALUE;
    pendingLeaseRequest = null;
  }

  /** Returns whether a part of the slice can be returned to the store. */
  boolean hasSpare(long spent) {
    return pendingLeaseRequest == null
        && (needsReturn || limit != NO_ANSWER && grantedAmount > spent);
  }

  /** Returns whether the slice was used since the last call of this method. */
  boolean wasUsed() {
    boolean result = usedSinceCheck;
    usedSinceCheck = false;
    return result;
  }
}
