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
 * at a time; when the lease ends and the node has not renewed it, another node may have it. Whoever
 * lost a lease can change nothing any more. Decision 59.
 *
 * <p>Moments are readings of {@link io.strowger.spi.ambient.Ambient#now}, so that clocks of nodes
 * that differ make leases longer or shorter by that, and nothing else.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; what it was asked to do may then be done yet. Contract test:
 * {@code BatchStoreContract} in engine-tck.
 */
public interface BatchQueue {
  /**
   * Names one lease of one request.
   *
   * @param batch id
   * @param number of the request in it
   * @param token differs from that of every other lease
   */
  record Lease(String batch, int number, String token) {
    public Lease {
      Objects.requireNonNull(batch, "batch");
      Objects.requireNonNull(token, "token");
    }
  }

  /**
   * The order of leasing: the workspaces that come last, and the batches that are left out.
   *
   * @param last workspaces of whose batches something is leased only while no other batch has
   *     anything to lease; at most 1000
   * @param without ids of batches of which nothing is leased; at most 1000
   */
  record Order(Set<String> last, Set<String> without) {
    /** The batches in turn, without exception. */
    public static final Order BY_TURN = new Order(Set.of(), Set.of());

    public Order {
      last = Set.copyOf(last);
      without = Set.copyOf(without);
    }
  }

  /** Whether a request was billed under an earlier lease. */
  enum Billed {
    /** It was not, and will not be. */
    NO,
    /** It was: its bill is in the books. */
    YES,
    /**
     * Its bill was {@linkplain #claim claimed} by a node that is gone and may have written it down
     * where nobody else can read.
     */
    UNKNOWN
  }

  /**
   * A request that is leased to this node.
   *
   * @param lease names it
   * @param batch it belongs to, as it was when it was leased
   * @param request what is asked
   * @param attempts how often it was {@linkplain #postpone postponed} after an attempt; at least 0
   * @param billed whether it was billed under an earlier lease
   * @param billedNanos what was claimed under that lease, in billionths of a US dollar; 0 when
   *     nothing was
   */
  record Leased(
      Lease lease, Batch batch, Request request, int attempts, Billed billed, long billedNanos) {}

  /**
   * Leases a batch whose next step is to be taken: one that is due, one that is {@link
   * BatchStore.Phase#OPEN} and has all its results, or one that is {@link BatchStore.Phase#STEP},
   * looked for in this order. No other call returns it before {@code until}, unless it is replaced
   * before.
   *
   * @return null when there is none
   */
  @Nullable Batch leaseStep(Instant now, Instant until);

  /**
   * Leases the step of a batch for longer, or gives it back when the moment is now; does nothing
   * when somebody else has it by now.
   */
  void renewStep(String batch, Instant until);

  /**
   * Leases requests of one batch that is {@link BatchStore.Phase#OPEN} and not due: those without a
   * result that nobody has, in ascending order of numbers. Batches take turns: the one of which
   * nothing was leased for longest comes first, counted from when it was added, unless the order
   * says that others come before it. A store may hand out nothing while it has no room for results.
   * A request whose bill was claimed by another node is leased to others only once all that node
   * wrote down is known, or {@code patience} after the end of its lease.
   *
   * @param most how many; 1 to 100
   * @param until end of the leases
   * @param patience as an earlier moment: a claimed request whose lease ended before it is leased
   *     although nobody knows whether it was billed
   * @param order what comes last, and what does not come at all
   */
  List<Leased> lease(int most, Instant now, Instant until, Instant patience, Order order);

  /**
   * Makes leases end later.
   *
   * @return those that are still this node's
   */
  Set<Lease> renew(Collection<Lease> leases, Instant until);

  /**
   * Claims the right to bill a request, under this lease and no earlier one. When it returns true,
   * that survives the end of the process: who leases the request later is told. A request that is
   * billed in parts is claimed before each of them: the last claim is the one that counts.
   *
   * @param generation under which it is going to be billed with its record, so that {@link
   *     GenerationStore#find} tells later whether it was; empty where a record would not tell: then
   *     it counts as billed from now on
   * @param billed what is going to be charged to credits, all parts so far together
   * @return false when the lease is lost: nothing may be billed
   */
  boolean claim(Lease lease, String generation, Usd billed);

  /**
   * Writes the result of a request, once, and counts it.
   *
   * @return false when the lease is lost; then nothing was written
   */
  boolean finish(Lease lease, Result result);

  /**
   * Gives a request back before it has a result.
   *
   * @param readyAt from when on it may be leased again
   * @param attempted whether it counts as an attempt
   */
  void postpone(Lease lease, Instant readyAt, boolean attempted);

  /**
   * Gives one result to requests of a batch that is not {@link BatchStore.Phase#OPEN} any more: to
   * those without a result that nobody has leased at this moment.
   *
   * @param most how many at most; 1 to 1000
   * @return how many
   */
  int finishRest(String batch, Result result, Instant now, int most);

  /** Returns how many requests of a batch have no result; of those, some may be leased. */
  int open(String batch);
}
