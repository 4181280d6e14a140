package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a client takes too long to send. A client is given up if it falls silent in the
 * middle of a request, sends it too slowly, or takes too long in total. Between two requests a
 * connection may be idle for longer.
 *
 * <p>The sweep calls this class periodically, so that reads need neither a timer nor a clock: a
 * wait is measured from the first call that sees it. For one connection; confined to one thread.
 */
final class ReadTimeout {
  /**
   * A request may take this many client timeouts, plus {@link #NANOS_PER_BYTE} for each byte
   * received.
   */
  private static final int GRACE_TIMEOUTS = 2;

  /** The time for one byte at the slowest accepted speed, 16 KiB per second. */
  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  /**
   * However fast it arrives, a request may take at most this many client timeouts, because memory
   * is reserved for its declared length meanwhile.
   */
  private static final int MAX_REQUEST_TIMEOUTS = 20;

  private static final int MAX_IDLE_TIMEOUTS = 10;

  private final long clientTimeout; // nanoseconds
  private ConnectionReader.@Nullable Wait lastWait;
  private long lastWaitSince;
  private int requestNumber = -1; // the request whose time is measured
  private long requestSince;
  private boolean hasTimeLimit;
  private long timeLimitSince;

  /**
   * @param clientTimeout how long a client may be silent in the middle of its request
   */
  ReadTimeout(Duration clientTimeout) {
    this.clientTimeout = clientTimeout.toNanos();
  }

  /**
   * Returns why a wait must end; null while it may continue.
   *
   * @param now nanoseconds on a monotonic clock
   */
  @Nullable String timeoutReason(ConnectionReader.Wait wait, long now) {
    if (wait != lastWait) {
      lastWait = wait;
      lastWaitSince = now;
    }
    long waited = now - lastWaitSince;
    if (wait.timeLimit() > 0) {
      if (!hasTimeLimit) {
        hasTimeLimit = true;
        timeLimitSince = now;
      }
      return waited >= clientTimeout || now - timeLimitSince >= wait.timeLimit()
          ? "the client is too slow"
          : null;
    }
    if (wait.isIdle()) {
      return waited >= MAX_IDLE_TIMEOUTS * clientTimeout
          ? "the client was idle for too long"
          : null;
    }
    if (wait.requestNumber() != requestNumber) {
      requestNumber = wait.requestNumber();
      requestSince = now;
    }
    if (waited >= clientTimeout) {
      return "the client stopped sending in the middle of a request";
    }
    long allowed = GRACE_TIMEOUTS * clientTimeout + wait.received() * NANOS_PER_BYTE;
    return now - requestSince >= Math.min(allowed, MAX_REQUEST_TIMEOUTS * clientTimeout)
        ? "the client is too slow"
        : null;
  }
}
