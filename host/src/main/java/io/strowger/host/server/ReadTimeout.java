package io.strowger.host.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a client may take to send. A request that has begun must come on: one that falls silent
 * in its middle, only trickles, or takes very long in all is given up. Between two requests a
 * connection may rest.
 *
 * <p>Judges by what it is shown from time to time, so that reading pays neither a timer nor a
 * clock: a time begins when it is first seen. For one connection, and one thread.
 */
final class ReadTimeout {
  /** Until a request is given up that comes steadily, but slower than {@link #NANOS_PER_BYTE}. */
  private static final int HEAD_START = 2;

  /** 16 KiB in a second. */
  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  /** Until a request is given up at any speed: what it declares is kept free for it meanwhile. */
  private static final int WHOLE = 20;

  private static final int RESTS = 10;

  private final long patience; // nanoseconds
  private ConnectionReader.@Nullable Wait seen;
  private long seenSince;
  private int request = -1; // whose first byte was seen
  private long requestSince;
  private boolean hurried;
  private long hurriedSince;

  /**
   * @param patience with a client that is silent in the middle of its request
   */
  ReadTimeout(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Returns why a wait has to end; null while it may go on.
   *
   * @param now nanoseconds on a clock that never runs backwards
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
