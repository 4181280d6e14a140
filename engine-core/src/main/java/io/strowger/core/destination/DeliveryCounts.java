package io.strowger.core.destination;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many calls one destination accepted, refused or lost, and whether it accepts calls at the
 * moment. The log says when that changes, not with each request. Safe on any thread.
 */
final class DeliveryCounts {
  private static final Logger log = LoggerFactory.getLogger(DeliveryCounts.class);

  private final String name;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong droppedFull = new AtomicLong();
  private final AtomicLong droppedRefused = new AtomicLong();
  private final AtomicLong droppedGivenUp = new AtomicLong();
  private final AtomicLong failedRequests = new AtomicLong();
  private volatile Condition condition = Condition.ACCEPTING;
  private volatile boolean overflowing; // calls were dropped since the queue was last empty

  /** How the destination treated the last request. */
  private enum Condition {
    ACCEPTING,
    /** It did not answer, or asked for a retry: the calls are sent again. */
    UNAVAILABLE,
    /** It gave a final answer other than success, or rejected every call: the calls are lost. */
    REFUSING
  }

  /**
   * @param name the destination's name in the log
   */
  DeliveryCounts(String name) {
    this.name = name;
  }

  /**
   * Counts the calls of a request that the destination accepted. A destination that rejects all of
   * them refuses calls.
   *
   * @param rejected how many of these calls it rejected nevertheless
   */
  void addAccepted(int calls, long rejected) {
    delivered.addAndGet(calls - rejected);
    droppedRefused.addAndGet(rejected);
    if (rejected > 0 && rejected == calls) {
      setRefusing("it answered with success, but rejected every call");
    } else if (condition != Condition.ACCEPTING) {
      condition = Condition.ACCEPTING;
      log.info("destination {} accepts calls again", name);
    }
  }

  private void setRefusing(String reason) {
    if (condition != Condition.REFUSING) {
      condition = Condition.REFUSING;
      log.warn("destination {} refuses calls; they are lost: {}", name, reason);
    }
  }

  /** Counts a request that the destination refused for good, and its calls. */
  void addRefused(int calls, String reason) {
    failedRequests.incrementAndGet();
    droppedRefused.addAndGet(calls);
    setRefusing(reason);
  }

  /** Counts a request that will be sent again; its calls are not lost yet. */
  void addFailedRequest(String reason) {
    failedRequests.incrementAndGet();
    if (condition != Condition.UNAVAILABLE) {
      condition = Condition.UNAVAILABLE;
      log.warn(
          "destination {} does not accept calls; they are queued and sent again later: {}",
          name,
          reason);
    }
  }

  /** Counts calls that were not delivered in time and are given up. */
  void addGivenUp(int calls) {
    droppedGivenUp.addAndGet(calls);
  }

  /** Counts a call for which the queue had no room. */
  void addOverflow() {
    droppedFull.incrementAndGet();
    if (!overflowing) {
      overflowing = true;
      log.warn("the queue of destination {} is full: calls are dropped", name);
    }
  }

  /** Notes that the queue is empty, so that the next overflow is logged again. */
  void onQueueEmpty() {
    overflowing = false;
  }

  /** Returns the number of delivered calls. */
  long delivered() {
    return delivered.get();
  }

  /** Returns the number of calls for which the queue had no room. */
  long droppedFull() {
    return droppedFull.get();
  }

  /** Returns the number of calls that the destination refused for good. */
  long droppedRefused() {
    return droppedRefused.get();
  }

  /** Returns the number of calls that were given up. */
  long droppedGivenUp() {
    return droppedGivenUp.get();
  }

  /** Returns the number of requests, not calls, that failed. */
  long failedRequests() {
    return failedRequests.get();
  }

  /** Returns whether the last request failed, or all of its calls were rejected. */
  boolean isFailing() {
    return condition != Condition.ACCEPTING;
  }
}
