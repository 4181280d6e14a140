package io.strowger.core.memory;

import io.strowger.spi.store.GenerationStore;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records of the last requests, forgotten when the process ends, when they are old, and when they
 * take too much room; the oldest first. The last one is always there. Takes no lock.
 */
public final class MemoryGenerations implements GenerationStore {
  /** How long one is kept at most, by the times the requests came. */
  static final Duration KEPT = Duration.ofHours(1);

  /** What all of them take at most, what was said included. */
  static final long MOST_BYTES = 32L << 20;

  /** What one takes besides its row and what was said. */
  static final int OVERHEAD = 280;

  private final Map<String, Saved> kept = new ConcurrentHashMap<>();
  private final Queue<Saved> inOrder = new ConcurrentLinkedQueue<>(); // with those replaced
  private final AtomicLong bytes = new AtomicLong();

  /** A record each time it is saved: one that equals another is not the other. */
  private static final class Saved {
    private final Generation generation;

    Saved(Generation generation) {
      this.generation = generation;
    }

    String id() {
      return generation.id();
    }

    long size() {
      return MemoryGenerations.size(generation);
    }

    long at() {
      return generation.at().toEpochMilli();
    }
  }

  private static long size(Generation generation) {
    byte[] content = generation.content();
    return OVERHEAD + generation.row().length + (content == null ? 0L : content.length);
  }

  @Override
  public void save(Generation generation) {
    var last = new Saved(generation);
    Saved before = kept.put(generation.id(), last);
    inOrder.add(last);
    bytes.addAndGet(last.size() - (before == null ? 0 : before.size()));
    Saved oldest = inOrder.peek();
    while (oldest != null && oldest != last && isToForget(oldest, last)) {
      if (inOrder.remove(oldest) && kept.remove(oldest.id(), oldest)) { // else somebody else did
        bytes.addAndGet(-oldest.size());
      }
      oldest = inOrder.peek();
    }
  }

  private boolean isToForget(Saved oldest, Saved last) {
    return bytes.get() > MOST_BYTES
        || last.at() - oldest.at() > KEPT.toMillis()
        || kept.get(oldest.id()) != oldest; // replaced, and counted no more
  }

  @Override
  public @Nullable Generation find(String id) {
    Saved found = kept.get(id);
    return found == null ? null : found.generation;
  }
}
