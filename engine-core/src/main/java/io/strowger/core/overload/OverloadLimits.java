package io.strowger.core.overload;

import io.strowger.core.config.OverloadSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The current limits, with every default resolved. Immutable.
 *
 * @param bodyBytes most bytes of request bodies in flight together; at least 1
 * @param inFlight most requests in flight together; at least 1
 * @param perKey most requests in flight of one key, waiting ones included; at least 1
 * @param perEndpoint most attempts in flight at one endpoint; at least 1
 * @param queue most requests that wait for a place; 0 if no request may wait
 * @param queueWait longest wait for a place; not negative
 * @param adaptive whether each endpoint's limit adapts to its speed, up to {@code perEndpoint}
 */
public record OverloadLimits(
    long bodyBytes,
    int inFlight,
    int perKey,
    int perEndpoint,
    int queue,
    Duration queueWait,
    boolean adaptive) {
  /** The value that means no limit. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** The size in bytes up to which a body may use the reserve beyond {@code bodyBytes}. */
  public static final long SMALL_BODY = 64 * 1024;

  /** A further reserve in bytes, for small bodies of management requests only. */
  private static final long MANAGEMENT_RESERVE = 16 * SMALL_BODY;

  /** No limits. */
  public static final OverloadLimits NONE =
      new OverloadLimits(
          Long.MAX_VALUE / 2, UNLIMITED, UNLIMITED, UNLIMITED, 0, Duration.ZERO, false);

  /**
   * Heap planned for each byte of bodies in flight. Processing takes up to four times the length of
   * a body, so bodies use at most two thirds of the heap.
   */
  private static final int HEAP_PER_BODY_BYTE = 6;

  /**
   * Heap for each request that may be in flight: four times what one takes, so that all requests
   * together take at most a quarter of the heap. A request takes up to 192 KiB in addition to its
   * body: stacks, and the buffers of two connections (measured: 96 to 116 KiB, and 68 KiB more for
   * a client that uses TLS).
   */
  private static final int HEAP_PER_ALLOWED_REQUEST = 4 * 192 * 1024;

  /**
   * Returns the limits of a configuration, with defaults for those that it does not state.
   *
   * @param heapBytes the maximum heap of this process, as {@link Runtime#maxMemory()} returns it
   * @param requestTimeout the time limit of a request, which also bounds {@code queueWait}
   */
  public static OverloadLimits of(
      OverloadSettings settings, long heapBytes, Duration requestTimeout) {
    Long bytes = settings.bodyBytes();
    long requests = Math.max(16, heapBytes / HEAP_PER_ALLOWED_REQUEST);
    Duration wait = settings.queueWait();
    return new OverloadLimits(
        bytes == null ? Math.max(1, heapBytes / HEAP_PER_BODY_BYTE) : bytes,
        orElse(settings.inFlight(), (int) Math.min(UNLIMITED, requests)),
        orElse(settings.perKey(), UNLIMITED),
        orElse(settings.perEndpoint(), UNLIMITED),
        settings.queue(),
        wait.compareTo(requestTimeout) < 0 ? wait : requestTimeout,
        settings.adaptive());
  }

  private static int orElse(@Nullable Integer value, int fallback) {
    return value == null ? fallback : value;
  }

  /**
   * Returns how many bytes may be in flight when a body of this size is among them.
   *
   * @param management whether the request has a management key
   */
  long byteLimitFor(long body, boolean management) {
    if (body > SMALL_BODY) {
      return bodyBytes;
    }
    return bodyBytes + bodyBytes / 8 + (management ? MANAGEMENT_RESERVE : 0);
  }
}
