package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection: on the connection's own thread while a request comes, and on a thread of
 * its own while a request is worked on for longer than most.
 *
 * <p>Nobody reads a socket while its request is being worked on, so nobody would notice that the
 * client is gone. Whoever sweeps over the connections starts a watcher for a request that it finds
 * in work for the second time: a virtual thread that waits for the next bytes. The end of the input
 * means that nobody waits for the answer any more; bytes are the beginning of the next request and
 * are kept for it, one piece at most. A client that closes only its sending side counts as gone;
 * once bytes of a next request arrived, nothing more is noticed until it is read.
 *
 * <p>Everything several threads must agree on is one {@link State}, which changes only by
 * compare-and-set:
 *
 * <pre>{@code
 * Quiet -> Reading (connection)     -> Quiet (connection) | Expired (sweep)
 * Quiet -> Serving (connection)     -> Quiet (connection) | Watched (sweep)
 * Watched -> Watched (connection)   -> Held (watcher) | Awaited (connection)
 * Watched -> Serving | Quiet (sweep, when no watcher can be started), Awaited -> Quiet as well
 * Awaited -> Held (watcher) | Expired (sweep)
 * Held -> Quiet (connection)
 * }</pre>
 *
 * <p>No wait is timed: a thread that waits too long is found by {@link #check} and woken by ending
 * the input of the socket, so that an answer can still be written. In TLS reading may have to
 * write, which that does not end: the sweep breaks the connection off a little later.
 */
final class ConnectionReader {
  private static final State QUIET = new Quiet();

  private final ClientSocket socket;
  private final Ambient ambient;
  private final ReadTimeout timeout;
  private final AtomicReference<State> state = new AtomicReference<>(QUIET);
  private volatile @Nullable String stopped; // why no other head is waited for
  private @Nullable State seen; // when the sweep came by the last time; belongs to it
  // the rest belongs to the connection's thread
  private int request;
  private boolean resting = true; // no byte of the next request came
  private boolean inHead = true;
  private long received; // bytes of this request
  private long hurry; // nanoseconds for all that still comes; 0: not in a hurry

  /**
   * @param patience with a client that is silent in the middle of its request
   */
  ConnectionReader(ClientSocket socket, Duration patience, Ambient ambient) {
    this.socket = socket;
    this.ambient = ambient;
    this.timeout = new ReadTimeout(patience);
  }

  /**
   * What a read waits for. Each has an identity of its own.
   *
   * @param request number of the request on its connection
   * @param resting not a byte of the request has come
   * @param inHead the end of its head has not come
   * @param received bytes of the request that have come
   * @param hurry nanoseconds in which all reads from the first one with this value on must end; 0:
   *     does not count
   */
  record Wait(int request, boolean resting, boolean inHead, long received, long hurry) {}

  /** Who may touch the socket's input. */
  private sealed interface State {}

  /** The connection's thread may read, and does not. */
  private static final class Quiet implements State {}

  /** The connection's thread reads. */
  private record Reading(Wait of) implements State {}

  /** A request is worked on, and nobody reads. */
  private static final class Serving implements State {
    private final Runnable whenGone;

    Serving(Runnable whenGone) {
      this.whenGone = whenGone;
    }
  }

  /** The watcher reads. */
  private static final class Watched implements State {
    private final @Nullable Runnable whenGone; // null: no request is worked on any more

    Watched(@Nullable Runnable whenGone) {
      this.whenGone = whenGone;
    }
  }

  /** The watcher reads, and the connection's thread is parked until it has. */
  private record Awaited(Wait of, Thread thread) implements State {}

  /** The watcher has read. */
  private static final class Held implements State {
    private final byte @Nullable [] bytes; // null: the end of the input
    private final @Nullable RuntimeException broken;

    Held(byte @Nullable [] bytes, @Nullable RuntimeException broken) {
      this.bytes = bytes;
      this.broken = broken;
    }

    boolean isEnd() {
      return bytes == null;
    }
  }

  /** The client was given up. Final. */
  private record Expired(String why) implements State {}

  // ---- the connection's thread

  /** Returns the next bytes; null at the end of the input. */
  byte @Nullable [] get() {
    while (true) {
      switch (state.get()) {
        case Quiet now -> {
          var reading = new Reading(begin());
          if (state.compareAndSet(now, reading)) {
            return pieceInline(reading);
          }
        }
        case Held held -> {
          if (state.compareAndSet(held, QUIET)) {
            return taken(held);
          }
        }
        case Watched watched -> {
          var awaited = new Awaited(begin(), Thread.currentThread());
          if (state.compareAndSet(watched, awaited)) {
            await(awaited);
          }
        }
        case Serving serving -> state.compareAndSet(serving, QUIET);
        case Expired expired -> throw new CloseConnectionException(expired.why());
        case Reading reading -> throw new IllegalStateException("two threads read");
        case Awaited awaited -> throw new IllegalStateException("two threads wait");
      }
    }
  }

  /** Returns true when {@link #read} may be called: nothing was read ahead, or is being. */
  boolean readsInPlace() {
    return state.get() instanceof Quiet && socket.readsInPlace();
  }

  /**
   * Puts the next bytes into an array.
   *
   * @param length at least 1
   * @return how many came; -1 at the end of the input
   */
  int read(byte[] into, int from, int length) {
    State now = state.get();
    var reading = new Reading(begin());
    if (!(now instanceof Quiet) || !state.compareAndSet(now, reading)) {
      throw new IllegalStateException("bytes were read ahead");
    }
    int count;
    try {
      endWhenStopped(reading.of());
      count = socket.read(into, from, length);
    } catch (RuntimeException e) {
      throw failed(reading, e);
    }
    ended(reading);
    arrived(count);
    return count;
  }

  private Wait begin() {
    return new Wait(request, resting, inHead, received, hurry);
  }

  private byte @Nullable [] pieceInline(Reading reading) {
    byte[] bytes;
    try {
      endWhenStopped(reading.of());
      bytes = socket.read();
    } catch (RuntimeException e) {
      throw failed(reading, e);
    }
    ended(reading);
    arrived(bytes == null ? -1 : bytes.length);
    return bytes;
  }

  /** {@link #stop} looks at the state after it said so, and here it is the other way round. */
  private void endWhenStopped(Wait wait) {
    String why = stopped;
    if (why != null && wait.inHead()) {
      throw new CloseConnectionException(why);
    }
  }

  private RuntimeException failed(Reading reading, RuntimeException e) {
    ended(reading);
    return e instanceof CloseConnectionException
        ? e
        : new ServerConnectionException("the connection broke", e);
  }

  private void ended(Reading reading) {
    if (!state.compareAndSet(reading, QUIET) && state.get() instanceof Expired expired) {
      throw new CloseConnectionException(expired.why());
    }
  }

  private void await(Awaited awaited) {
    endWhenStopped(awaited.of());
    while (state.get() == awaited) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        throw new CloseConnectionException("the server stops");
      }
    }
  }

  private byte @Nullable [] taken(Held held) {
    if (held.broken != null) {
      throw new ServerConnectionException("the connection broke", held.broken);
    }
    arrived(held.bytes == null ? -1 : held.bytes.length);
    return held.bytes;
  }

  private void arrived(int bytes) {
    resting = false;
    received += Math.max(0, bytes);
  }

  /**
   * The next request is to be read.
   *
   * @param partlyHere some of it came with the one before, so that the client is in the middle of
   *     it
   */
  void nextRequest(boolean partlyHere) {
    request++;
    resting = !partlyHere;
    inHead = true;
    received = 0;
  }

  /** The head of the request has come. */
  void headEnded() {
    inHead = false;
  }

  /** From now on whatever the client still sends may take so long in all, and no longer. */
  void limitRemainingTime(Duration atMost) {
    hurry = Math.max(1, atMost.toNanos());
  }

  /**
   * From now on runs the action, at most once and perhaps on another thread, when the client goes
   * away. The request must have been read to its end. A former action is forgotten.
   *
   * @return true when a sweep must come by twice for that
   */
  boolean watch(Runnable whenGone) {
    while (true) {
      switch (state.get()) {
        case Quiet now -> {
          if (state.compareAndSet(now, new Serving(whenGone))) {
            return true;
          }
        }
        case Serving serving -> {
          if (state.compareAndSet(serving, new Serving(whenGone))) {
            return true;
          }
        }
        case Watched watched -> {
          if (state.compareAndSet(watched, new Watched(whenGone))) {
            return false;
          }
        }
        case Held held -> {
          if (held.isEnd()) {
            whenGone.run();
          }
          return false;
        }
        case Expired expired -> {
          whenGone.run();
          return false;
        }
        case Reading reading -> throw new IllegalStateException("the request is being read");
        case Awaited awaited -> throw new IllegalStateException("the request is being read");
      }
    }
  }

  /** The request is over: nothing is to be run any more when the client goes away. */
  void release() {
    while (true) {
      State now = state.get();
      State next =
          switch (now) {
            case Serving serving -> QUIET;
            case Watched watched when watched.whenGone != null -> new Watched(null);
            default -> now;
          };
      if (next == now || state.compareAndSet(now, next)) {
        return;
      }
    }
  }

  /**
   * The connection is to be closed, with nothing in work: drops what has come and was not read, so
   * that closing does not take the answer from the client. Not what a watcher is about to read,
   * which is little and would have to be waited for.
   *
   * @param most bytes, about
   */
  void dropArrived(int most) {
    State now = state.get();
    if (now instanceof Quiet || now instanceof Held && state.compareAndSet(now, QUIET)) {
      socket.dropArrived(most);
    }
  }

  // ---- the sweep

  /**
   * Starts a watcher when the request was in work already the last time this was called.
   *
   * @return whether a request is in work that is not watched yet
   */
  boolean watchWhenSlow() {
    State now = state.get();
    boolean again = now == seen;
    seen = now;
    if (!(now instanceof Serving serving)) {
      return false;
    }
    if (again && state.compareAndSet(serving, new Watched(serving.whenGone))) {
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
        nobodyWatches(before);
      }
    }
  }

  /** As it was before a watcher was to be started: the next tick tries again. */
  private void nobodyWatches(Serving before) {
    while (true) {
      State now = state.get();
      State next =
          switch (now) {
            case Watched watched -> unwatched(before, watched.whenGone);
            case Awaited awaited -> QUIET; // it reads by itself
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

  private static State unwatched(Serving before, @Nullable Runnable whenGone) {
    if (whenGone == null) {
      return QUIET;
    }
    return whenGone == before.whenGone ? before : new Serving(whenGone);
  }

  /** Returns whether a request is in work that is not watched yet. */
  boolean isUnwatched() {
    return state.get() instanceof Serving;
  }

  /**
   * Gives the client up when it takes too long for what is being waited for.
   *
   * @param now on {@link Ambient#nanoTime()}
   */
  void check(long now) {
    Wait wait = waitOf(state.get());
    if (wait != null) {
      String why = timeout.exceeded(wait, now);
      if (why != null) {
        giveUp(wait, why);
      }
    }
  }

  /** Returns true when the client was given up. Final. */
  boolean isExpired() {
    return state.get() instanceof Expired;
  }

  /** Returns what is being waited for if it is the head of a request; null otherwise. */
  @Nullable Wait waitsForHead() {
    Wait wait = waitOf(state.get());
    return wait != null && wait.inHead() ? wait : null;
  }

  private static @Nullable Wait waitOf(State state) {
    return switch (state) {
      case Reading reading -> reading.of();
      case Awaited awaited -> awaited.of();
      default -> null;
    };
  }

  // ---- any thread

  /** Ends the connection as soon as it waits for the head of a request. */
  void stop(String why) {
    stopped = why;
    Wait wait = waitOf(state.get());
    if (wait != null && wait.inHead()) {
      giveUp(wait, why);
    }
  }

  private void giveUp(Wait wait, String why) {
    State now = state.get();
    if (waitOf(now) == wait && state.compareAndSet(now, new Expired(why))) {
      if (now instanceof Awaited awaited) {
        LockSupport.unpark(awaited.thread());
      }
      socket.stopReading(); // whoever reads, the watcher too
    }
  }

  // ---- the watcher

  private void readAhead() {
    byte[] bytes = null;
    RuntimeException broken = null;
    try {
      bytes = socket.read();
    } catch (RuntimeException e) {
      broken = e;
    }
    var held = new Held(bytes, broken);
    while (true) {
      switch (state.get()) {
        case Watched watched -> {
          if (state.compareAndSet(watched, held)) {
            if (held.isEnd() && watched.whenGone != null) {
              watched.whenGone.run();
            }
            return;
          }
        }
        case Awaited awaited -> {
          if (state.compareAndSet(awaited, held)) {
            LockSupport.unpark(awaited.thread());
            return;
          }
        }
        case Expired expired -> {
          return; // nobody wants it
        }
        case State other -> throw new IllegalStateException("watched while " + other);
      }
    }
  }
}
