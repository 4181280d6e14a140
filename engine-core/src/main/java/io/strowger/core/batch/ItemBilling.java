package io.strowger.core.batch;

import io.strowger.core.inference.BatchItem;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ensures that a request of a batch is billed once. The right to bill is claimed in the store
 * before each part of the bill is settled. A node that has to answer the request again finds the
 * claim, which is never less than what was billed. Decision 59. Safe on any thread.
 */
final class ItemBilling implements BatchItem {
  private final BatchQueue queue;
  private final BatchQueue.Lease lease;
  private final String id;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile ClaimState claimState; // written under the lock
  // written under the lock, and read when the request is over and claims nothing more
  private volatile long billedNanoUsd;
  private volatile long overrunNanoUsd;

  private enum ClaimState {
    UNCLAIMED,
    /** This lease may bill. */
    CLAIMED,
    /** It was billed before, or may have been. */
    BILLED_BEFORE,
    /** The lease is lost, or the store did not answer. */
    REFUSED
  }

  /**
   * @param billed whether the request was billed under an earlier lease
   */
  ItemBilling(
      BatchQueue queue, BatchQueue.Lease lease, String id, BatchQueue.BillingStatus billed) {
    this.queue = queue;
    this.lease = lease;
    this.id = id;
    this.claimState =
        billed == BatchQueue.BillingStatus.NOT_BILLED
            ? ClaimState.UNCLAIMED
            : ClaimState.BILLED_BEFORE;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean claimBilling(PartialBill part) {
    if (part.billedAmount().nanos() <= 0) {
      return true; // nothing is charged: there is nothing to claim
    }
    lock.lock();
    try {
      boolean claimed =
          switch (claimState) {
            case UNCLAIMED -> {
              boolean isFirst = claim(part.isComplete() ? id : "", part.billedAmount());
              claimState = isFirst ? ClaimState.CLAIMED : ClaimState.REFUSED;
              yield isFirst;
            }
            case CLAIMED -> claim("", new Usd(billedNanoUsd).plus(part.billedAmount()));
            case BILLED_BEFORE, REFUSED -> false;
          };
      if (!claimed) {
        return false;
      }
      long billed = part.billedAmount().nanos();
      long overrun = overrunNanoUsd + Math.max(0, billed - part.heldAmount().nanos());
      billedNanoUsd = new Usd(billedNanoUsd).plus(part.billedAmount()).nanos();
      overrunNanoUsd = overrun;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Claims an amount. Returns false also when the store is unavailable: nothing is billed then. */
  private boolean claim(String generation, Usd billed) {
    try {
      return queue.claim(lease, generation, billed);
    } catch (StoreUnavailableException e) {
      return false;
    }
  }

  /** Returns whether this lease may not bill, so that another lease answers the request. */
  @Override
  public boolean isRefused() {
    return claimState == ClaimState.REFUSED;
  }

  /** Returns the amount billed under this lease, in billionths of a US dollar. */
  long billedNanoUsd() {
    return billedNanoUsd;
  }

  /** Returns the amount billed beyond what was held, in billionths of a US dollar. */
  long overrunNanoUsd() {
    return overrunNanoUsd;
  }
}
