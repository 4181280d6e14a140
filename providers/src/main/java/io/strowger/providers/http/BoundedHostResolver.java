package io.strowger.providers.http;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names under {@link AddressRules} within a time limit: a resolver may take half a minute
 * to give up and cannot be interrupted. So each look-up runs on a thread of its own. The thread
 * continues after the wait for the look-up has timed out; the number of such threads is bounded.
 * Safe on any thread.
 */
final class BoundedHostResolver implements ConnectionOptions.HostResolver {
  private static final int MAX_LOOKUPS = 64; // concurrent look-ups, abandoned ones included

  private final AddressRules rules;
  private final Semaphore permits = new Semaphore(MAX_LOOKUPS);
  private volatile @Nullable Ambient ambient;

  BoundedHostResolver(AddressRules rules) {
    this.rules = rules;
  }

  /** Bounds later look-ups in time; until this is called they run on the waiting thread. */
  void enableTimeLimit(Ambient threads) {
    ambient = threads;
  }

  @Override
  public List<InetAddress> resolve(String host, int port, Duration timeout) throws IOException {
    Ambient threads = ambient;
    if (threads == null) {
      return rules.addresses(host, port);
    }
    if (!permits.tryAcquire()) {
      throw new Transport.NoFreeConnectionException(null);
    }
    var lookup = new FutureTask<>(() -> rules.addresses(host, port));
    threads.start(
        "name-lookup",
        () -> {
          try {
            lookup.run();
          } finally {
            permits.release();
          }
        });
    return await(lookup, timeout);
  }

  private static List<InetAddress> await(FutureTask<List<InetAddress>> lookup, Duration timeout)
      throws IOException {
    try {
      return lookup.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException slow) {
      throw new SocketTimeoutException("the name was not looked up in time");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the name was looked up");
    } catch (ExecutionException failure) {
      switch (failure.getCause()) {
        case IOException io -> throw io;
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(failure);
      }
    }
  }
}
