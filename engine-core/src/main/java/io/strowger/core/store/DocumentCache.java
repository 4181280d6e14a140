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
  private final Cache<String, Optional<T>> cache;
  private final ConcurrentHashMap<String, SharedLookup<T>> lookups = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long dropCount; // under the lock

  DocumentCache(StoreWatch watch, String kind, Function<Document, T> reader, int maxSize) {
    this.watch = watch;
    this.kind = kind;
    this.reader = reader;
    this.cache = Caffeine.newBuilder().maximumSize(maxSize).executor(Runnable::run).build();
  }

  /**
   * Returns the value of the document with this id: after {@link #invalidate} the current value,
   * otherwise one that was current at most {@link StoreWatch#POLL_INTERVAL} ago.
   *
   * @return the value; null when there is no such document
   * @throws io.strowger.spi.store.StoreUnavailableException when the document is not cached and the
   *     store is down
   */
  public @Nullable T find(String id) {
    Optional<T> cached = cache.getIfPresent(id);
    return (cached == null ? load(id) : cached).orElse(null);
  }

  /** Returns whether {@link #find} would answer without asking the store. */
  public boolean isCached(String id) {
    return cache.getIfPresent(id) != null;
  }

  /** Asks the store, or waits for a thread that is asking. A lookup after a drop asks again. */
  private Optional<T> load(String id) {
    var ownLookup = new SharedLookup<T>();
    SharedLookup<T> existing = lookups.putIfAbsent(id, ownLookup);
    if (existing != null) {
      return existing.await();
    }
    Optional<T> value = null;
    try {
      value = read(id);
      return value;
    } finally {
      lookups.remove(id, ownLookup);
      ownLookup.complete(value);
    }
  }

  /** Asks the store without holding the lock; a value that was dropped meanwhile is not cached. */
  private Optional<T> read(String id) {
    watch.start();
    long dropCountBefore = callLocked(() -> dropCount);
    Document document = watch.documents().find(kind, id);
    Optional<T> value = document == null ? Optional.empty() : Optional.of(reader.apply(document));
    callLocked(
        () -> {
          if (dropCount == dropCountBefore) {
            cache.put(id, value);
          }
          return dropCount;
        });
    return value;
  }

  @Override
  public void invalidate(DocumentStore.Ref ref) {
    invalidate(ref.id());
  }

  /** Drops a document that was written or removed. */
  public void invalidate(String id) {
    drop(
        () -> {
          cache.invalidate(id);
          lookups.remove(id);
        });
  }

  /** Drops all documents, because any may have been written or removed. */
  @Override
  public void dropAll() {
    drop(
        () -> {
          cache.invalidateAll();
          lookups.clear();
        });
  }

  private void drop(Runnable removal) {
    callLocked(
        () -> {
          removal.run();
          return ++dropCount;
        });
  }

  private long callLocked(LongSupplier action) {
    lock.lock();
    try {
      return action.getAsLong();
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
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Optional<R> result; // null when there is none

    /**
     * Ends the lookup, with or without a result.
     *
     * @param value the result; null when the store failed
     */
    void complete(@Nullable Optional<R> value) {
      result = value;
      done.countDown();
    }

    /**
     * Waits for the result; a store answers or fails within two seconds.
     *
     * @throws StoreUnavailableException when the lookup failed
     */
    Optional<R> await() {
      Uninterruptibles.awaitUninterruptibly(done);
      Optional<R> value = result;
      if (value == null) {
        throw new StoreUnavailableException(
            "the store failed while another request was loading the same document", null);
      }
      return value;
    }
  }
}
