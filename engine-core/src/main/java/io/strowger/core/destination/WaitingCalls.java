package io.strowger.core.destination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one destination that are in memory, bounded in calls and in bytes. Calls that are
 * being delivered or stored on disk still count, because they may have to be put back.
 *
 * <p>Not safe on several threads: {@link DestinationQueue} guards it with its lock.
 */
final class WaitingCalls {
  /** The most calls in memory. */
  static final int MAX_CALLS = 2_048;

  /** The most bytes in memory, approximately; the first call is accepted whatever its size. */
  static final long MAX_BYTES = 16L << 20;

  /** The most calls that are delivered or stored at a time. */
  static final int BATCH_CALLS = 100;

  /** The most bytes that are delivered or stored at a time; a batch has at least one call. */
  static final long BATCH_BYTES = 1L << 20;

  private final ArrayDeque<QueuedCall> waiting = new ArrayDeque<>();
  private int inDelivery; // the number of calls that are being delivered
  private int inStorage; // the number of calls that are being stored on disk
  private long bytes; // of all calls in memory
  private long returnedBytes; // of calls that were returned from the current delivery
  private int maxDelivery = BATCH_CALLS;

  /** Returns whether no call waits. Calls that are being delivered or stored do not wait. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns the number of all calls in memory. */
  int count() {
    return waiting.size() + inDelivery + inStorage;
  }

  /** Returns the approximate size of all calls in memory. */
  long bytes() {
    return bytes;
  }

  /** Adds a call at the end. Returns false when there is no room for it. */
  boolean add(QueuedCall call) {
    int count = count();
    if (count >= MAX_CALLS || count > 0 && bytes + call.bytes() > MAX_BYTES) {
      return false;
    }
    waiting.add(call);
    bytes += call.bytes();
    return true;
  }

  /** Returns whether the calls in memory use more than half of one of the two limits. */
  boolean isHalfFull() {
    return 2 * count() > MAX_CALLS || 2 * bytes > MAX_BYTES;
  }

  /**
   * Returns whether more than a quarter of {@link #MAX_CALLS} wait, or all calls in memory use more
   * than a quarter of {@link #MAX_BYTES}.
   */
  boolean isQuarterFull() {
    return 4 * waiting.size() > MAX_CALLS || 4 * bytes > MAX_BYTES;
  }

  /** Returns whether about one full delivery waits. */
  boolean hasFullBatch() {
    return waiting.size() >= maxDelivery || bytes >= BATCH_BYTES;
  }

  /** Sets the most calls of one delivery, at least one. */
  void setMaxDelivery(int calls) {
    maxDelivery = calls;
  }

  /** Allows one call more in a delivery, up to {@link #BATCH_CALLS}. */
  void growMaxDelivery() {
    maxDelivery = Math.min(BATCH_CALLS, maxDelivery + 1);
  }

  /** Takes the oldest calls, to deliver them. Call {@link #endDelivery} afterwards. */
  List<QueuedCall> takeForDelivery() {
    List<QueuedCall> batch = take(maxDelivery);
    inDelivery = batch.size();
    return batch;
  }

  /**
   * Returns calls of the current delivery: they wait again, before all others, in their order. They
   * count once at every moment.
   */
  void returnFromDelivery(List<QueuedCall> calls) {
    inDelivery -= calls.size();
    for (QueuedCall call : calls.reversed()) {
      waiting.addFirst(call);
      returnedBytes += call.bytes();
    }
  }

  /** Ends the delivery of these calls: they no longer count, unless they were returned. */
  void endDelivery(List<QueuedCall> batch) {
    inDelivery = 0;
    batch.forEach(call -> bytes -= call.bytes());
    bytes += returnedBytes;
    returnedBytes = 0;
  }

  /** Takes the oldest calls, to store them on disk. Call {@link #endStorage} afterwards. */
  List<QueuedCall> takeForStorage() {
    List<QueuedCall> batch = take(BATCH_CALLS);
    inStorage = batch.size();
    return batch;
  }

  /**
   * Ends the storage of these calls. Those that are not on disk wait again.
   *
   * @param stored how many of them, from the first, are on disk
   */
  void endStorage(List<QueuedCall> batch, int stored) {
    inStorage = 0;
    batch.forEach(call -> bytes -= call.bytes());
    putBack(batch.subList(stored, batch.size()));
  }

  private List<QueuedCall> take(int maxCalls) {
    var batch = new ArrayList<QueuedCall>();
    long size = 0;
    while (!waiting.isEmpty() && batch.size() < maxCalls) {
      size += waiting.element().bytes();
      if (size > BATCH_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(waiting.remove());
    }
    return batch;
  }

  /** Adds calls before all others, in their order, even if there is no room. */
  private void putBack(List<QueuedCall> calls) {
    for (QueuedCall call : calls.reversed()) {
      waiting.addFirst(call);
      bytes += call.bytes();
    }
  }

  /** Removes the calls that wait, and returns how many there were. */
  int clear() {
    int count = waiting.size();
    waiting.forEach(call -> bytes -= call.bytes());
    waiting.clear();
    return count;
  }
}
