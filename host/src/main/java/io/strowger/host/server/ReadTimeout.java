package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a client takes too long to send. A client is given up if it falls silent in the
 * middle of a request, sends it too slowly, or takes too long in total. Between two requests a
 * connection may be idle for longer.
 *
 * <p>It is called periodically, so that reads need neither a timer nor a clock: a wait is measured
 * from the first call that sees it. For one connection; confined to one thread.
 */
final class ReadTimeout {
  /** The client timeouts a request may take in addition to {@link #NANOS_PER_BYTE}. */
  private static final int HEAD_START = 2;

  /** The slowest speed, 16 KiB per second. */
  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  /**
   * The client timeouts a request may take at any speed, since memory is reserved for its declared
   * length meanwhile.
   */
  private static final int WHOLE = 20;

  private static final int RESTS = 10;

  private final long patience; // nanoseconds
  private ConnectionReader.@Nullable Wait seen;
  private long seenSince;
  private int request = -1; // the request whose time is measured
  private long requestSince;
  private boolean hurried;
  private long hurriedSince;

  /**
   * @param patience how long a client may be silent in the middle of its request
   */
  ReadTimeout(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Returns why a wait must end; null while it may continue.
   *
   * @param now nanoseconds on a monotonic clock
   */
  @Nullable String exceeded(ConnectionReader.Wait wait, long now) {
    if (wait != seen) {
      seen = wait;
      seenSince = now;
    }
    long waited = now - seenSince;
    if (wait.hurry() > 0) {
      if (!hurried) {
        hurried = true;
        hurriedSince = now;
      }
      return waited >= patience || now - hurriedSince >= wait.hurry()
          ? "the client is too slow"
          : null;
    }
    if (wait.resting()) {
      return waited >= RESTS * patience ? "the client rests for too long" : null;
    }
    if (wait.request() != request) {
      request = wait.request();
      requestSince = now;
    }
    if (waited >= patience) {
      return "the client does not go on";
    }
    long steady = HEAD_START * patience + wait.received() * NANOS_PER_BYTE;
    return now - requestSince >= Math.min(steady, WHOLE * patience)
        ? "the client is too slow"
        : null;
  }
}
