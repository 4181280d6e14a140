package io.strowger.core.store;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the store every {@link #POLL_INTERVAL} for documents that changed, on any node, and drops
 * their copies. One thread serves all kinds; it starts when the first document is read. While the
 * store is down the copies stay as they are.
 */
public final class StoreWatch implements AutoCloseable {
  /**
   * The time between two polls, which is also how long a copy may lag behind what another node
   * wrote.
   */
  public static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  private static final Logger log = LoggerFactory.getLogger(StoreWatch.class);

  private final DocumentStore documents;
  private final Ambient ambient;
  private final List<DocumentChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean isStarted;
  private @Nullable Thread thread; // these three under the lock
  private boolean isSleeping;
  private boolean isClosed;

  private long latestChange = -1; // used by the polling thread alone
  private volatile boolean isDown; // written by the polling thread alone

  public StoreWatch(DocumentStore documents, Ambient ambient) {
    this.documents = Objects.requireNonNull(documents, "documents");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * Returns a new cache of the documents of one kind.
   *
   * @param reader turns a document into the value to cache; must be quick and never return null
   * @param maxSize the most values to cache
   */
  public <T> DocumentCache<T> newCache(String kind, Function<Document, T> reader, int maxSize) {
    var cache = new DocumentCache<T>(this, kind, reader, maxSize);
    addListener(cache);
    return cache;
  }

  /**
   * Registers a listener. Listeners are called in the order of their registration, so one whose
   * values are derived from a cache must be registered after that cache.
   */
  public void addListener(DocumentChangeListener listener) {
    listeners.add(listener);
  }

  /**
   * Writes documents and drops their copies before it returns, even when the write fails. When the
   * store fails after the write, the copies are dropped at the next poll and nothing is thrown,
   * because the write was made and its caller may have a secret that can be shown only once.
   *
   * @return the result of {@link DocumentStore#write}
   */
  public boolean write(List<DocumentStore.Write> writes) {
    try {
      return documents.write(writes);
    } finally {
      StoreUnavailableException failure =
          notifyListeners(
              writes.stream()
                  .map(StoreWatch::changedRef)
                  .filter(Objects::nonNull)
                  .map(Objects::requireNonNull)
                  .toList());
      if (failure != null) {
        log.warn(
            "copies of changed documents in memory could not be updated; they are updated at the"
                + " next check of the store: {}",
            failure.getMessage());
      }
    }
  }

  /** Returns whether the last poll of the store succeeded; true before the first poll. */
  public boolean isStoreUp() {
    return !isDown;
  }

  private static DocumentStore.@Nullable Ref changedRef(DocumentStore.Write write) {
    return switch (write) {
      case DocumentStore.Write.Insert(Document document) -> ref(document);
      case DocumentStore.Write.Replace(Document document) -> ref(document);
      case DocumentStore.Write.Remove(String kind, String id, long version) ->
          new DocumentStore.Ref(kind, id);
      case DocumentStore.Write.Append entry -> null;
    };
  }

  private static DocumentStore.Ref ref(Document document) {
    return new DocumentStore.Ref(document.kind(), document.id());
  }

  DocumentStore documents() {
    return documents;
  }

  /** Starts the polling thread, unless it was started or this is closed. */
  public void start() {
    if (isStarted) {
      return;
    }
    lock.lock();
    try {
      if (!isStarted && !isClosed) {
        thread = ambient.startService("strowger-store-watch", this::run);
      }
      isStarted = true;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (sleepUntilPoll()) {
      try {
        poll();
        if (isDown) {
          log.info("the store is available again");
        }
        isDown = false;
      } catch (StoreUnavailableException e) {
        if (!isDown) {
          log.warn(
              "the store is unavailable; changes by other nodes are not seen until it answers: {}",
              e.getMessage());
        }
        isDown = true;
      } catch (RuntimeException | Error bug) {
        log.error("checking the store for changes failed and is repeated", bug);
      }
    }
  }

  /** Sleeps until the next poll; returns false when the thread must end. */
  private boolean sleepUntilPoll() {
    if (!setSleeping(true)) {
      return false;
    }
    try {
      ambient.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      return false;
    }
    return setSleeping(false);
  }

  private boolean setSleeping(boolean value) {
    lock.lock();
    try {
      isSleeping = value;
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  private void poll() {
    DocumentStore.Changes changes = documents.changes(latestChange);
    StoreUnavailableException failure = null;
    if (changes.truncated() || latestChange < 0) { // copies from before the first poll may be old
      for (DocumentChangeListener listener : listeners) {
        StoreUnavailableException met = failureOf(listener, listener::dropAll);
        failure = met == null ? failure : met;
      }
    } else {
      failure = notifyListeners(changes.documents());
    }
    if (failure != null) {
      throw failure;
    }
    latestChange = changes.position();
  }

  /**
   * Calls the listeners one after the other, each with all changes, in order of registration. A
   * listener with a bug keeps no other from being called.
   *
   * @return the last failure of the store that a listener met; null when there was none
   */
  private @Nullable StoreUnavailableException notifyListeners(List<DocumentStore.Ref> changed) {
    StoreUnavailableException failure = null;
    for (DocumentChangeListener listener : listeners) {
      for (DocumentStore.Ref ref : changed) {
        if (listener.kinds().contains(ref.kind())) {
          StoreUnavailableException met = failureOf(listener, () -> listener.invalidate(ref));
          failure = met == null ? failure : met;
        }
      }
    }
    return failure;
  }

  /**
   * Calls a listener. A bug of it is logged: the call would fail again at each poll, and keep
   * everybody's copies old.
   *
   * @return the failure of the store that the listener met; null when there was none
   */
  private static @Nullable StoreUnavailableException failureOf(
      DocumentChangeListener listener, Runnable call) {
    try {
      call.run();
    } catch (StoreUnavailableException e) {
      return e;
    } catch (RuntimeException bug) {
      log.error("{} failed to update its copies of changed documents", listener.getClass(), bug);
    }
    return null;
  }

  /** Stops the thread, after a poll in progress; copies are not updated any more. */
  @Override
  public void close() {
    Thread pollThread;
    lock.lock();
    try {
      isClosed = true;
      pollThread = thread;
      if (pollThread != null && isSleeping) {
        pollThread.interrupt(); // never while it reads: an interrupt would close the file
      }
    } finally {
      lock.unlock();
    }
    if (pollThread != null) {
      ThreadJoiner.joinUninterruptibly(pollThread);
    }
  }
}
