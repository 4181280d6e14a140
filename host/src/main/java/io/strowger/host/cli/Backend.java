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
 * The gateway that a host serves, as soon as its store is available. Until then every request is
 * refused with 503, and a thread of its own retries to open the store. Safe on any thread.
 */
final class Backend implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private static final Duration SHORTEST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final long REPEAT_LOG = Duration.ofSeconds(30).toNanos();

  private final StoreChoice.Pending pending;
  private final Factory factory;
  private final Ambient ambient;
  private final ReentrantLock opening = new ReentrantLock(); // held during an attempt to open
  private volatile Readiness waiting = Readiness.STARTING; // the state while there is no gateway
  private volatile @Nullable Open open;
  private volatile @Nullable CommandException refusal;
  private Runnable whenRefused = () -> {}; // this and the next two fields are guarded by the lock
  private @Nullable Thread thread;
  private boolean closed;

  /** Creates a gateway with a store. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param stores the stores, which the caller closes after the gateway
     * @throws StoreUnavailableException when the store has become unavailable; nothing is left open
     */
    Served over(Stores stores) throws CommandException;
  }

  /**
   * A running gateway.
   *
   * @param api answers requests for the paths of the engine and of the host
   * @param reload reads its configuration again and applies it
   */
  record Served(
      RunningGateway running, Function<WireRequest, WireResponse> api, Supplier<Reloaded> reload) {}

  private record Open(Stores stores, Served served) {}

  /**
   * @param pending opens the stores; closed with this backend
   */
  Backend(StoreChoice.Pending pending, Factory factory, Ambient ambient) {
    this.pending = Objects.requireNonNull(pending, "pending");
    this.factory = Objects.requireNonNull(factory, "factory");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * Opens the store and builds the gateway; retries in the background while the store cannot be
   * reached. Call once.
   *
   * @throws CommandException when retrying cannot help
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

  /** Opens the store and builds the gateway. The caller holds the lock. */
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

  /**
   * Makes another attempt; returns why the store is still unavailable, or null when no further
   * attempt is needed.
   */
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

  /**
   * Sets an action that runs when the gateway cannot be started and no further attempt is made;
   * runs it at once when that is already so.
   */
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

  /** Returns why the gateway cannot be started; null while it can. */
  @Nullable CommandException refusal() {
    return refusal;
  }

  /** Answers a request; with 503 while there is no gateway. */
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

  /** Returns whether requests are served, and otherwise why not. */
  Readiness readiness() {
    Open now = open;
    return now == null ? waiting : now.served().running().gateway().readiness();
  }

  /** Reads the configuration again and applies it; changes nothing while there is no gateway. */
  Reloaded reload() {
    Open now = open;
    if (now == null) {
      LOG.error(
          "the configuration was not reloaded: the gateway is still starting; try again later");
      return new Reloaded.StoreAway();
    }
    return now.served().reload().get();
  }

  /** Ends the attempts to start, or closes the gateway and then its store. */
  @Override
  public void close() {
    Thread running;
    opening.lock(); // waits for a running attempt
    try {
      closed = true;
      running = thread;
    } finally {
      opening.unlock();
    }
    if (running != null) {
      running.interrupt(); // it can only be sleeping now
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
