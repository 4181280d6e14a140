package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The output of a connection. Other threads can see whether its client reads, and can give the
 * client up. Only the connection's thread writes, and it must be a virtual thread: interrupting a
 * virtual thread during a write closes the connection, also with TLS, where closing the socket
 * would wait for the write. One write is not woken by an interrupt: with TLS, a write that waits
 * until the watcher has ended a write of its own. The sweep then aborts the connection.
 */
final class ConnectionOutput {
  private static final long GIVEN_UP = -1;

  private final ClientSocket socket;
  private final Thread writer;
  // number of the write in progress; 0 for none
  private final AtomicLong currentWrite = new AtomicLong();
  private final ReentrantLock interruptLock = new ReentrantLock();
  private volatile long bytesWritten;
  private long writeCount;

  /**
   * @param writer the only thread that writes
   */
  ConnectionOutput(ClientSocket socket, Thread writer) {
    this.socket = socket;
    this.writer = writer;
  }

  /**
   * Returns the number of the write in progress, from 1; 0 when none is. After {@link #giveUp} it
   * is negative.
   */
  long currentWrite() {
    return currentWrite.get();
  }

  /** Returns whether the client was given up during a write. Once true, it stays true. */
  boolean isGivenUp() {
    return currentWrite.get() == GIVEN_UP;
  }

  /** Returns the number of bytes written so far. */
  long bytesWritten() {
    return bytesWritten;
  }

  /**
   * Writes bytes and waits until the socket has accepted all of them.
   *
   * @throws CloseConnectionException when the client was given up meanwhile
   * @throws java.io.UncheckedIOException when the connection broke
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread only
  void write(byte[] bytes, int from, int length) {
    int offset = 0;
    while (offset < length) {
      long number = ++writeCount;
      currentWrite.set(number);
      int count = 0;
      try {
        count = socket.write(bytes, from + offset, length - offset);
      } finally {
        endWrite(number);
      }
      offset += count;
      bytesWritten += count;
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // acquired only to wait for its holder
  private void endWrite(long number) {
    if (!currentWrite.compareAndSet(number, 0)) {
      interruptLock.lock(); // waits until giveUp has interrupted this thread
      interruptLock.unlock();
      Thread.interrupted(); // what follows, such as settling the request, must not be interrupted
      throw new CloseConnectionException("the client does not take its answer");
    }
  }

  /**
   * Gives the client up: the write ends with a {@link CloseConnectionException} in its thread. Safe
   * on any thread.
   *
   * @param write the number of the write; nothing happens when it is no longer in progress
   */
  void giveUp(long write) {
    interruptLock.lock();
    try {
      if (write > 0 && currentWrite.compareAndSet(write, GIVEN_UP)) {
        writer.interrupt();
      }
    } finally {
      interruptLock.unlock();
    }
  }
}
