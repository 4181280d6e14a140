package io.strowger.core.memory;

import io.strowger.spi.store.GenerationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records of the last requests, forgotten when the process ends, when they are old, and when they
 * take too much room; the oldest first. The last one is always there.
 */
public final class MemoryGenerations implements GenerationStore {
  /** How long one is kept at most, by the times the requests came. */
  static final Duration KEPT = Duration.ofHours(1);

  /** What all of them take at most, what was said included. */
  static final long MOST_BYTES = 32L << 20;

  /** What one takes besides its row and what was said. */
  static final int OVERHEAD = 280;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Generation> kept = new LinkedHashMap<>(); // these under the lock
  private long bytes;

  private static long size(Generation generation) {
    byte[] content = generation.content();
    return OVERHEAD + generation.row().length + (content == null ? 0L : content.length);
  }

  @Override
  public void save(Generation generation) {
    lock.lock();
    try {
      Generation before = kept.remove(generation.id());
      bytes += size(generation) - (before == null ? 0 : size(before));
      kept.put(generation.id(), generation);
      if (bytes > MOST_BYTES || isOld(kept.values().iterator().next(), generation.at())) {
        forget(generation);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forget(Generation last) {
    Iterator<Generation> oldest = kept.values().iterator();
    while (oldest.hasNext()) {
      Generation next = oldest.next();
      if (next == last || bytes <= MOST_BYTES && !isOld(next, last.at())) {
        return;
      }
      oldest.remove();
      bytes -= size(next);
    }
  }

  private static boolean isOld(Generation generation, Instant now) {
    return Duration.between(generation.at(), now).compareTo(KEPT) > 0;
  }

  @Override
  public @Nullable Generation find(String id) {
    lock.lock();
    try {
      return kept.get(id);
    } finally {
      lock.unlock();
    }
  }
}
