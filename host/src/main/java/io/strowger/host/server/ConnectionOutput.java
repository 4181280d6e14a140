package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is written to a connection, so that others see whether its client takes it, and can give it
 * up. Written to by the connection's thread, which must be a virtual one: interrupting it in the
 * middle of a write closes the connection, in TLS too, where closing would wait for the write. A
 * write that waits for the watcher, which answers for TLS meanwhile, is not woken by that: the
 * sweep breaks the connection off then.
 */
final class ConnectionOutput {
  private static final long GIVEN_UP = -1;

  private final ClientSocket socket;
  private final Thread writer;
  private final AtomicLong current = new AtomicLong(); // number of the write that waits; 0: none
  private final ReentrantLock interrupting = new ReentrantLock();
  private volatile long written;
  private long writes;

  /**
   * @param writer the one thread that writes
   */
  ConnectionOutput(ClientSocket socket, Thread writer) {
    this.socket = socket;
    this.writer = writer;
  }

  /** Returns the number of the write that waits for the client, from 1; 0 when none does. */
  long current() {
    return current.get();
  }

  /** Returns true when the client was given up in the middle of a write. Final. */
  boolean isGivenUp() {
    return current.get() == GIVEN_UP;
  }

  /** Returns how many bytes were taken so far. */
  long written() {
    return written;
  }

  /**
   * Writes bytes and waits until they are taken.
   *
   * @throws CloseConnectionException when the client was given up meanwhile
   * @throws java.io.UncheckedIOException when the connection broke
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // nobody else writes it
  void write(byte[] bytes, int from, int length) {
    int done = 0;
    while (done < length) {
      long number = ++writes;
      current.set(number);
      int count = 0;
      try {
        count = socket.write(bytes, from + done, length - done);
      } finally {
        ended(number);
      }
      done += count;
      written += count;
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // only waits for who has it
  private void ended(long number) {
    if (!current.compareAndSet(number, 0)) {
      interrupting.lock(); // until it was interrupted
      interrupting.unlock();
      Thread.interrupted(); // what follows, such as settling the request, must not be
      throw new CloseConnectionException("the client does not take its answer");
    }
  }

  /**
   * Ends a write with a {@link CloseConnectionException} for its thread.
   *
   * @param write nothing happens when another one waits, or none
   */
  void giveUp(long write) {
    interrupting.lock();
    try {
      if (write > 0 && current.compareAndSet(write, GIVEN_UP)) {
        writer.interrupt();
      }
    } finally {
      interrupting.unlock();
    }
  }
}
