package io.strowger.host.cli;

import io.strowger.core.Readiness;
import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.core.http.HttpApi;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.ReloadResult;
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
 * refused with 503, and a background thread tries again to open the store. Safe on any thread.
 */
final class DeferredGateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");

  private static final Duration MIN_PAUSE = Duration.ofMillis(250);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final long REPEAT_LOG = Duration.ofSeconds(30).toNanos();

  private final StoreChoice.PreparedStore preparedStore;
  private final Factory factory;
  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock(); // held during an attempt to open
  private volatile Readiness pendingReadiness =
      Readiness.STARTING; // the state while there is no gateway
  private volatile @Nullable OpenGateway open;
  private volatile @Nullable CommandException startFailure;
  private Runnable startFailureAction =
      () -> {}; // this and the next two fields are guarded by the lock
  private @Nullable Thread retryThread;
  private boolean closed;

  /** Creates a gateway with a store. */
  @FunctionalInterface
  interface Factory {
    /**
     * @param stores the stores, which the caller closes after the gateway
     * @throws StoreUnavailableException when the store has become unavailable; nothing is left open
     */
    GatewayHandlers create(Stores stores) throws CommandException;
  }

  /**
   * A running gateway with the functions that its host calls.
   *
   * @param api answers requests for the paths of the engine and of the host
   * @param reload reads the gateway's configuration again and applies it
   */
  record GatewayHandlers(
      RunningGateway running,
      Function<WireRequest, WireResponse> api,
      Supplier<ReloadResult> reload) {}

  private record OpenGateway(Stores stores, GatewayHandlers handlers) {}

  /**
   * @param preparedStore opens the stores; closed with this object
   */
  DeferredGateway(StoreChoice.PreparedStore preparedStore, Factory factory, Ambient ambient) {
    this.preparedStore = Objects.requireNonNull(preparedStore, "preparedStore");
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
    lock.lock();
    try {
      attempt();
    } catch (StoreUnavailableException unavailable) {
      LOG.warn(
          "the store is unavailable; requests get 503 until it answers: {}",
          unavailable.getMessage());
      pendingReadiness = Readiness.STORE_UNAVAILABLE;
      retryThread = ambient.startService("strowger-store-wait", this::retryUntilOpen);
    } finally {
      lock.unlock();
    }
  }

  /** Opens the store and builds the gateway. The caller holds the lock. */
  private void attempt() throws CommandException {
    Stores stores = preparedStore.open();
    try {
      open = new OpenGateway(stores, factory.create(stores));
    } catch (CommandException | RuntimeException | Error e) {
      stores.close();
      throw e;
    }
  }

  private void retryUntilOpen() {
    Duration pause = MIN_PAUSE;
    long logged = ambient.nanoTime();
    boolean isDone = false;
    while (!isDone) {
      try {
        ambient.sleep(pause);
      } catch (InterruptedException closing) {
        return;
      }
      String reason = retry();
      isDone = reason == null;
      if (reason != null && ambient.nanoTime() - logged >= REPEAT_LOG) {
        LOG.warn("the store is still unavailable: {}", reason);
        logged = ambient.nanoTime();
      }
      pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
    }
  }

  /**
   * Makes another attempt; returns why the store is still unavailable, or null when no further
   * attempt is needed.
   */
  private @Nullable String retry() {
    lock.lock();
    try {
      if (!closed) {
        attempt();
        LOG.info("the store is available; requests are served");
      }
      return null;
    } catch (StoreUnavailableException unavailable) {
      return String.valueOf(unavailable.getMessage());
    } catch (CommandException e) {
      recordStartFailure(e);
      return null;
    } catch (RuntimeException | Error bug) {
      LOG.error("the gateway cannot be started", bug);
      recordStartFailure(new CommandException("the gateway cannot be started: " + bug));
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void recordStartFailure(CommandException cause) {
    startFailure = cause;
    startFailureAction.run();
  }

  /**
   * Sets an action that runs when the gateway cannot be started and no further attempt is made;
   * runs it at once when that is already so.
   */
  void onStartFailure(Runnable action) {
    lock.lock();
    try {
      startFailureAction = action;
      if (startFailure != null) {
        action.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the gateway cannot be started; null while it can. */
  @Nullable CommandException startFailure() {
    return startFailure;
  }

  /** Answers a request; with 503 while there is no gateway. */
  WireResponse handle(WireRequest request) {
    OpenGateway current = open;
    if (current != null) {
      return current.handlers().api().apply(request);
    }
    Readiness state = pendingReadiness;
    return HttpApi.refusal(
        request.path(),
        GatewayError.of(ErrorCode.UNAVAILABLE, state.message()).withRetryAfter(retryAfter(state)));
  }

  private static long retryAfter(Readiness state) {
    return state == Readiness.STARTING ? 1 : MAX_PAUSE.toSeconds();
  }

  /** Returns whether requests are served, and otherwise why not. */
  Readiness readiness() {
    OpenGateway current = open;
    return current == null ? pendingReadiness : current.handlers().running().gateway().readiness();
  }

  /** Reads the configuration again and applies it; changes nothing while there is no gateway. */
  ReloadResult reload() {
    OpenGateway current = open;
    if (current == null) {
      LOG.error(
          "the configuration was not reloaded: the gateway is still starting; try again later");
      return new ReloadResult.StoreUnavailable();
    }
    return current.handlers().reload().get();
  }

  /** Ends the attempts to start, or closes the gateway and then its store. */
  @Override
  public void close() {
    Thread retrying;
    lock.lock(); // waits for a running attempt
    try {
      closed = true;
      retrying = retryThread;
    } finally {
      lock.unlock();
    }
    if (retrying != null) {
      retrying.interrupt(); // the thread can only be sleeping now
      ThreadJoiner.joinUninterruptibly(retrying);
    }
    OpenGateway current = open;
    try (preparedStore) {
      if (current != null) {
        closeBoth(current);
      }
    }
  }

  private static void closeBoth(OpenGateway current) {
    try {
      current.handlers().running().close();
    } finally {
      current.stores().close();
    }
  }
}
