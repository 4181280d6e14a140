package io.strowger.core.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.Uninterruptibles;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches documents of one kind until they change. A lookup asks the store only for ids that are not
 * cached; that a document does not exist is cached, too. While the store is down, cached documents
 * are still found. Safe on any thread.
 *
 * @param <T> the type of the values that are made of documents
 */
public final class DocumentCache<T> implements DocumentChangeListener {
  private final StoreWatch watch;
  private final String kind;
  private final Function<Document, T> reader;
  private final Cache<String, Optional<T>> kept;
  private final ConcurrentHashMap<String, SharedLookup<T>> loads = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long drops; // under the lock

  DocumentCache(StoreWatch watch, String kind, Function<Document, T> reader, int most) {
    this.watch = watch;
    this.kind = kind;
    this.reader = reader;
    this.kept = Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).build();
  }

  /**
   * Returns the value of the document with this id: after {@link #invalidate} the current value,
   * otherwise one that was current at most {@link StoreWatch#EVERY} ago.
   *
   * @return the value; null when there is no such document
   * @throws io.strowger.spi.store.StoreUnavailableException when it is not cached and the store is
   *     down
   */
  public @Nullable T find(String id) {
    Optional<T> copy = kept.getIfPresent(id);
    return (copy == null ? load(id) : copy).orElse(null);
  }

  /** Returns whether {@link #find} would answer without asking the store. */
  public boolean isCached(String id) {
    return kept.getIfPresent(id) != null;
  }

  /** Asks the store, or waits for a thread that is asking. A lookup after a drop asks again. */
  private Optional<T> load(String id) {
    var mine = new SharedLookup<T>();
    SharedLookup<T> other = loads.putIfAbsent(id, mine);
    if (other != null) {
      return other.await();
    }
    Optional<T> read = null;
    try {
      read = read(id);
      return read;
    } finally {
      loads.remove(id, mine);
      mine.end(read);
    }
  }

  /** Asks the store without holding the lock; a value that was dropped meanwhile is not cached. */
  private Optional<T> read(String id) {
    watch.start();
    long before = locked(() -> drops);
    Document document = watch.documents().find(kind, id);
    Optional<T> copy = document == null ? Optional.empty() : Optional.of(reader.apply(document));
    locked(
        () -> {
          if (drops == before) {
            kept.put(id, copy);
          }
          return drops;
        });
    return copy;
  }

  @Override
  public void invalidate(DocumentStore.Ref changed) {
    invalidate(changed.id());
  }

  /** Drops a document that was written or removed. */
  public void invalidate(String id) {
    dropped(
        () -> {
          kept.invalidate(id);
          loads.remove(id);
        });
  }

  /** Drops all documents, because any may have been written or removed. */
  @Override
  public void dropAll() {
    dropped(
        () -> {
          kept.invalidateAll();
          loads.clear();
        });
  }

  private void dropped(Runnable forget) {
    locked(
        () -> {
          forget.run();
          return ++drops;
        });
  }

  private long locked(LongSupplier step) {
    lock.lock();
    try {
      return step.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Set<String> kinds() {
    return Set.of(kind);
  }

  /**
   * A lookup in progress, shared by all threads that need its result: a node that starts under load
   * asks once for a key, not once for each request that uses it.
   */
  @SuppressWarnings("NullableOptional") // empty: no such document; null: the lookup failed
  private static final class SharedLookup<R> {
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Optional<R> answer; // null when there is none

    /**
     * Ends the lookup, with or without a result.
     *
     * @param read the result; null when the store failed
     */
    void end(@Nullable Optional<R> read) {
      answer = read;
      over.countDown();
    }

    /**
     * Waits for the result; a store answers or fails within two seconds.
     *
     * @throws StoreUnavailableException when the lookup failed
     */
    Optional<R> await() {
      Uninterruptibles.awaitUninterruptibly(over);
      Optional<R> read = answer;
      if (read == null) {
        throw new StoreUnavailableException(
            "the store failed while another request was loading the same document", null);
      }
      return read;
    }
  }
}
