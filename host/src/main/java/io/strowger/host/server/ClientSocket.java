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

  /** Returns whether {@link #read(byte[], int, int)} is supported; it saves a copy. */
  boolean supportsDirectRead();

  /**
   * Waits for the next bytes and puts them into an array.
   *
   * @param length at least 1
   * @return the number of bytes read, at least 1; -1 at the end of the input
   */
  int read(byte[] into, int from, int length);

  /**
   * Waits until some bytes can be written, and writes them.
   *
   * @param length at least 1
   * @return the number of bytes written, at least 1
   */
  int write(byte[] bytes, int from, int length);

  /**
   * Ends the input: a thread that waits for bytes sees the end of the input, while writing still
   * works. Does not block. Safe on any thread.
   */
  void stopReading();

  /**
   * Drops the bytes that were received and not read, and without TLS ends the output. Closing a
   * connection with unread bytes resets it, and its client may lose the answer. Call this only when
   * no thread reads any more. Does not block.
   *
   * @param maxBytes about how many bytes to drop at most
   */
  void dropUnread(int maxBytes);

  /**
   * Returns the channel of the connection. Closing it aborts the connection: every thread that
   * reads, writes or closes fails at once, also during a TLS handshake or close. Closing it does
   * not block and is safe on any thread.
   */
  Channel channel();
}
