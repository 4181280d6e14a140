package io.strowger.host.cli;

import io.strowger.core.Readiness;
import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.http.HttpApi;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.Reloaded;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host serves: a gateway, once its store is there. Until then every request is told so with
 * 503, and the store is asked for again and again on a thread of its own. Safe on any thread.
 */
final class Backend implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private static final Duration SHORTEST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final long REPEAT_LOG = Duration.ofSeconds(30).toNanos();

  private final StoreChoice.Pending pending;
  private final Factory factory;
  private final Ambient ambient;
  private final ReentrantLock opening = new ReentrantLock(); // held by an attempt
  private volatile Readiness waiting = Readiness.STARTING; // while there is no gateway
  private volatile @Nullable Open open;
  private volatile @Nullable CommandException refusal;
  private Runnable whenRefused = () -> {}; // these three under the lock
  private @Nullable Thread thread;
  private boolean closed;

  /** Makes a gateway over its store. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param stores closed by the caller, after what is returned
     * @throws StoreUnavailableException when the store went away meanwhile; nothing is left open
     */
    Served over(Stores stores) throws CommandException;
  }

  /**
   * A gateway that serves.
   *
   * @param api the engine's paths and the host's own
   * @param reload reads its configuration again and applies it
   */
  record Served(
      RunningGateway running, Function<WireRequest, WireResponse> api, Supplier<Reloaded> reload) {}

  private record Open(Stores stores, Served served) {}

  /**
   * @param pending closed with this
   */
  Backend(StoreChoice.Pending pending, Factory factory, Ambient ambient) {
    this.pending = Objects.requireNonNull(pending, "pending");
    this.factory = Objects.requireNonNull(factory, "factory");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * Opens the store and builds the gateway, or goes on trying in the background while the store
   * cannot be reached. Call once.
   *
   * @throws CommandException when that cannot heal by itself
   */
  void start() throws CommandException {
    opening.lock();
    try {
      attempt();
    } catch (StoreUnavailableException away) {
      LOG.warn(
          "the store is unavailable; requests get 503 until it answers: {}", away.getMessage());
      waiting = Readiness.STORE_UNAVAILABLE;
      thread = ambient.startService("strowger-store-wait", this::keepTrying);
    } finally {
      opening.unlock();
    }
  }

  /** Call under the lock. */
  private void attempt() throws CommandException {
    Stores stores = pending.open();
    try {
      open = new Open(stores, factory.over(stores));
    } catch (CommandException | RuntimeException | Error e) {
      stores.close();
      throw e;
    }
  }

  private void keepTrying() {
    Duration pause = SHORTEST;
    long logged = ambient.nanoTime();
    boolean isOver = false;
    while (!isOver) {
      try {
        ambient.sleep(pause);
      } catch (InterruptedException closing) {
        return;
      }
      String away = tryAgain();
      isOver = away == null;
      if (away != null && ambient.nanoTime() - logged >= REPEAT_LOG) {
        LOG.warn("the store is still unavailable: {}", away);
        logged = ambient.nanoTime();
      }
      pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
    }
  }

  /** Why the store cannot be had yet; null when there is nothing more to try. */
  private @Nullable String tryAgain() {
    opening.lock();
    try {
      if (!closed) {
        attempt();
        LOG.info("the store is available; requests are served");
      }
      return null;
    } catch (StoreUnavailableException away) {
      return String.valueOf(away.getMessage());
    } catch (CommandException e) {
      refused(e);
      return null;
    } catch (RuntimeException | Error bug) {
      LOG.error("the gateway cannot be started", bug);
      refused(new CommandException("the gateway cannot be started: " + bug));
      return null;
    } finally {
      opening.unlock();
    }
  }

  private void refused(CommandException why) {
    refusal = why;
    whenRefused.run();
  }

  /** Runs something as soon as waiting has turned out to be in vain, at once when it has. */
  void onRefusal(Runnable action) {
    opening.lock();
    try {
      whenRefused = action;
      if (refusal != null) {
        action.run();
      }
    } finally {
      opening.unlock();
    }
  }

  /** Why waiting was in vain; null when it was not, so far. */
  @Nullable CommandException refusal() {
    return refusal;
  }

  /** Answers a request. */
  WireResponse handle(WireRequest request) {
    Open now = open;
    if (now != null) {
      return now.served().api().apply(request);
    }
    Readiness why = waiting;
    return HttpApi.refusal(
        request.path(),
        GatewayError.of(ErrorCode.UNAVAILABLE, why.message()).withRetryAfter(retryAfter(why)));
  }

  private static long retryAfter(Readiness why) {
    return why == Readiness.STARTING ? 1 : LONGEST.toSeconds();
  }

  /** Whether requests are served. */
  Readiness readiness() {
    Open now = open;
    return now == null ? waiting : now.served().running().gateway().readiness();
  }

  /** Reads the configuration again and applies it, once there is a gateway. */
  Reloaded reload() {
    Open now = open;
    if (now == null) {
      LOG.error(
          "the configuration was not reloaded: the gateway is still starting; try again later");
      return new Reloaded.StoreAway();
    }
    return now.served().reload().get();
  }

  /** Ends the waiting, or closes the gateway and then its store. */
  @Override
  public void close() {
    Thread running;
    opening.lock(); // waits for an attempt
    try {
      closed = true;
      running = thread;
    } finally {
      opening.unlock();
    }
    if (running != null) {
      running.interrupt(); // it does nothing but sleep by now
      ThreadJoiner.joinUninterruptibly(running);
    }
    Open now = open;
    try (pending) {
      if (now != null) {
        closeBoth(now);
      }
    }
  }

  private static void closeBoth(Open now) {
    try {
      now.served().running().close();
    } finally {
      now.stores().close();
    }
  }
}
