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
 * Looks names up under {@link AddressRules}, and waits no longer than asked: a name service may
 * take half a minute to give up, and nothing stops it. So a look-up has a thread of its own, which
 * whoever waits for it may leave behind; there are few of those at a time. Safe on any thread.
 */
final class BoundedHostResolver implements ConnectionOptions.HostResolver {
  private static final int MOST = 64; // at the same time, those left behind too

  private final AddressRules rules;
  private final Semaphore places = new Semaphore(MOST);
  private volatile @Nullable Ambient ambient;

  BoundedHostResolver(AddressRules rules) {
    this.rules = rules;
  }

  /** From now on look-ups are bounded in time; before that they run on the thread that waits. */
  void runBy(Ambient threads) {
    ambient = threads;
  }

  @Override
  public List<InetAddress> of(String host, int port, Duration within) throws IOException {
    Ambient threads = ambient;
    if (threads == null) {
      return rules.addresses(host, port);
    }
    if (!places.tryAcquire()) {
      throw new Transport.NoFreeConnectionException(null);
    }
    var found = new FutureTask<>(() -> rules.addresses(host, port));
    threads.start(
        "name-lookup",
        () -> {
          try {
            found.run();
          } finally {
            places.release();
          }
        });
    return await(found, within);
  }

  private static List<InetAddress> await(FutureTask<List<InetAddress>> found, Duration within)
      throws IOException {
    try {
      return found.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException slow) {
      throw new SocketTimeoutException("the name was not looked up in time");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case IOException none -> throw none;
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(failed);
      }
    }
  }
}
