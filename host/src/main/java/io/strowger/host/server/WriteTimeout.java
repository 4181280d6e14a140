package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a client may leave its answer unread. An answer keeps its request's place among those in
 * flight, and the bytes of its body, until it is written.
 *
 * <p>What is counted is the time in which the host waits for the client, never the time in which
 * the client waits for an answer. Judges by what it sees from time to time, so that a write pays no
 * clock. For one connection, and one thread.
 */
final class WriteTimeout {
  /** How long the rest of an answer may take whose request is over, such as by its deadline. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  /** Until an answer is given up that is taken steadily, but slower than 16 KiB a second. */
  private static final int HEAD_START = 2;

  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  private final ConnectionOutput out;
  private final long patience; // nanoseconds
  private @Nullable HttpServerExchange answered;
  private long write; // that was seen waiting the last time; 0: none
  private long seenAt;
  private long waited; // for the client, since the answer began
  private long waitedForWrite; // of it, for the write that was seen last

  /**
   * @param patience with a client that takes nothing
   */
  WriteTimeout(ConnectionOutput out, Duration patience) {
    this.out = out;
    this.patience = patience.toNanos();
  }

  /**
   * Looks how far the writing is, and gives it up when the client is too slow.
   *
   * @param exchange whose answer is written; null: of none
   * @param now nanoseconds on a clock that never runs backwards
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
