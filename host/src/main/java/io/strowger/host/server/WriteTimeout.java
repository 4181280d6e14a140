package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a client takes too long to read its answer. Until the answer is written, its request
 * occupies a place among those in flight and the memory of its body.
 *
 * <p>Only the time in which the host waits for the client is counted, never the time in which the
 * client waits for the answer. The sweep calls this class periodically, so that a write needs no
 * clock. For one connection; confined to one thread.
 */
final class WriteTimeout {
  /** How long writing may wait after the request was cancelled, for example by its deadline. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  /**
   * Writing an answer may wait for the client for this many client timeouts, plus {@link
   * #NANOS_PER_BYTE} for each byte written.
   */
  private static final int GRACE_TIMEOUTS = 2;

  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  private final ConnectionOutput out;
  private final long clientTimeout; // nanoseconds
  private @Nullable HttpServerExchange lastExchange;
  private long lastWrite; // the write in progress at the previous check; 0 for none
  private long checkedAt;
  private long waitedNanos; // time waited for the client since the answer began
  private long writeNanos; // the part of it for the write of the previous check

  /**
   * @param clientTimeout how long a client may read nothing
   */
  WriteTimeout(ConnectionOutput out, Duration clientTimeout) {
    this.out = out;
    this.clientTimeout = clientTimeout.toNanos();
  }

  /**
   * Checks the progress of the current write, and gives the client up if it is too slow.
   *
   * @param exchange the exchange whose answer is written; null for none
   * @param now nanoseconds on a monotonic clock
   */
  void check(@Nullable HttpServerExchange exchange, long now) {
    long current = out.currentWrite();
    if (exchange != lastExchange) {
      lastExchange = exchange;
      lastWrite = 0;
      waitedNanos = 0;
      writeNanos = 0;
    }
    if (current != 0 && lastWrite != 0) {
      waitedNanos += now - checkedAt;
    }
    writeNanos = current != 0 && current == lastWrite ? writeNanos + now - checkedAt : 0;
    lastWrite = current;
    checkedAt = now;
    if (current != 0 && isTooSlow(exchange)) {
      out.giveUp(current);
    }
  }

  private boolean isTooSlow(@Nullable HttpServerExchange exchange) {
    boolean isOver = exchange != null && exchange.cancellation().isCancelled();
    long limit = isOver ? Math.min(AFTER_CANCEL.toNanos(), clientTimeout) : clientTimeout;
    long bytes = out.bytesWritten() - (exchange == null ? 0 : exchange.writtenBefore());
    return writeNanos >= limit
        || waitedNanos >= GRACE_TIMEOUTS * clientTimeout + bytes * NANOS_PER_BYTE;
  }
}
