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
  private long deliveryBytes; // of these calls
  private int inStorage; // the number of calls that are being stored on disk
  private long bytes; // of all calls in memory
  private int maxDelivery = BATCH_CALLS;

  /** Returns whether a call waits. Calls that are being delivered or stored do not wait. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Returns the number of all calls in memory. */
  int countInMemory() {
    return waiting.size() + inDelivery + inStorage;
  }

  /** Returns the approximate size of all calls in memory. */
  long bytesInMemory() {
    return bytes;
  }

  /** Adds a call at the end. Returns false when there is no room for it. */
  boolean add(QueuedCall call) {
    int count = countInMemory();
    if (count >= MAX_CALLS || count > 0 && bytes + call.bytes() > MAX_BYTES) {
      return false;
    }
    waiting.add(call);
    bytes += call.bytes();
    return true;
  }

  /** Returns whether the calls in memory use more than half of one of the two limits. */
  boolean isHalfFull() {
    return 2 * countInMemory() > MAX_CALLS || 2 * bytes > MAX_BYTES;
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
    batch.forEach(call -> deliveryBytes += call.bytes());
    return batch;
  }

  /**
   * Puts calls of the delivery back before all others, in their order. From then on they wait, and
   * no longer count as being delivered.
   */
  void putBack(List<QueuedCall> calls) {
    inDelivery -= calls.size();
    calls.forEach(call -> deliveryBytes -= call.bytes());
    addFirst(calls);
  }

  /** Ends the delivery: its calls no longer count, except those that were put back. */
  void endDelivery() {
    bytes -= deliveryBytes;
    deliveryBytes = 0;
    inDelivery = 0;
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
    batch.subList(0, stored).forEach(call -> bytes -= call.bytes());
    addFirst(batch.subList(stored, batch.size()));
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

  /** Lets calls that are already counted wait before all others, in their order. */
  private void addFirst(List<QueuedCall> calls) {
    calls.reversed().forEach(waiting::addFirst);
  }

  /** Removes the calls that wait, and returns how many there were. */
  int clear() {
    int count = waiting.size();
    waiting.forEach(call -> bytes -= call.bytes());
    waiting.clear();
    return count;
  }
}
