package io.strowger.core.overload;

import io.strowger.spi.error.GatewayException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A request's place among those in flight, and its share of the bytes of bodies in flight. Both are
 * held until the permit is closed, even when the request fails. Safe on any thread.
 */
public final class Permit implements Admission, AutoCloseable {
  private static final long CLOSED = -1;

  private final AdmissionControl control;
  private final KeyLoads.@Nullable Load load;
  private final AtomicLong bytes;
  private long admittedNanos; // written before the permit is handed out

  /**
   * @param load counts the request for its key; null for a management request, which takes no place
   * @param bytes its initial share, in bytes
   */
  Permit(AdmissionControl control, KeyLoads.@Nullable Load load, long bytes) {
    this.control = control;
    this.load = load;
    this.bytes = new AtomicLong(bytes);
  }

  KeyLoads.@Nullable Load load() {
    return load;
  }

  /** Records when the request was admitted, so that its time is measured. */
  void recordAdmission(long nanos) {
    admittedNanos = nanos == 0 ? 1 : nanos;
  }

  /**
   * Returns the request's share of the bytes of bodies in flight; 0 once the permit is closed.
   *
   * @return bytes, not negative
   */
  public long bytes() {
    return Math.max(0, bytes.get());
  }

  /**
   * Makes the share at least this large. Never waits, because requests that hold bytes and wait for
   * more could block each other forever.
   *
   * @param total the new share in bytes, including what it already has
   * @throws GatewayException 503 when there is no room for the bytes, 413 when there never will be;
   *     the share is then unchanged
   */
  public void ensureBytes(long total) {
    long current = bytes.get();
    while (current != CLOSED && current < total) {
      control.grow(load, total, total - current);
      if (bytes.compareAndSet(current, total)) {
        return;
      }
      control.shrink(load, total - current); // closed meanwhile, or grown on another thread
      current = bytes.get();
    }
  }

  /** Gives the place and the bytes back. Only the first call has an effect. */
  @Override
  public void close() {
    long share = bytes.getAndSet(CLOSED);
    if (share != CLOSED) {
      control.leave(load, share, admittedNanos);
    }
  }
}
