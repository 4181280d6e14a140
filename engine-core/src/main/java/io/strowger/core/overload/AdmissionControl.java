package io.strowger.core.overload;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.KeyId;
import java.util.EnumMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Admits as many requests as there is room for, so that overload cannot bring the gateway down. A
 * request needs a place within the limits for all requests and for its key, and bytes of a budget
 * for the body it declares. When there is no room it waits, in a queue in which keys take turns, or
 * is refused at once when waiting would not help.
 *
 * <p>When several keys are in use, none of them can take all places or all bytes, however long its
 * requests stay in flight: a key gets further ones only if its total, the new ones included, is at
 * most {@value #MAX_OF_WHAT_IS_LEFT} times what is left for others.
 *
 * <p>Safe on any thread. While there is room for all, admission and release take no lock and read
 * no clock; they are atomic operations on six counters.
 *
 * @see "Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches,
 *     1998"
 */
public final class AdmissionControl implements AutoCloseable {
  private static final int MAX_OF_WHAT_IS_LEFT = 3;

  private final Ambient ambient;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong bodyBytes = new AtomicLong();
  private final KeyLoads keys = new KeyLoads();
  private final ServiceTime time = new ServiceTime();
  private final AtomicLongArray refusals = new AtomicLongArray(RefusalReason.values().length);
  private final ReentrantLock lock = new ReentrantLock();
  private final RequestQueue queue = new RequestQueue(); // under the lock
  private boolean closed; // under the lock
  private volatile int waiting; // size of the queue; written under the lock
  private volatile OverloadLimits limits;

  public AdmissionControl(OverloadLimits limits, Ambient ambient) {
    this.limits = limits;
    this.ambient = ambient;
  }

  /** Replaces the limits; the new ones apply at once, also to requests that wait. */
  public void configure(OverloadLimits next) {
    limits = next;
    serveWaiters();
  }

  /**
   * Announces that several keys are in use, so that the first cannot take everything before the
   * others send a request. Otherwise this is detected when a second key appears.
   */
  public void expectSeveralKeys() {
    keys.expectSeveral();
  }

  /** Returns the current limits. */
  public OverloadLimits limits() {
    return limits;
  }

  /**
   * Admits a request, waits until there is room for it, or refuses it. Waits on the calling thread,
   * which should be a virtual one.
   *
   * @param key the key that the request was sent with
   * @param bytes length of its body as declared; 0 when it has none, or its length is not known
   * @param cancellation removes the request from the queue when it is cancelled
   * @return a permit, which must be closed, or a refusal
   */
  public Admission admit(KeyId key, long bytes, Cancellation cancellation) {
    OverloadLimits now = limits;
    if (bytes > now.bytesFor(bytes, false)) {
      return new Admission.Refusal(neverFits());
    }
    KeyLoads.Load load = keys.tryAcquire(key, now.perKey());
    if (load == null) {
      return new Admission.Refusal(keyIsFull(key));
    }
    var permit = new Permit(this, load, bytes);
    if (waiting > 0 || !takes(permit)) {
      return contended(permit, load, cancellation);
    }
    if (time.isMeasuring()) {
      permit.granted(ambient.nanoTime());
    }
    return permit;
  }

  /**
   * Admits a request that manages the gateway. It only needs room for its body, and has a reserve
   * that no other request can take, so that overload does not lock out the operator who can end it.
   * Never waits.
   *
   * @param bytes length of its body, as in {@link #admit}
   */
  public Admission admitManagement(long bytes) {
    if (bytes > limits.bytesFor(bytes, true)) {
      return new Admission.Refusal(neverFits());
    }
    return takesBytes(null, bytes, bytes)
        ? new Permit(this, null, bytes)
        : new Admission.Refusal(refusal(RefusalReason.MEMORY, 1));
  }

  /** Takes a place and bytes for the body, or neither; returns whether there was room. */
  private boolean takes(Permit permit) {
    KeyLoads.Load load = permit.load();
    if (!takesPlace(load)) {
      return false;
    }
    if (takesBytes(load, permit.bytes(), permit.bytes())) {
      return true;
    }
    giveBackPlace(load); // a request refused because of this asks again under the lock
    return false;
  }

  private boolean mayHavePlace(Permit permit) {
    KeyLoads.Load load = permit.load();
    return isPlace(load == null ? 0 : load.places() + 1, inFlight.get() + 1);
  }

  private boolean takesPlace(KeyLoads.@Nullable Load load) {
    int ofKey = load == null ? 0 : load.addPlaces(1);
    for (int before = inFlight.get(); isPlace(ofKey, before + 1); before = inFlight.get()) {
      if (inFlight.compareAndSet(before, before + 1)) {
        return true;
      }
    }
    if (load != null) {
      load.addPlaces(-1);
    }
    return false;
  }

  private void giveBackPlace(KeyLoads.@Nullable Load load) {
    if (load != null) {
      load.addPlaces(-1);
    }
    inFlight.decrementAndGet();
  }

  /**
   * Returns whether a request may have a place.
   *
   * @param ofKey places of its key, this one included
   * @param ofAll places of all requests, this one included
   */
  private boolean isPlace(int ofKey, int ofAll) {
    return isShare(ofKey, limits.inFlight() - ofAll, ofKey <= 1);
  }

  private boolean isShare(long ofKey, long left, boolean first) {
    return left >= (first || !keys.isSeveral() ? 0 : ofKey / MAX_OF_WHAT_IS_LEFT);
  }

  /**
   * Takes bytes for the body of a request; returns whether there was room for them.
   *
   * @param load the load of its key; null for a management key
   * @param total bytes of the request, {@code additionalBytes} included
   */
  private boolean takesBytes(KeyLoads.@Nullable Load load, long total, long more) {
    if (more == 0) {
      return true;
    }
    long ofKey = load == null ? 0 : load.addBytes(more);
    for (long before = bodyBytes.get();
        isRoom(load, total, ofKey, before + more);
        before = bodyBytes.get()) {
      if (bodyBytes.compareAndSet(before, before + more)) {
        return true;
      }
    }
    if (load != null) {
      load.addBytes(-more);
    }
    return false;
  }

  /**
   * Returns whether a request may have this many bytes.
   *
   * @param load the load of its key; null for a management key
   * @param ofKey bytes of all requests of its key, the new ones included
   * @param ofAll bytes of all requests, the new ones included
   */
  private boolean isRoom(KeyLoads.@Nullable Load load, long total, long ofKey, long ofAll) {
    long left = limits.bytesFor(total, load == null) - ofAll;
    return isShare(ofKey, left, ofKey <= total);
  }

  /** Admits, queues or refuses a request that found no room or found others waiting. */
  private Admission contended(Permit permit, KeyLoads.Load load, Cancellation cancellation) {
    QueuedRequest queued;
    lock.lock();
    try {
      long now = ambient.nanoTime();
      time.recordShortage(now);
      serveWaiters(now);
      if (takes(permit)) {
        permit.granted(now);
        return permit; // there is room for this one, but for none of those that wait
      }
      RefusalReason reason = queueRefusalReason(load, permit.bytes(), now);
      if (reason != null) {
        load.release();
        return new Admission.Refusal(refusal(reason, secondsUntilRoom(load, permit.bytes(), now)));
      }
      queued = new QueuedRequest(permit, load.key(), now, now + limits.queueWait().toNanos());
      queue.add(queued);
      waiting = queue.size();
      serveWaiters(now); // for room that was freed before it was queued
    } finally {
      lock.unlock();
    }
    return awaited(queued, cancellation);
  }

  /** Returns why a request may not wait; null when it may, and then the queue has room for it. */
  private @Nullable RefusalReason queueRefusalReason(KeyLoads.Load load, long bytes, long now) {
    OverloadLimits in = limits;
    KeyId key = load.key();
    boolean memory = !isRoom(load, bytes, load.bytes() + bytes, bodyBytes.get() + bytes);
    if (closed || in.queue() == 0 || in.queueWait().isZero()) {
      return memory ? RefusalReason.MEMORY : RefusalReason.QUEUE_FULL;
    }
    long expected = (queue.ahead(key, now) + 1) * (time.average() / Math.max(1, inFlight.get()));
    if (expected > in.queueWait().toNanos()) {
      return memory ? RefusalReason.MEMORY : RefusalReason.EXPECTED_WAIT;
    }
    if (queue.size() >= in.queue()) {
      QueuedRequest last = queue.evict(key, now);
      if (last == null) {
        return memory ? RefusalReason.MEMORY : RefusalReason.QUEUE_FULL;
      }
      end(last, RefusalReason.QUEUE_FULL, now);
    }
    return null;
  }

  private Admission awaited(QueuedRequest queued, Cancellation cancellation) {
    try (var gone = cancellation.onCancel(() -> giveUp(queued, RefusalReason.CANCELLED))) {
      while (true) {
        Admission outcome = queued.outcome();
        if (outcome != null) {
          return outcome;
        }
        long left = queued.due() - ambient.nanoTime();
        if (left <= 0) {
          giveUp(queued, RefusalReason.QUEUE_TIMEOUT);
        } else if (Thread.currentThread().isInterrupted()) {
          giveUp(queued, RefusalReason.CANCELLED);
        } else {
          LockSupport.parkNanos(gone, left);
        }
      }
    }
  }

  /** Ends the wait of a request, unless another thread has ended it. */
  private void giveUp(QueuedRequest queued, RefusalReason why) {
    lock.lock();
    try {
      if (queue.remove(queued)) {
        waiting = queue.size();
        end(queued, why, ambient.nanoTime());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Refuses a request that was taken out of the queue. */
  private void end(QueuedRequest queued, RefusalReason why, long now) {
    KeyLoads.Load load = queued.permit().load();
    if (load != null) {
      load.release();
    }
    long seconds = secondsUntilRoom(load, queued.permit().bytes(), now);
    queued.end(new Admission.Refusal(refusal(why, seconds)));
  }

  private void serveWaiters() {
    if (waiting > 0) {
      lock.lock();
      try {
        serveWaiters(ambient.nanoTime());
      } finally {
        lock.unlock();
      }
    }
  }

  private void serveWaiters(long now) {
    queue.expire(now, queued -> end(queued, RefusalReason.QUEUE_TIMEOUT, now));
    while (queue.size() > 0 && inFlight.get() < limits.inFlight()) {
      QueuedRequest next = queue.next(now, this::mayHavePlace, this::takes);
      if (next == null) {
        break;
      }
      next.permit().granted(now);
      next.end(next.permit());
    }
    waiting = queue.size();
  }

  /**
   * Takes more bytes for a request that is in flight.
   *
   * @param load the load of its key; null for a management key
   * @param total the bytes of the request, {@code additionalBytes} included
   */
  void grow(KeyLoads.@Nullable Load load, long total, long more) {
    if (total > limits.bytesFor(total, load == null)) {
      throw neverFits().toException();
    }
    if (!takesBytes(load, total, more)) {
      long now = ambient.nanoTime();
      time.recordShortage(now);
      throw refusal(RefusalReason.MEMORY, secondsUntilRoom(load, more, now)).toException();
    }
  }

  /** Gives bytes back that {@link #grow} took. */
  void shrink(KeyLoads.@Nullable Load load, long bytes) {
    giveBack(load, bytes);
    serveWaiters();
  }

  private void giveBack(KeyLoads.@Nullable Load load, long bytes) {
    if (load != null) {
      load.addBytes(-bytes);
    }
    bodyBytes.addAndGet(-bytes);
  }

  /**
   * Gives back the place and the bytes of a request.
   *
   * @param load the load of its key; null when the request took no place
   * @param granted the nanoTime when it was admitted; 0 when that was not measured
   */
  void leave(KeyLoads.@Nullable Load load, long bytes, long granted) {
    giveBack(load, bytes);
    if (load != null) {
      giveBackPlace(load);
      load.release();
    }
    if (granted != 0) {
      long now = ambient.nanoTime();
      time.recordTaken(now - granted, now);
    }
    serveWaiters();
  }

  /** Returns the seconds until enough requests should have ended to make room for one more. */
  private long secondsUntilRoom(KeyLoads.@Nullable Load load, long bytes, long now) {
    long taken = bodyBytes.get();
    long missing = taken + bytes - limits.bytesFor(bytes, load == null);
    int others = inFlight.get();
    if (load != null && missing <= 0 && others < limits.inFlight()) {
      return time.retryAfterSeconds(1, load.inFlight(), now); // a request of its key has to end
    }
    long perRequest = Math.max(1, taken / Math.max(1, others));
    long ends = missing <= 0 ? 1 : Math.ceilDiv(missing, perRequest);
    return time.retryAfterSeconds(waiting + ends, others, now);
  }

  private GatewayError keyIsFull(KeyId key) {
    long now = ambient.nanoTime();
    time.recordShortage(now);
    counted(RefusalReason.KEY);
    return GatewayError.of(ErrorCode.RATE_LIMIT_EXCEEDED)
        .withMetadata("overload", Json.of(RefusalReason.KEY.wireName()))
        .withRetryAfter(time.retryAfterSeconds(1, keys.inFlight(key), now));
  }

  private GatewayError refusal(RefusalReason why, long seconds) {
    counted(why);
    return GatewayError.of(ErrorCode.UNAVAILABLE)
        .withMetadata("overload", Json.of(why.wireName()))
        .withRetryAfter(seconds);
  }

  /** Returns the error for a body that is larger than the whole budget. */
  private GatewayError neverFits() {
    counted(RefusalReason.MEMORY);
    return GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE)
        .withMetadata("overload", Json.of(RefusalReason.MEMORY.wireName()));
  }

  /** Counts a request that was refused. */
  private void counted(RefusalReason why) {
    refusals.incrementAndGet(why.ordinal());
  }

  /**
   * Returns the requests in flight now, and the number of refusals so far.
   *
   * @param endpoints the limiter whose endpoints are part of the snapshot
   */
  public AdmissionSnapshot snapshot(EndpointLimiter endpoints) {
    var refused = new EnumMap<RefusalReason, Long>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      refused.put(reason, refusals.get(reason.ordinal()));
    }
    refused.put(RefusalReason.ENDPOINT, endpoints.refused());
    return new AdmissionSnapshot(
        inFlight.get(), waiting, bodyBytes.get(), refused, endpoints.loads());
  }

  /** Refuses all waiting requests, and later ones that would wait. Admitted requests go on. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      long now = ambient.nanoTime();
      queue.drain(queued -> end(queued, RefusalReason.CANCELLED, now));
      waiting = 0;
    } finally {
      lock.unlock();
    }
  }
}
