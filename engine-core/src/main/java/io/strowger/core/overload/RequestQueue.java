package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a place, by key. Keys take turns, so a key that sends many requests
 * delays only its own. A key's requests are served oldest first; newest first once the oldest has
 * waited half its maximum, because its caller is then likely to give up before the answer.
 *
 * <p>Confined to whoever holds the lock of {@link AdmissionControl}.
 */
final class RequestQueue {
  private final Map<KeyId, Deque<QueuedRequest>> byKey = new LinkedHashMap<>(); // next turn first
  private int size;

  int size() {
    return size;
  }

  void add(QueuedRequest queuedRequest) {
    byKey.computeIfAbsent(queuedRequest.key(), key -> new ArrayDeque<>()).addLast(queuedRequest);
    size++;
  }

  /** Removes a request; returns false when it is no longer in the queue. */
  boolean remove(QueuedRequest queuedRequest) {
    Deque<QueuedRequest> keyQueue = byKey.get(queuedRequest.key());
    if (keyQueue == null || !keyQueue.remove(queuedRequest)) {
      return false;
    }
    size--;
    if (keyQueue.isEmpty()) {
      byKey.remove(queuedRequest.key());
    }
    return true;
  }

  /**
   * Removes and returns the next request for which there is room, key by key in turn. The key's
   * next turn comes after those of all other keys.
   *
   * @param now the current time, in nanoseconds
   * @param mayHavePlace whether the key of this permit may have another place; called once for each
   *     key, because the result is the same for all its requests
   * @param tryTake takes the place and the bytes of a permit; false when there is no room
   * @return the request; null when there is room for none
   */
  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // returns right after the change
  @Nullable QueuedRequest next(
      long now, Predicate<Permit> mayHavePlace, Predicate<Permit> tryTake) {
    for (Deque<QueuedRequest> keyQueue : byKey.values()) {
      if (!mayHavePlace.test(keyQueue.getFirst().permit())) {
        continue;
      }
      Iterator<QueuedRequest> iterator =
          isOld(keyQueue, now) ? keyQueue.descendingIterator() : keyQueue.iterator();
      while (iterator.hasNext()) {
        QueuedRequest queuedRequest = iterator.next();
        if (tryTake.test(queuedRequest.permit())) {
          iterator.remove();
          size--;
          byKey.remove(queuedRequest.key());
          if (!keyQueue.isEmpty()) {
            byKey.put(queuedRequest.key(), keyQueue);
          }
          return queuedRequest;
        }
      }
    }
    return null;
  }

  private static boolean isOld(Deque<QueuedRequest> keyQueue, long now) {
    QueuedRequest oldest = keyQueue.peekFirst();
    return oldest != null
        && now - oldest.arrivedNanos() > (oldest.deadlineNanos() - oldest.arrivedNanos()) / 2;
  }

  /** Removes the requests that have waited for their maximum time, and passes each to an action. */
  void expire(long now, Consumer<QueuedRequest> action) {
    Iterator<Deque<QueuedRequest>> keys = byKey.values().iterator();
    while (keys.hasNext()) {
      Deque<QueuedRequest> keyQueue = keys.next();
      for (QueuedRequest first = keyQueue.peekFirst();
          first != null && first.deadlineNanos() - now <= 0;
          first = keyQueue.peekFirst()) {
        keyQueue.removeFirst();
        size--;
        action.accept(first);
      }
      if (keyQueue.isEmpty()) {
        keys.remove();
      }
    }
  }

  /** Removes all requests and passes each to an action. */
  void drain(Consumer<QueuedRequest> action) {
    Collection<Deque<QueuedRequest>> queues = byKey.values();
    queues.forEach(keyQueue -> keyQueue.forEach(action));
    byKey.clear();
    size = 0;
  }

  /** Returns how many requests would be served before a new one of this key. */
  int countAhead(KeyId key, long now) {
    Deque<QueuedRequest> keyQueue = byKey.get(key);
    int ownAhead = keyQueue == null || isOld(keyQueue, now) ? 0 : keyQueue.size();
    int ahead = ownAhead;
    for (Map.Entry<KeyId, Deque<QueuedRequest>> entry : byKey.entrySet()) {
      if (!entry.getKey().equals(key)) {
        ahead += Math.min(entry.getValue().size(), ownAhead + 1);
      }
    }
    return ahead;
  }

  /**
   * Makes room in a full queue for a request of a key: removes one request of the key that has the
   * most, if it has more than this key would have. The removed request is the one that would be
   * served last.
   *
   * @return the removed request; null when no key has more
   */
  @Nullable QueuedRequest evict(KeyId key, long now) {
    Deque<QueuedRequest> keyQueue = byKey.get(key);
    Deque<QueuedRequest> longest = null;
    for (Deque<QueuedRequest> queue : byKey.values()) {
      longest = longest == null || queue.size() > longest.size() ? queue : longest;
    }
    int newSize = keyQueue == null ? 1 : keyQueue.size() + 1;
    if (longest == null || longest.size() <= newSize) {
      return null;
    }
    QueuedRequest last = isOld(longest, now) ? longest.pollFirst() : longest.pollLast();
    size--;
    return last;
  }
}
