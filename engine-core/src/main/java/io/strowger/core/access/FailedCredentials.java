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
 * Slows down clients that guess keys. Every network may fail {@value #FREE} times and regains one
 * failure a second. Each failure beyond that adds a second to the debt of the network. The answer
 * is delayed by the debt, at most {@value #LONGEST_SECONDS} seconds. With a debt of more than
 * {@value #MAX_BEHIND_SECONDS} seconds the answer is 429 and the key is not looked up, unless this
 * node has found it before. A request with a valid key is never counted.
 *
 * <p>An IPv6 /48, which may belong to one customer, may fail {@value #WIDER} times as often in
 * total, so that changing the network within it gains no more than that.
 *
 * <p>The {@value #MAX_NETWORKS} networks that failed last are remembered. At most {@value
 * #MAX_WAITING} answers are delayed at a time; further ones are 429 without a delay. The counts are
 * those of this node and are lost with the process. Safe on any thread.
 */
public final class FailedCredentials {
  private static final int FREE = 20;
  private static final int WIDER = 16;
  private static final int LONGEST_SECONDS = 10;
  private static final int MAX_BEHIND_SECONDS = 60;
  private static final int MAX_NETWORKS = 50_000;
  private static final int MAX_WAITING = 512;

  private static final long COST = Duration.ofSeconds(1).toNanos();
  private static final long SAVED = FREE * COST;

  /**
   * The largest debt of a network in nanoseconds, however often it fails: a program that keeps
   * using a disabled key must not block new keys from the same address for hours.
   */
  private static final long MAX_OWED = (MAX_BEHIND_SECONDS + LONGEST_SECONDS) * COST;

  /** How often a waiting request is checked for cancellation. */
  private static final long STEP = Duration.ofSeconds(1).toNanos();

  private final Ambient ambient;
  private final Debts debts = new Debts(COST);
  private final Debts wider = new Debts(COST / WIDER);
  private final LongAdder failed = new LongAdder();
  private final LongAdder delayed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicInteger waiting = new AtomicInteger();

  public FailedCredentials(Ambient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /** Returns the counts as of now. */
  public FailedCredentialCounts snapshot() {
    return new FailedCredentialCounts(
        failed.sum(), delayed.sum(), refused.sum(), waiting.get(), debts.networks());
  }

  /** The debts of all networks of one size. */
  private static final class Debts {
    // when each network is free of debt, on Ambient.nanoTime(); in the past by what it has saved
    private final Cache<ClientNetwork, AtomicLong> evenAt =
        Caffeine.newBuilder().maximumSize(MAX_NETWORKS).executor(Runnable::run).build();
    private final long cost;

    /**
     * @param cost the cost of one failure, in nanoseconds
     */
    Debts(long cost) {
      this.cost = cost;
    }

    long networks() {
      evenAt.cleanUp();
      return evenAt.estimatedSize();
    }

    /** Returns the debt of a network in nanoseconds; negative when it may still fail at no cost. */
    long behind(@Nullable ClientNetwork of, long now) {
      AtomicLong even = of == null ? null : evenAt.getIfPresent(of);
      return even == null ? -SAVED : even.get() - now;
    }

    /** Adds a failure and returns the new debt in nanoseconds. */
    long fail(@Nullable ClientNetwork of, long now) {
      if (of == null) {
        return -SAVED;
      }
      AtomicLong even = evenAt.get(of, unseen -> new AtomicLong(now - SAVED));
      return even.updateAndGet(at -> now + Math.min(Math.max(at - now, -SAVED) + cost, MAX_OWED))
          - now;
    }
  }

  /**
   * Refuses a network that failed far too often. Call this before looking up a key that is not
   * known to be good.
   *
   * @throws GatewayException 429 when the key may not be looked up now
   */
  public void check(ClientNetwork of) {
    long now = ambient.nanoTime();
    long behind = Math.max(debts.behind(of, now), wider.behind(of.wider(), now));
    long tooFar = behind - MAX_BEHIND_SECONDS * COST;
    if (tooFar > 0) {
      throw refusal(tooFar);
    }
  }

  /**
   * Counts a failure, and delays the calling thread if the network has a debt.
   *
   * @param refusal the answer when the wait is over
   * @param cancellation the cancellation of the request; it ends the wait
   * @return the exception to throw: the refusal, or 429 when too many answers are delayed already
   */
  public GatewayException failed(
      ClientNetwork of, GatewayException refusal, Cancellation cancellation) {
    failed.increment();
    long now = ambient.nanoTime();
    long behind = Math.max(debts.fail(of, now), wider.fail(of.wider(), now));
    if (behind <= 0) {
      return refusal;
    }
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return refusal(behind);
    }
    try {
      delayed.increment();
      long until = now + Math.min(behind, LONGEST_SECONDS * COST);
      for (long left = until - now;
          left > 0 && !cancellation.isCancelled();
          left = until - ambient.nanoTime()) {
        ambient.sleep(Duration.ofNanos(Math.min(left, STEP)));
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.decrementAndGet();
    }
    return refusal;
  }

  private GatewayException refusal(long nanos) {
    refused.increment();
    long seconds = Math.max(1, (nanos + COST - 1) / COST);
    return GatewayError.of(
            ErrorCode.RATE_LIMIT_EXCEEDED,
            "Too many requests with wrong credentials from this address")
        .withRetryAfter(seconds)
        .toException();
  }
}
