package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the requests of batches to the nodes that work on them. A request is leased to one node
 * at a time; when the lease ends without being renewed, another node may lease the request. A node
 * whose lease was taken over can no longer change the request. Decision 59.
 *
 * <p>Instants are readings of {@link io.strowger.spi.ambient.Ambient#now}. When the clocks of nodes
 * differ, leases become longer or shorter by the difference; nothing else changes.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; the operation may nevertheless take effect. Contract test:
 * {@code BatchStoreContract} in engine-tck.
 */
public interface BatchQueue {
  /**
   * Identifies one lease of one request.
   *
   * @param batch id of the batch
   * @param number the request's number in the batch, from 0
   * @param token unique among all leases
   */
  record Lease(String batch, int number, String token) {
    public Lease {
      Objects.requireNonNull(batch, "batch");
      Objects.requireNonNull(token, "token");
    }
  }

  /**
   * The order in which batches are leased from: which workspaces come last, and which batches are
   * left out.
   *
   * @param lastWorkspaces workspaces whose batches are leased from only while no other batch has
   *     anything to lease; at most 1000
   * @param excludedBatches ids of batches from which nothing is leased; at most 1000
   */
  record LeaseOrder(Set<String> lastWorkspaces, Set<String> excludedBatches) {
    /** All batches take turns: none comes last, none is left out. */
    public static final LeaseOrder ROUND_ROBIN = new LeaseOrder(Set.of(), Set.of());

    public LeaseOrder {
      lastWorkspaces = Set.copyOf(lastWorkspaces);
      excludedBatches = Set.copyOf(excludedBatches);
    }
  }

  /** Whether a request was billed under an earlier lease. */
  enum BillingStatus {
    /** It was not billed, and no earlier lease can bill it. */
    NOT_BILLED,
    /** It was billed: its bill is in the books. */
    BILLED,
    /**
     * Its bill was {@linkplain #claim claimed} by a node that is gone and that may have written the
     * bill to a journal that no other node can read.
     */
    UNKNOWN
  }

  /**
   * A request that is leased to this node.
   *
   * @param lease identifies the lease
   * @param batch the batch it belongs to, as it was when the request was leased
   * @param request the leased request
   * @param attempts how often it was {@linkplain #postpone postponed} after an attempt; at least 0
   * @param billingStatus whether it was billed under an earlier lease
   * @param claimedNanoUsd the amount claimed under that lease, in billionths of a US dollar; 0 when
   *     nothing was claimed
   */
  record LeasedRequest(
      Lease lease,
      Batch batch,
      Request request,
      int attempts,
      BillingStatus billingStatus,
      long claimedNanoUsd) {}

  /**
   * Leases a batch that needs its next step. Looks first for a batch that is due, then for one in
   * phase {@link BatchStore.Phase#OPEN} that has all its results, then for one in phase {@link
   * BatchStore.Phase#STEP}. No other call returns the batch before {@code until}, unless it is
   * {@linkplain BatchStore#replace replaced} earlier.
   *
   * @return the batch; null when none needs a step
   */
  @Nullable Batch leaseStep(Instant now, Instant until);

  /**
   * Sets when this node's lease of a batch's step ends. Does nothing when another node has leased
   * the step.
   *
   * @param until when the lease ends; the current time to give the step back at once
   */
  void renewStep(String batch, Instant until);

  /**
   * Leases requests of one batch that is {@link BatchStore.Phase#OPEN} and not due: those that are
   * ready, have no result and are not leased, in ascending order of numbers. Batches take turns:
   * the one whose last lease (or, without one, its addition) is longest ago comes first, unless
   * {@code order} puts others before it. A store may lease nothing while it has no room for
   * results. When another node has claimed the bill of a request, the request is leased only if
   * everything that node wrote is known, or if the lease of the request ended before {@code
   * claimCutoff}.
   *
   * @param limit how many requests at most; 1 to 100
   * @param until when the leases end
   * @param claimCutoff an earlier instant: a claimed request whose lease ended before it is leased
   *     even if it is not known whether it was billed
   * @param order which batches come last and which are left out
   */
  List<LeasedRequest> lease(
      int limit, Instant now, Instant until, Instant claimCutoff, LeaseOrder order);

  /**
   * Extends leases: moves their end to {@code until}.
   *
   * @return the leases that this node still has
   */
  Set<Lease> renew(Collection<Lease> leases, Instant until);

  /**
   * Claims the right to bill a request under this lease and under no earlier one. When this returns
   * true, the claim survives the end of the process: {@link LeasedRequest#billingStatus} of a later
   * lease shows it. A request that is billed in parts is claimed before each part; the last claim
   * counts.
   *
   * @param generation id of the record that is written with the bill, so that {@link
   *     GenerationStore#find} later tells whether the request was billed; empty when there is no
   *     such record: the request is then treated as billed from now on
   * @param amount the amount that will be charged to credits, the sum of all parts so far
   * @return false when the lease is lost: nothing may be billed
   */
  boolean claim(Lease lease, String generation, Usd amount);

  /**
   * Writes the result of a request, at most once, and counts it.
   *
   * @return false when the lease is lost; then nothing was written
   */
  boolean finish(Lease lease, Result result);

  /**
   * Gives a request back before it has a result.
   *
   * @param readyAt the earliest time at which it may be leased again
   * @param attempted whether the lease is counted as an attempt
   */
  void postpone(Lease lease, Instant readyAt, boolean attempted);

  /**
   * Writes one result for several requests of a batch that is no longer {@link
   * BatchStore.Phase#OPEN}: for those without a result that are not leased at {@code now}.
   *
   * @param limit how many requests at most; 1 to 1000
   * @return how many requests received the result
   */
  int finishRemaining(String batch, Result result, Instant now, int limit);

  /** Returns how many requests of a batch have no result, including those that are leased. */
  int countWithoutResult(String batch);
}
