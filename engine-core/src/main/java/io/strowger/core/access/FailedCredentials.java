package io.strowger.core.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Slows down clients that guess keys. Every network may fail {@value #FREE_FAILURES} times and
 * regains one failure a second. Each failure beyond that adds a second to the debt of the network.
 * The answer is delayed by the debt, at most {@value #MAX_DELAY_SECONDS} seconds. With a debt of
 * more than {@value #REFUSAL_DEBT_SECONDS} seconds the answer is 429 and the key is not looked up,
 * unless this node has found it before. A request with a valid key is never counted.
 *
 * <p>An IPv6 /48, which may belong to one customer, may fail {@value #WIDER_FACTOR} times as often
 * in total, so that changing the network within it gains no more than that.
 *
 * <p>The {@value #MAX_NETWORKS} networks that failed last are remembered. At most {@value
 * #MAX_WAITING} answers are delayed at a time; further ones are 429 without a delay. The counts are
 * those of this node and are lost with the process. Safe on any thread.
 */
public final class FailedCredentials {
  private static final int FREE_FAILURES = 20;
  private static final int WIDER_FACTOR = 16;
  private static final int MAX_DELAY_SECONDS = 10;
  private static final int REFUSAL_DEBT_SECONDS = 60;
  private static final int MAX_NETWORKS = 50_000;
  private static final int MAX_WAITING = 512;

  private static final long NANOS_PER_FAILURE = Duration.ofSeconds(1).toNanos();
  private static final long MAX_CREDIT = FREE_FAILURES * NANOS_PER_FAILURE;

  /**
   * The largest debt of a network in nanoseconds, however often it fails: a program that keeps
   * using a disabled key must not block new keys from the same address for hours.
   */
  private static final long MAX_DEBT =
      (REFUSAL_DEBT_SECONDS + MAX_DELAY_SECONDS) * NANOS_PER_FAILURE;

  /** How often a waiting request is checked for cancellation. */
  private static final long CHECK_INTERVAL = Duration.ofSeconds(1).toNanos();

  private final Ambient ambient;
  private final Debts debts = new Debts(NANOS_PER_FAILURE);
  private final Debts widerDebts = new Debts(NANOS_PER_FAILURE / WIDER_FACTOR);
  private final LongAdder failures = new LongAdder();
  private final LongAdder delays = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final AtomicInteger waitingCount = new AtomicInteger();

  public FailedCredentials(Ambient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /** Returns the counts as of now. */
  public FailedCredentialCounts snapshot() {
    return new FailedCredentialCounts(
        failures.sum(), delays.sum(), refusals.sum(), waitingCount.get(), debts.networks());
  }

  /** The debts of all networks of one size. */
  private static final class Debts {
    // when each network is free of debt, by Ambient.nanoTime(); a time in the past means that the
    // network may still fail at no cost
    private final Cache<ClientNetwork, AtomicLong> debtFreeAt =
        Caffeine.newBuilder().maximumSize(MAX_NETWORKS).executor(Runnable::run).build();
    private final long cost;

    /**
     * @param cost the cost of one failure, in nanoseconds
     */
    Debts(long cost) {
      this.cost = cost;
    }

    long networks() {
      debtFreeAt.cleanUp();
      return debtFreeAt.estimatedSize();
    }

    /** Returns the debt of a network in nanoseconds; negative when it may still fail at no cost. */
    long debt(@Nullable ClientNetwork network, long now) {
      AtomicLong debtFree = network == null ? null : debtFreeAt.getIfPresent(network);
      return debtFree == null ? -MAX_CREDIT : debtFree.get() - now;
    }

    /** Adds a failure and returns the new debt in nanoseconds. */
    long addFailure(@Nullable ClientNetwork network, long now) {
      if (network == null) {
        return -MAX_CREDIT;
      }
      AtomicLong debtFree = debtFreeAt.get(network, unseen -> new AtomicLong(now - MAX_CREDIT));
      return debtFree.updateAndGet(
              at -> now + Math.min(Math.max(at - now, -MAX_CREDIT) + cost, MAX_DEBT))
          - now;
    }
  }

  /**
   * Refuses a network that failed far too often. Call this before looking up a key that is not
   * known to be good.
   *
   * @throws GatewayException 429 when the key may not be looked up now
   */
  public void check(ClientNetwork network) {
    long now = ambient.nanoTime();
    long debt = Math.max(debts.debt(network, now), widerDebts.debt(network.enclosing(), now));
    long excess = debt - REFUSAL_DEBT_SECONDS * NANOS_PER_FAILURE;
    if (excess > 0) {
      throw refusal(excess);
    }
  }

  /**
   * Counts a failure, and delays the calling thread if the network has a debt.
   *
   * @param refusal the answer when the wait is over
   * @param cancellation the cancellation of the request; it ends the wait
   * @return the exception to throw: the refusal, or 429 when too many answers are delayed already
   */
  public GatewayException recordFailure(
      ClientNetwork network, GatewayException refusal, Cancellation cancellation) {
    failures.increment();
    long now = ambient.nanoTime();
    long debt =
        Math.max(debts.addFailure(network, now), widerDebts.addFailure(network.enclosing(), now));
    if (debt <= 0) {
      return refusal;
    }
    if (waitingCount.incrementAndGet() > MAX_WAITING) {
      waitingCount.decrementAndGet();
      return refusal(debt);
    }
    try {
      delays.increment();
      long deadline = now + Math.min(debt, MAX_DELAY_SECONDS * NANOS_PER_FAILURE);
      for (long left = deadline - now;
          left > 0 && !cancellation.isCancelled();
          left = deadline - ambient.nanoTime()) {
        ambient.sleep(Duration.ofNanos(Math.min(left, CHECK_INTERVAL)));
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } finally {
      waitingCount.decrementAndGet();
    }
    return refusal;
  }

  private GatewayException refusal(long nanos) {
    refusals.increment();
    long seconds = Math.max(1, (nanos + NANOS_PER_FAILURE - 1) / NANOS_PER_FAILURE);
    return GatewayError.of(
            ErrorCode.RATE_LIMIT_EXCEEDED,
            "Too many requests with wrong credentials from this address")
        .withRetryAfter(seconds)
        .toException();
  }
}
