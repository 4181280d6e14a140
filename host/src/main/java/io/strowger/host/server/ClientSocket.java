package io.strowger.host.server;

import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one client, decrypted. One thread reads while another one writes; all failures are
 * {@link UncheckedIOException}s.
 */
interface ClientSocket {
  /** Waits for the next bytes and returns them; null at the end of the input. */
  byte @Nullable [] read();

  /** Returns true when {@link #read(byte[], int, int)} saves a copy, and may be called. */
  boolean readsInPlace();

  /**
   * Waits for the next bytes and puts them into an array.
   *
   * @param length at least 1
   * @return how many came, at least 1; -1 at the end of the input
   */
  int read(byte[] into, int from, int length);

  /**
   * Waits until some bytes can be written, and writes them.
   *
   * @param length at least 1
   * @return how many were written, at least 1
   */
  int write(byte[] bytes, int from, int length);

  /**
   * Ends the input: whoever waits for bytes sees the end, and writing still works. Does not wait;
   * any thread.
   */
  void stopReading();

  /**
   * Drops what has come and is not read, and ends the output where nothing else does: a connection
   * that is closed with unread bytes is reset, and its client may lose its answer. Nobody reads it
   * any more. Does not wait.
   *
   * @param most bytes, about
   */
  void dropArrived(int most);

  /**
   * Returns what breaks the connection off when it is closed: whoever reads, writes or closes fails
   * at once, also in the middle of what TLS says by itself. Closing it does not wait; any thread.
   */
  Channel channel();
}
