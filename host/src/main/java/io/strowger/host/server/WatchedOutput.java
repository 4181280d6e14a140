package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.webserver.CloseConnectionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is written to a connection, so that others see whether its client takes it, and can give it
 * up. Written to by the connection's thread, which must be a virtual one: interrupting it in the
 * middle of a write closes the connection, in TLS too, where closing would wait for the write.
 */
final class WatchedOutput implements DataWriter {
  private final DataWriter out;
  private final ReentrantLock lock = new ReentrantLock(); // of these four
  private @Nullable Thread writer;
  private long writes;
  private long written;
  private boolean givenUp;

  WatchedOutput(DataWriter out) {
    this.out = out;
  }

  /**
   * How far the writing is.
   *
   * @param writes how many have begun
   * @param bytes how many were taken
   * @param waiting the last write has not ended
   */
  record Progress(long writes, long bytes, boolean waiting) {}

  Progress progress() {
    lock.lock();
    try {
      return new Progress(writes, written, writer != null);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a write with a {@link CloseConnectionException} for its thread.
   *
   * @param at nothing happens when the writing is further than this
   */
  void giveUp(Progress at) {
    lock.lock();
    try {
      Thread waiting = writer;
      if (waiting != null && writes == at.writes()) {
        givenUp = true;
        waiting.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    lock.lock();
    try {
      writes++;
      writer = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  private void end(long bytes) {
    lock.lock();
    try {
      writer = null;
      written += bytes;
      if (givenUp) {
        Thread.interrupted(); // what follows, such as settling the request, must not be
        throw new CloseConnectionException("the client does not take its answer");
      }
    } finally {
      lock.unlock();
    }
  }

  private void watched(Runnable write, long bytes) {
    begin();
    try {
      write.run();
    } finally {
      end(bytes);
    }
  }

  private static long available(BufferData... buffers) {
    long bytes = 0;
    for (BufferData buffer : buffers) {
      bytes += buffer.available();
    }
    return bytes;
  }

  @Override
  public void write(BufferData... buffers) {
    watched(() -> out.write(buffers), available(buffers));
  }

  @Override
  public void write(BufferData buffer) {
    watched(() -> out.write(buffer), buffer.available());
  }

  @Override
  public void writeNow(BufferData... buffers) {
    watched(() -> out.writeNow(buffers), available(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    watched(() -> out.writeNow(buffer), buffer.available());
  }

  @Override
  public void flush() {
    watched(out::flush, 0);
  }

  @Override
  public void close() {
    out.close();
  }
}
