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
 * requests stay in flight: a key gets further places or bytes only if its total, the new ones
 * included, is at most {@value #MAX_SHARE_FACTOR} times what is left for other keys.
 *
 * <p>Safe on any thread. While there is room for all, admission and release take no lock and read
 * no clock; they are atomic operations on six counters.
 *
 * @see "Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches,
 *     1998"
 */
public final class AdmissionControl implements AutoCloseable {
  private static final int MAX_SHARE_FACTOR = 3;

  private final Ambient ambient;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong bodyBytes = new AtomicLong();
  private final KeyLoads keyLoads = new KeyLoads();
  private final ServiceTime serviceTime = new ServiceTime();
  private final AtomicLongArray refusals = new AtomicLongArray(RefusalReason.values().length);
  private final ReentrantLock lock = new ReentrantLock();
  private final RequestQueue queue = new RequestQueue(); // under the lock
  private boolean closed; // under the lock
  private volatile int queueSize; // size of the queue; written under the lock
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
    keyLoads.expectSeveralKeys();
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
    OverloadLimits current = limits;
    if (bytes > current.byteLimitFor(bytes, false)) {
      return new Admission.Refusal(neverFits());
    }
    KeyLoads.Load load = keyLoads.tryAcquire(key, current.perKey());
    if (load == null) {
      return new Admission.Refusal(keyIsFull(key));
    }
    var permit = new Permit(this, load, bytes);
    if (queueSize > 0 || !tryTake(permit)) {
      return admitContended(permit, load, cancellation);
    }
    if (serviceTime.isMeasuring()) {
      permit.recordAdmission(ambient.nanoTime());
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
    if (bytes > limits.byteLimitFor(bytes, true)) {
      return new Admission.Refusal(neverFits());
    }
    return tryTakeBytes(null, bytes, bytes)
        ? new Permit(this, null, bytes)
        : new Admission.Refusal(refusal(RefusalReason.MEMORY, 1));
  }

  /** Takes a place and bytes for the body, or neither; returns whether there was room. */
  private boolean tryTake(Permit permit) {
    KeyLoads.Load load = permit.load();
    if (!tryTakePlace(load)) {
      return false;
    }
    if (tryTakeBytes(load, permit.bytes(), permit.bytes())) {
      return true;
    }
    // another request may have found no room because of this place: it tries again under the lock
    giveBackPlace(load);
    return false;
  }

  private boolean mayHavePlace(Permit permit) {
    KeyLoads.Load load = permit.load();
    return hasPlace(load == null ? 0 : load.places() + 1, inFlight.get() + 1);
  }

  private boolean tryTakePlace(KeyLoads.@Nullable Load load) {
    int keyPlaces = load == null ? 0 : load.addPlaces(1);
    for (int previous = inFlight.get();
        hasPlace(keyPlaces, previous + 1);
        previous = inFlight.get()) {
      if (inFlight.compareAndSet(previous, previous + 1)) {
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
   * @param keyPlaces places of its key, this one included
   * @param allPlaces places of all requests, this one included
   */
  private boolean hasPlace(int keyPlaces, int allPlaces) {
    return isFairShare(keyPlaces, limits.inFlight() - allPlaces, keyPlaces <= 1);
  }

  private boolean isFairShare(long keyTotal, long left, boolean isFirst) {
    return left >= (isFirst || !keyLoads.hasSeveralKeys() ? 0 : keyTotal / MAX_SHARE_FACTOR);
  }

  /**
   * Takes bytes for the body of a request; returns whether there was room for them.
   *
   * @param load the load of its key; null for a management key
   * @param total bytes of the request, {@code additionalBytes} included
   */
  private boolean tryTakeBytes(KeyLoads.@Nullable Load load, long total, long additionalBytes) {
    if (additionalBytes == 0) {
      return true;
    }
    long keyBytes = load == null ? 0 : load.addBytes(additionalBytes);
    for (long previous = bodyBytes.get();
        hasRoom(load, total, keyBytes, previous + additionalBytes);
        previous = bodyBytes.get()) {
      if (bodyBytes.compareAndSet(previous, previous + additionalBytes)) {
        return true;
      }
    }
    if (load != null) {
      load.addBytes(-additionalBytes);
    }
    return false;
  }

  /**
   * Returns whether a request may have this many bytes.
   *
   * @param load the load of its key; null for a management key
   * @param keyBytes bytes of all requests of its key, the new ones included
   * @param allBytes bytes of all requests, the new ones included
   */
  private boolean hasRoom(KeyLoads.@Nullable Load load, long total, long keyBytes, long allBytes) {
    long left = limits.byteLimitFor(total, load == null) - allBytes;
    return isFairShare(keyBytes, left, keyBytes <= total);
  }

  /** Admits, queues or refuses a request that found no room, or other requests waiting. */
  private Admission admitContended(Permit permit, KeyLoads.Load load, Cancellation cancellation) {
    QueuedRequest queuedRequest;
    lock.lock();
    try {
      long now = ambient.nanoTime();
      serviceTime.recordShortage(now);
      serveWaiters(now);
      if (tryTake(permit)) {
        permit.recordAdmission(now);
        return permit; // there is room for this one, but for none of those that wait
      }
      RefusalReason reason = queueRefusalReason(load, permit.bytes(), now);
      if (reason != null) {
        load.release();
        return new Admission.Refusal(refusal(reason, secondsUntilRoom(load, permit.bytes(), now)));
      }
      queuedRequest =
          new QueuedRequest(permit, load.key(), now, now + limits.queueWait().toNanos());
      queue.add(queuedRequest);
      queueSize = queue.size();
      serveWaiters(now); // for room that was freed before it was queued
    } finally {
      lock.unlock();
    }
    return awaitAdmission(queuedRequest, cancellation);
  }

  /** Returns why a request may not wait; null when it may, and then the queue has room for it. */
  private @Nullable RefusalReason queueRefusalReason(KeyLoads.Load load, long bytes, long now) {
    OverloadLimits current = limits;
    KeyId key = load.key();
    boolean isMemoryShort = !hasRoom(load, bytes, load.bytes() + bytes, bodyBytes.get() + bytes);
    if (closed || current.queue() == 0 || current.queueWait().isZero()) {
      return isMemoryShort ? RefusalReason.MEMORY : RefusalReason.QUEUE_FULL;
    }
    long expected =
        (queue.countAhead(key, now) + 1) * (serviceTime.average() / Math.max(1, inFlight.get()));
    if (expected > current.queueWait().toNanos()) {
      return isMemoryShort ? RefusalReason.MEMORY : RefusalReason.EXPECTED_WAIT;
    }
    if (queue.size() >= current.queue()) {
      QueuedRequest evicted = queue.evict(key, now);
      if (evicted == null) {
        return isMemoryShort ? RefusalReason.MEMORY : RefusalReason.QUEUE_FULL;
      }
      end(evicted, RefusalReason.QUEUE_FULL, now);
    }
    return null;
  }

  private Admission awaitAdmission(QueuedRequest queuedRequest, Cancellation cancellation) {
    try (var registration =
        cancellation.onCancel(() -> giveUp(queuedRequest, RefusalReason.CANCELLED))) {
      while (true) {
        Admission outcome = queuedRequest.outcome();
        if (outcome != null) {
          return outcome;
        }
        long left = queuedRequest.deadlineNanos() - ambient.nanoTime();
        if (left <= 0) {
          giveUp(queuedRequest, RefusalReason.QUEUE_TIMEOUT);
        } else if (Thread.currentThread().isInterrupted()) {
          giveUp(queuedRequest, RefusalReason.CANCELLED);
        } else {
          LockSupport.parkNanos(registration, left);
        }
      }
    }
  }

  /** Ends the wait of a request, unless another thread has ended it. */
  private void giveUp(QueuedRequest queuedRequest, RefusalReason reason) {
    lock.lock();
    try {
      if (queue.remove(queuedRequest)) {
        queueSize = queue.size();
        end(queuedRequest, reason, ambient.nanoTime());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Refuses a request that was taken out of the queue. */
  private void end(QueuedRequest queuedRequest, RefusalReason reason, long now) {
    KeyLoads.Load load = queuedRequest.permit().load();
    if (load != null) {
      load.release();
    }
    long seconds = secondsUntilRoom(load, queuedRequest.permit().bytes(), now);
    queuedRequest.end(new Admission.Refusal(refusal(reason, seconds)));
  }

  private void serveWaiters() {
    if (queueSize > 0) {
      lock.lock();
      try {
        serveWaiters(ambient.nanoTime());
      } finally {
        lock.unlock();
      }
    }
  }

  private void serveWaiters(long now) {
    queue.expire(now, queuedRequest -> end(queuedRequest, RefusalReason.QUEUE_TIMEOUT, now));
    while (queue.size() > 0 && inFlight.get() < limits.inFlight()) {
      QueuedRequest next = queue.next(now, this::mayHavePlace, this::tryTake);
      if (next == null) {
        break;
      }
      next.permit().recordAdmission(now);
      next.end(next.permit());
    }
    queueSize = queue.size();
  }

  /**
   * Takes more bytes for a request that is in flight.
   *
   * @param load the load of its key; null for a management key
   * @param total the bytes of the request, {@code additionalBytes} included
   */
  void grow(KeyLoads.@Nullable Load load, long total, long additionalBytes) {
    if (total > limits.byteLimitFor(total, load == null)) {
      throw neverFits().toException();
    }
    if (!tryTakeBytes(load, total, additionalBytes)) {
      long now = ambient.nanoTime();
      serviceTime.recordShortage(now);
      throw refusal(RefusalReason.MEMORY, secondsUntilRoom(load, additionalBytes, now))
          .toException();
    }
  }

  /** Gives bytes back that {@link #grow} took. */
  void shrink(KeyLoads.@Nullable Load load, long bytes) {
    giveBackBytes(load, bytes);
    serveWaiters();
  }

  private void giveBackBytes(KeyLoads.@Nullable Load load, long bytes) {
    if (load != null) {
      load.addBytes(-bytes);
    }
    bodyBytes.addAndGet(-bytes);
  }

  /**
   * Gives back the place and the bytes of a request.
   *
   * @param load the load of its key; null when the request took no place
   * @param admittedNanos the nanoTime when it was admitted; 0 when that was not measured
   */
  void leave(KeyLoads.@Nullable Load load, long bytes, long admittedNanos) {
    giveBackBytes(load, bytes);
    if (load != null) {
      giveBackPlace(load);
      load.release();
    }
    if (admittedNanos != 0) {
      long now = ambient.nanoTime();
      serviceTime.recordDuration(now - admittedNanos, now);
    }
    serveWaiters();
  }

  /** Returns the seconds until enough requests should have ended to make room for one more. */
  private long secondsUntilRoom(KeyLoads.@Nullable Load load, long bytes, long now) {
    long usedBytes = bodyBytes.get();
    long missingBytes = usedBytes + bytes - limits.byteLimitFor(bytes, load == null);
    int requests = inFlight.get();
    if (load != null && missingBytes <= 0 && requests < limits.inFlight()) {
      return serviceTime.retryAfterSeconds(
          1, load.inFlight(), now); // a request of its key has to end
    }
    long perRequest = Math.max(1, usedBytes / Math.max(1, requests));
    long endings = missingBytes <= 0 ? 1 : Math.ceilDiv(missingBytes, perRequest);
    return serviceTime.retryAfterSeconds(queueSize + endings, requests, now);
  }

  private GatewayError keyIsFull(KeyId key) {
    long now = ambient.nanoTime();
    serviceTime.recordShortage(now);
    countRefusal(RefusalReason.KEY);
    return GatewayError.of(ErrorCode.RATE_LIMIT_EXCEEDED)
        .withMetadata("overload", Json.of(RefusalReason.KEY.wireName()))
        .withRetryAfter(serviceTime.retryAfterSeconds(1, keyLoads.inFlight(key), now));
  }

  private GatewayError refusal(RefusalReason reason, long seconds) {
    countRefusal(reason);
    return GatewayError.of(ErrorCode.UNAVAILABLE)
        .withMetadata("overload", Json.of(reason.wireName()))
        .withRetryAfter(seconds);
  }

  /** Returns the error for a body that is larger than the whole budget. */
  private GatewayError neverFits() {
    countRefusal(RefusalReason.MEMORY);
    return GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE)
        .withMetadata("overload", Json.of(RefusalReason.MEMORY.wireName()));
  }

  /** Counts a request that was refused. */
  private void countRefusal(RefusalReason reason) {
    refusals.incrementAndGet(reason.ordinal());
  }

  /**
   * Returns the requests in flight now, and the number of refusals so far.
   *
   * @param endpoints the limiter whose endpoints are part of the snapshot
   */
  public AdmissionSnapshot snapshot(EndpointLimiter endpoints) {
    var counts = new EnumMap<RefusalReason, Long>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      counts.put(reason, refusals.get(reason.ordinal()));
    }
    counts.put(RefusalReason.ENDPOINT, endpoints.refusals());
    return new AdmissionSnapshot(
        inFlight.get(), queueSize, bodyBytes.get(), counts, endpoints.loads());
  }

  /** Refuses all waiting requests, and later ones that would wait. Admitted requests continue. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      long now = ambient.nanoTime();
      queue.drain(queuedRequest -> end(queuedRequest, RefusalReason.CANCELLED, now));
      queueSize = 0;
    } finally {
      lock.unlock();
    }
  }
}
