package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a client takes too long to read its answer. Until the answer is written, its request
 * occupies a place among those in flight and the memory of its body.
 *
 * <p>Only the time in which the host waits for the client is counted, never the time in which the
 * client waits for the answer. It is called periodically, so that a write needs no clock. For one
 * connection; confined to one thread.
 */
final class WriteTimeout {
  /** How long writing may wait after the request was cancelled, for example by its deadline. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  /** The client timeouts an answer may wait in addition to its length at 16 KiB per second. */
  private static final int HEAD_START = 2;

  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  private final ConnectionOutput out;
  private final long patience; // nanoseconds
  private @Nullable HttpServerExchange answered;
  private long write; // the write in progress at the previous check; 0 for none
  private long seenAt;
  private long waited; // time waited for the client since the answer began
  private long waitedForWrite; // the part of it for the write of the previous check

  /**
   * @param patience how long a client may read nothing
   */
  WriteTimeout(ConnectionOutput out, Duration patience) {
    this.out = out;
    this.patience = patience.toNanos();
  }

  /**
   * Checks the progress of the current write, and gives the client up if it is too slow.
   *
   * @param exchange the exchange whose answer is written; null for none
   * @param now nanoseconds on a monotonic clock
   */
  void check(@Nullable HttpServerExchange exchange, long now) {
    long current = out.current();
    if (exchange != answered) {
      answered = exchange;
      write = 0;
      waited = 0;
      waitedForWrite = 0;
    }
    if (current != 0 && write != 0) {
      waited += now - seenAt;
    }
    waitedForWrite = current != 0 && current == write ? waitedForWrite + now - seenAt : 0;
    write = current;
    seenAt = now;
    if (current != 0 && isTooSlow(exchange)) {
      out.giveUp(current);
    }
  }

  private boolean isTooSlow(@Nullable HttpServerExchange exchange) {
    boolean isOver = exchange != null && exchange.cancellation().isCancelled();
    long most = isOver ? Math.min(AFTER_CANCEL.toNanos(), patience) : patience;
    long bytes = out.written() - (exchange == null ? 0 : exchange.writtenBefore());
    return waitedForWrite >= most || waited >= HEAD_START * patience + bytes * NANOS_PER_BYTE;
  }
}
