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
 * The requests that wait for a place, by key. Keys take turns, so one that sends many delays its
 * own. The requests of a key are served oldest first; newest first once the oldest has waited half
 * of what it may, for by then the old ones are likely to be given up before they are answered.
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

  /** Takes one out; false when it is not in here any more. */
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
   * Takes out whose turn it is: of the first key that has one for which there is room. That key's
   * next turn comes after all others'.
   *
   * @param now nanoseconds
   * @param mayHavePlace whether the key of this one may have another place; the same for all of a
   *     key, so it is asked once for each, however many wait
   * @param takes takes room for what it is to get, if there is any
   * @return null when there is room for none
   */
  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // and returns at once
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

  /** Takes out everyone who has waited as long as they may. */
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

  /** Takes everyone out. */
  void drain(Consumer<QueuedRequest> each) {
    Collection<Deque<QueuedRequest>> all = byKey.values();
    all.forEach(own -> own.forEach(each));
    byKey.clear();
    size = 0;
  }

  /** How many would be served before one more request of this key. */
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
   * Makes room for one more request of a key in a queue that is full: takes out one of the key that
   * has the most, if that has more than this one would have. The one that would be served last.
   *
   * @return null when nobody has more
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
