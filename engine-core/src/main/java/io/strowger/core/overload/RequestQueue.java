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

  void add(QueuedRequest queued) {
    byKey.computeIfAbsent(queued.key(), first -> new ArrayDeque<>()).addLast(queued);
    size++;
  }

  /** Removes a request; returns false when it is no longer in the queue. */
  boolean remove(QueuedRequest queued) {
    Deque<QueuedRequest> own = byKey.get(queued.key());
    if (own == null || !own.remove(queued)) {
      return false;
    }
    size--;
    if (own.isEmpty()) {
      byKey.remove(queued.key());
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
   * @param takes takes the place and the bytes of a permit; false when there is no room
   * @return the request; null when there is room for none
   */
  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // returns right after the change
  @Nullable QueuedRequest next(long now, Predicate<Permit> mayHavePlace, Predicate<Permit> takes) {
    for (Deque<QueuedRequest> own : byKey.values()) {
      if (!mayHavePlace.test(own.getFirst().permit())) {
        continue;
      }
      Iterator<QueuedRequest> inOrder = isOld(own, now) ? own.descendingIterator() : own.iterator();
      while (inOrder.hasNext()) {
        QueuedRequest queued = inOrder.next();
        if (takes.test(queued.permit())) {
          inOrder.remove();
          size--;
          byKey.remove(queued.key());
          if (!own.isEmpty()) {
            byKey.put(queued.key(), own);
          }
          return queued;
        }
      }
    }
    return null;
  }

  private static boolean isOld(Deque<QueuedRequest> own, long now) {
    QueuedRequest oldest = own.peekFirst();
    return oldest != null && now - oldest.arrived() > (oldest.due() - oldest.arrived()) / 2;
  }

  /** Removes all requests that have waited for their maximum time. */
  void expire(long now, Consumer<QueuedRequest> each) {
    Iterator<Deque<QueuedRequest>> keys = byKey.values().iterator();
    while (keys.hasNext()) {
      Deque<QueuedRequest> own = keys.next();
      for (QueuedRequest first = own.peekFirst();
          first != null && first.due() - now <= 0;
          first = own.peekFirst()) {
        own.removeFirst();
        size--;
        each.accept(first);
      }
      if (own.isEmpty()) {
        keys.remove();
      }
    }
  }

  /** Removes all requests. */
  void drain(Consumer<QueuedRequest> each) {
    Collection<Deque<QueuedRequest>> all = byKey.values();
    all.forEach(own -> own.forEach(each));
    byKey.clear();
    size = 0;
  }

  /** Returns how many requests would be served before a new one of this key. */
  int ahead(KeyId key, long now) {
    Deque<QueuedRequest> own = byKey.get(key);
    int before = own == null || isOld(own, now) ? 0 : own.size();
    int ahead = before;
    for (Map.Entry<KeyId, Deque<QueuedRequest>> other : byKey.entrySet()) {
      if (!other.getKey().equals(key)) {
        ahead += Math.min(other.getValue().size(), before + 1);
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
    Deque<QueuedRequest> own = byKey.get(key);
    Deque<QueuedRequest> most = null;
    for (Deque<QueuedRequest> other : byKey.values()) {
      most = most == null || other.size() > most.size() ? other : most;
    }
    int withIt = own == null ? 1 : own.size() + 1;
    if (most == null || most.size() <= withIt) {
      return null;
    }
    QueuedRequest last = isOld(most, now) ? most.pollFirst() : most.pollLast();
    size--;
    return last;
  }
}
