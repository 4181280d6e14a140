package io.strowger.core.ledger;

import io.strowger.spi.store.LedgerStore;
import org.jspecify.annotations.Nullable;

/**
 * What this node was granted of a budget in one window, by what counts. Guarded by all stripes, but
 * for the answers somebody waits for.
 */
final class LocalSlice {
  /** A share of the limit is this part of it, so that a few nodes get along. */
  private static final long PARTS_OF_LIMIT = 16;

  /** Of what is left to all nodes, a share is at most this part. */
  private static final long PARTS_OF_REST = 4;

  private static final long UNASKED = -1;

  private final boolean withByok;
  private long limit = UNASKED; // with which the store was asked
  private long granted;
  private long left; // granted to nobody, when the store said so last; below zero: overdrawn
  private long learnt; // when that was, or when it said nothing, in nanoseconds
  private boolean unreachable; // it said nothing the last time
  private long refillBelow = Long.MIN_VALUE;
  private boolean used; // since somebody looked
  private boolean owed; // the store was not reached to be told what is kept
  private long waitedFor; // by all holds that found too little in hand
  private long share; // asked for last beyond what was needed, leaving crowds aside
  private @Nullable PendingLeaseRequest pendingLeaseRequest;

  LocalSlice(boolean withByok) {
    this.withByok = withByok;
  }

  boolean withByok() {
    return withByok;
  }

  /**
   * Whether more may be spent under this limit without asking anybody. What costs nothing may be
   * done until the limit is passed, by whomever.
   */
  boolean covers(long spent, long more, long ofLimit) {
    long need = SaturatingMath.plus(spent, more);
    return need <= inHand() && need <= ofLimit && ofLimit >= limit && limit != UNASKED;
  }

  /**
   * What of it may be spent. Where more was granted to all together than there is, since a limit
   * was lowered or passed, the excess is not ours to spend again once a hold has freed it.
   */
  private long inHand() {
    return SaturatingMath.plus(granted, Math.min(0, left));
  }

  /**
   * What may be spent without looking here again: not what has to be asked for more before it is
   * spent. Below zero: overdrawn.
   */
  long unreservedAmount(long spent, long ofLimit) {
    if (limit == UNASKED || ofLimit < limit) {
      return 0;
    }
    long most = Math.min(inHand(), ofLimit);
    long reserve = pendingLeaseRequest == null ? Math.max(0, refillBelow) : 0;
    return SaturatingMath.minus(Math.min(most, SaturatingMath.minus(granted, reserve)), spent);
  }

  /** It was spent from. */
  void use() {
    used = true;
  }

  /** Whether little enough is left of it that more should be on its way. */
  boolean isLow(long spent) {
    used = true;
    return granted - spent < refillBelow && pendingLeaseRequest == null;
  }

  /**
   * Whether the store might say yes.
   *
   * @param fresh answers from before this moment are forgotten
   */
  boolean mayGrow(long need, long ofLimit, long fresh) {
    if (need > ofLimit) {
      return false;
    }
    boolean whole = limit == ofLimit && inHand() >= ofLimit;
    boolean tooMuch = limit == ofLimit && need > SaturatingMath.plus(granted, left) && !unreachable;
    return !whole && !(tooMuch && learnt - fresh > 0);
  }

  /** What a limit leaves here, as far as it is known; at least what a hold could get. */
  long availableAmount(long spent, long ofLimit, long fresh) {
    boolean known = ofLimit <= limit && (inHand() >= limit || learnt - fresh > 0);
    long free = unreachable ? 0 : left;
    long most = known ? Math.min(ofLimit, SaturatingMath.plus(granted, free)) : ofLimit;
    return SaturatingMath.minus(most, spent);
  }

  /** The question that is under way; null: none is. */
  @Nullable PendingLeaseRequest pendingRequest() {
    return pendingLeaseRequest;
  }

  /** Begins a question; the only one until {@link #answered}. */
  PendingLeaseRequest ask() {
    var begun = new PendingLeaseRequest();
    pendingLeaseRequest = begun;
    return begun;
  }

  /** A hold begins to wait for more; {@link #stopWaiting} ends that. */
  void startWaiting(long hold) {
    waitedFor = SaturatingMath.plus(waitedFor, hold);
  }

  void stopWaiting(long hold) {
    waitedFor = SaturatingMath.minus(waitedFor, hold);
  }

  /**
   * What to ask for, in all: enough for everybody who waits, and a share beyond. The share of a
   * crowd is as much again as it needs, so that one that still grows is served in doubling steps.
   *
   * @param hold that cannot go on without; 0 when nobody waits for it
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

  /** A limit was lowered: what was granted under the old one is void but for what is spent. */
  boolean shrinks(long ofLimit) {
    return limit != UNASKED && ofLimit < limit;
  }

  /** Lets go of what is not spent. */
  void keep(long spent) {
    granted = Math.min(granted, spent);
    refillBelow = Long.MIN_VALUE;
    limit = UNASKED;
  }

  /**
   * Nobody gives back any more.
   *
   * @param told whether the store knows of it
   */
  void onReturned(boolean told) {
    owed = !told;
    pendingLeaseRequest = null;
  }

  /** The store has said what may be spent. */
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
   * The store cannot be reached: what is in hand is all there is for now. It may yet grant what it
   * was asked for, and has to be told what is kept of that.
   */
  void unanswered(long now) {
    unreachable = true;
    owed = true;
    learnt = now;
    refillBelow = Long.MIN_VALUE;
    pendingLeaseRequest = null;
  }

  /** Whether some of it could be given back. */
  boolean hasSpare(long spent) {
    return pendingLeaseRequest == null && (owed || limit != UNASKED && granted > spent);
  }

  /** Whether it was in use since the last time somebody asked this. */
  boolean wasUsed() {
    boolean was = used;
    used = false;
    return was;
  }
}
