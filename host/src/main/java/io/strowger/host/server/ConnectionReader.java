package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection: on the connection's own thread while a request is received, and on a
 * watcher thread while a request is in progress for longer than usual.
 *
 * <p>The connection's thread does not read while a request is in progress, so it would not notice
 * that the client is gone. When the {@link ConnectionSweep} finds a request in progress for the
 * second time, it starts a watcher: a virtual thread that waits for the next bytes. The end of the
 * input means that the client is gone. Bytes are the beginning of the next request and are kept for
 * it, one piece at most. A client that closes only its sending side is treated as gone. Once bytes
 * of a next request have arrived, a client that goes away is not noticed until they are read.
 *
 * <p>What several threads must agree on is one {@link State}, which changes only by
 * compare-and-set:
 *
 * <pre>{@code
 * Quiet -> Reading (connection)     -> Quiet (connection) | Expired (sweep)
 * Quiet -> Serving (connection)     -> Quiet (connection) | Watched (sweep)
 * Watched -> Watched (connection)   -> ReadAhead (watcher) | Awaited (connection)
 * Watched -> Serving | Quiet (sweep, when no watcher can be started), Awaited -> Quiet as well
 * Awaited -> ReadAhead (watcher) | Expired (sweep)
 * ReadAhead -> Quiet (connection)
 * }</pre>
 *
 * <p>No wait has a timer: {@link #check} finds a thread that waits too long and wakes it by ending
 * the input of the socket, so that an answer can still be written. With TLS a read may be blocked
 * in a write, which this does not wake; the sweep aborts the connection a little later.
 */
final class ConnectionReader {
  private static final State QUIET = new Quiet();

  private final ClientSocket socket;
  private final Ambient ambient;
  private final ReadTimeout readTimeout;
  private final AtomicReference<State> state = new AtomicReference<>(QUIET);
  // why no further request is read; null while requests are read
  private volatile @Nullable String stopReason;
  private @Nullable State lastSweptState; // the state at the previous sweep; confined to the sweep
  // the following fields are confined to the connection's thread
  private int requestNumber;
  private boolean isIdle = true; // no byte of the next request has been received
  private boolean inHead = true;
  private long received; // bytes of the current request
  private long timeLimit; // nanoseconds for everything still to be received; 0 for no limit

  /**
   * @param clientTimeout how long a client may be silent in the middle of its request
   */
  ConnectionReader(ClientSocket socket, Duration clientTimeout, Ambient ambient) {
    this.socket = socket;
    this.ambient = ambient;
    this.readTimeout = new ReadTimeout(clientTimeout);
  }

  /**
   * Describes what a read waits for. Instances are compared by identity: each read has its own.
   *
   * @param requestNumber number of the request on its connection
   * @param isIdle whether no byte of the request has been received
   * @param inHead whether the head has not been received completely
   * @param received bytes of the request received so far
   * @param timeLimit nanoseconds after the first read with this value within which all reads must
   *     end; 0 for no limit
   */
  record Wait(int requestNumber, boolean isIdle, boolean inHead, long received, long timeLimit) {}

  /** Which thread may use the socket's input. */
  private sealed interface State {}

  /** The connection's thread may read, and is not reading. */
  private static final class Quiet implements State {}

  /** The connection's thread reads. */
  private record Reading(Wait readWait) implements State {}

  /** A request is in progress, and no thread reads. */
  private static final class Serving implements State {
    private final Runnable onClientGone;

    Serving(Runnable onClientGone) {
      this.onClientGone = onClientGone;
    }
  }

  /** The watcher reads. */
  private static final class Watched implements State {
    private final @Nullable Runnable onClientGone; // null when the request is over

    Watched(@Nullable Runnable onClientGone) {
      this.onClientGone = onClientGone;
    }
  }

  /** The watcher reads, and the connection's thread is parked until the watcher has read. */
  private record Awaited(Wait readWait, Thread thread) implements State {}

  /** The watcher has read, and the connection's thread has not taken the result. */
  private static final class ReadAhead implements State {
    private final byte @Nullable [] bytes; // null at the end of the input
    private final @Nullable RuntimeException failure;

    ReadAhead(byte @Nullable [] bytes, @Nullable RuntimeException failure) {
      this.bytes = bytes;
      this.failure = failure;
    }

    boolean isEnd() {
      return bytes == null;
    }
  }

  /** The client was given up. This state is final. */
  private record Expired(String reason) implements State {}

  // ---- the connection's thread

  /** Waits for the next bytes and returns them; null at the end of the input. */
  byte @Nullable [] readBytes() {
    while (true) {
      switch (state.get()) {
        case Quiet now -> {
          var reading = new Reading(newWait());
          if (state.compareAndSet(now, reading)) {
            return readInline(reading);
          }
        }
        case ReadAhead result -> {
          if (state.compareAndSet(result, QUIET)) {
            return takeReadAhead(result);
          }
        }
        case Watched watched -> {
          var awaited = new Awaited(newWait(), Thread.currentThread());
          if (state.compareAndSet(watched, awaited)) {
            await(awaited);
          }
        }
        case Serving serving -> state.compareAndSet(serving, QUIET);
        case Expired expired -> throw new CloseConnectionException(expired.reason());
        case Reading reading -> throw new IllegalStateException("two threads read");
        case Awaited awaited -> throw new IllegalStateException("two threads wait");
      }
    }
  }

  /** Returns whether {@link #read} may be called: nothing was read ahead or is being read ahead. */
  boolean supportsDirectRead() {
    return state.get() instanceof Quiet && socket.supportsDirectRead();
  }

  /**
   * Waits for the next bytes and puts them into an array.
   *
   * @param length at least 1
   * @return the number of bytes read; -1 at the end of the input
   */
  int read(byte[] into, int from, int length) {
    State now = state.get();
    var reading = new Reading(newWait());
    if (!(now instanceof Quiet) || !state.compareAndSet(now, reading)) {
      throw new IllegalStateException("bytes were read ahead");
    }
    int count;
    try {
      throwIfStopped(reading.readWait());
      count = socket.read(into, from, length);
    } catch (RuntimeException e) {
      throw endFailedReading(reading, e);
    }
    endReading(reading);
    recordArrival(count);
    return count;
  }

  private Wait newWait() {
    return new Wait(requestNumber, isIdle, inHead, received, timeLimit);
  }

  private byte @Nullable [] readInline(Reading reading) {
    byte[] bytes;
    try {
      throwIfStopped(reading.readWait());
      bytes = socket.read();
    } catch (RuntimeException e) {
      throw endFailedReading(reading, e);
    }
    endReading(reading);
    recordArrival(bytes == null ? -1 : bytes.length);
    return bytes;
  }

  /**
   * Throws if the connection was stopped. {@link #stop} sets the reason before it reads the state;
   * this is called after the state was set, so one of the two sees the other.
   */
  private void throwIfStopped(Wait wait) {
    String reason = stopReason;
    if (reason != null && wait.inHead()) {
      throw new CloseConnectionException(reason);
    }
  }

  /** Ends a read that failed and returns the exception to throw. */
  private RuntimeException endFailedReading(Reading reading, RuntimeException e) {
    endReading(reading);
    return e instanceof CloseConnectionException
        ? e
        : new ServerConnectionException("the connection broke", e);
  }

  private void endReading(Reading reading) {
    if (!state.compareAndSet(reading, QUIET) && state.get() instanceof Expired expired) {
      throw new CloseConnectionException(expired.reason());
    }
  }

  private void await(Awaited awaited) {
    throwIfStopped(awaited.readWait());
    while (state.get() == awaited) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        throw new CloseConnectionException("the server stops");
      }
    }
  }

  private byte @Nullable [] takeReadAhead(ReadAhead result) {
    if (result.failure != null) {
      throw new ServerConnectionException("the connection broke", result.failure);
    }
    recordArrival(result.bytes == null ? -1 : result.bytes.length);
    return result.bytes;
  }

  private void recordArrival(int bytes) {
    isIdle = false;
    received += Math.max(0, bytes);
  }

  /**
   * Prepares for reading the next request.
   *
   * @param isPartlyReceived whether some of its bytes were received together with the previous
   *     request, so that the client is already sending it
   */
  void nextRequest(boolean isPartlyReceived) {
    requestNumber++;
    isIdle = !isPartlyReceived;
    inHead = true;
    received = 0;
  }

  /** Notes that the head of the request has been received completely. */
  void endHead() {
    inHead = false;
  }

  /** Limits the total time for everything the client still sends. */
  void limitRemainingTime(Duration limit) {
    timeLimit = Math.max(1, limit.toNanos());
  }

  /**
   * Sets the action to run when the client goes away; it runs at most once and perhaps on another
   * thread. It replaces a previous action. The request must have been read to its end.
   *
   * @return whether the sweep must call {@link #watchWhenSlow} twice before the client is watched
   */
  boolean watch(Runnable onClientGone) {
    while (true) {
      switch (state.get()) {
        case Quiet now -> {
          if (state.compareAndSet(now, new Serving(onClientGone))) {
            return true;
          }
        }
        case Serving serving -> {
          if (state.compareAndSet(serving, new Serving(onClientGone))) {
            return true;
          }
        }
        case Watched watched -> {
          if (state.compareAndSet(watched, new Watched(onClientGone))) {
            return false;
          }
        }
        case ReadAhead result -> {
          if (result.isEnd()) {
            onClientGone.run();
          }
          return false;
        }
        case Expired expired -> {
          onClientGone.run();
          return false;
        }
        case Reading reading -> throw new IllegalStateException("the request is being read");
        case Awaited awaited -> throw new IllegalStateException("the request is being read");
      }
    }
  }

  /** Removes the action of {@link #watch}, since the request is over. */
  void release() {
    while (true) {
      State now = state.get();
      State next =
          switch (now) {
            case Serving serving -> QUIET;
            case Watched watched when watched.onClientGone != null -> new Watched(null);
            default -> now;
          };
      if (next == now || state.compareAndSet(now, next)) {
        return;
      }
    }
  }

  /**
   * Drops the bytes that were received and not read, so that closing the connection does not make
   * the client lose its answer. Call it before closing, when no request is in progress. Does
   * nothing while a watcher reads, since dropping would have to wait for the watcher.
   *
   * @param maxBytes about how many bytes to drop at most
   */
  void dropUnread(int maxBytes) {
    State now = state.get();
    if (now instanceof Quiet || now instanceof ReadAhead && state.compareAndSet(now, QUIET)) {
      socket.dropUnread(maxBytes);
    }
  }

  // ---- the sweep

  /**
   * Starts a watcher if the request was already in progress the last time this was called.
   *
   * @return whether a request is in progress and not watched yet
   */
  boolean watchWhenSlow() {
    State now = state.get();
    boolean isUnchanged = now == lastSweptState;
    lastSweptState = now;
    if (!(now instanceof Serving serving)) {
      return false;
    }
    if (isUnchanged && state.compareAndSet(serving, new Watched(serving.onClientGone))) {
      startWatcher(serving);
      return false;
    }
    return true;
  }

  private void startWatcher(Serving before) {
    boolean started = false;
    try {
      ambient.start("client-watch", this::readAhead);
      started = true;
    } finally {
      if (!started) {
        undoWatch(before);
      }
    }
  }

  /** Restores the state from before the attempt to start a watcher; the next tick tries again. */
  private void undoWatch(Serving before) {
    while (true) {
      State now = state.get();
      State next =
          switch (now) {
            case Watched watched -> unwatchedState(before, watched.onClientGone);
            case Awaited awaited -> QUIET; // the connection's thread will read itself
            default -> now;
          };
      if (next == now || state.compareAndSet(now, next)) {
        if (now instanceof Awaited awaited) {
          LockSupport.unpark(awaited.thread());
        }
        return;
      }
    }
  }

  private static State unwatchedState(Serving before, @Nullable Runnable onClientGone) {
    if (onClientGone == null) {
      return QUIET;
    }
    return onClientGone == before.onClientGone ? before : new Serving(onClientGone);
  }

  /** Returns whether a request is in progress and not watched yet. */
  boolean isUnwatched() {
    return state.get() instanceof Serving;
  }

  /**
   * Gives the client up if the current read takes too long.
   *
   * @param now on {@link Ambient#nanoTime()}
   */
  void check(long now) {
    Wait wait = waitOf(state.get());
    if (wait != null) {
      String reason = readTimeout.timeoutReason(wait, now);
      if (reason != null) {
        giveUp(wait, reason);
      }
    }
  }

  /** Returns whether the client was given up. Once true, it stays true. */
  boolean isExpired() {
    return state.get() instanceof Expired;
  }

  /** Returns the current wait if it is for the head of a request; null otherwise. */
  @Nullable Wait headWait() {
    Wait wait = waitOf(state.get());
    return wait != null && wait.inHead() ? wait : null;
  }

  private static @Nullable Wait waitOf(State state) {
    return switch (state) {
      case Reading reading -> reading.readWait();
      case Awaited awaited -> awaited.readWait();
      default -> null;
    };
  }

  // ---- any thread

  /** Ends the connection as soon as it waits for the head of a request; at once if it does now. */
  void stop(String reason) {
    stopReason = reason;
    Wait wait = waitOf(state.get());
    if (wait != null && wait.inHead()) {
      giveUp(wait, reason);
    }
  }

  private void giveUp(Wait wait, String reason) {
    State now = state.get();
    if (waitOf(now) == wait && state.compareAndSet(now, new Expired(reason))) {
      if (now instanceof Awaited awaited) {
        LockSupport.unpark(awaited.thread());
      }
      socket.stopReading(); // wakes the reading thread, also a watcher
    }
  }

  // ---- the watcher

  private void readAhead() {
    byte[] bytes = null;
    RuntimeException failure = null;
    try {
      bytes = socket.read();
    } catch (RuntimeException e) {
      failure = e;
    }
    var result = new ReadAhead(bytes, failure);
    while (true) {
      switch (state.get()) {
        case Watched watched -> {
          if (state.compareAndSet(watched, result)) {
            if (result.isEnd() && watched.onClientGone != null) {
              watched.onClientGone.run();
            }
            return;
          }
        }
        case Awaited awaited -> {
          if (state.compareAndSet(awaited, result)) {
            LockSupport.unpark(awaited.thread());
            return;
          }
        }
        case Expired expired -> {
          return; // the client was given up, so the bytes are dropped
        }
        case State unexpected -> throw new IllegalStateException("watched while " + unexpected);
      }
    }
  }
}
