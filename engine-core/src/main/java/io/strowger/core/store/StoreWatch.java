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
 * Polls the store every {@link #EVERY} for documents that changed, on any node, and drops their
 * copies. One thread serves all kinds; it starts when the first document is read. While the store
 * is down the copies stay as they are.
 */
public final class StoreWatch implements AutoCloseable {
  /**
   * The time between two polls, which is also how long a copy may lag behind what another node
   * wrote.
   */
  public static final Duration EVERY = Duration.ofMillis(250);

  private static final Logger log = LoggerFactory.getLogger(StoreWatch.class);

  private final DocumentStore documents;
  private final Ambient ambient;
  private final List<DocumentChangeListener> kept = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean started;
  private @Nullable Thread thread; // these three under the lock
  private boolean napping;
  private boolean closed;

  private long latest = -1; // the thread's own
  private volatile boolean down; // written by the thread

  public StoreWatch(DocumentStore documents, Ambient ambient) {
    this.documents = Objects.requireNonNull(documents, "documents");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * Returns a new cache of the documents of one kind.
   *
   * @param reader turns a document into the value to cache; must be quick and never return null
   * @param most the most values to cache
   */
  public <T> DocumentCache<T> copies(String kind, Function<Document, T> reader, int most) {
    var made = new DocumentCache<T>(this, kind, reader, most);
    addListener(made);
    return made;
  }

  /**
   * Registers a listener. Listeners are called in the order of their registration, so one whose
   * values are derived from a cache must be registered after that cache.
   */
  public void addListener(DocumentChangeListener something) {
    kept.add(something);
  }

  /**
   * Writes documents and drops their copies before it returns, even when the write fails. When the
   * store fails between the two, the copies are dropped at the next poll and nothing is thrown,
   * because the write was made and its caller may have a secret that can be shown only once.
   *
   * @return the result of {@link DocumentStore#write}
   */
  public boolean write(List<DocumentStore.Write> writes) {
    try {
      return documents.write(writes);
    } finally {
      StoreUnavailableException away =
          dropped(
              writes.stream()
                  .map(StoreWatch::changed)
                  .filter(Objects::nonNull)
                  .map(Objects::requireNonNull)
                  .toList());
      if (away != null) {
        log.warn(
            "a change was saved, but the copies in memory could not be updated; they follow with"
                + " the next check: {}",
            away.getMessage());
      }
    }
  }

  /** Returns whether the last poll of the store succeeded; true before the first poll. */
  public boolean isStoreUp() {
    return !down;
  }

  private static DocumentStore.@Nullable Ref changed(DocumentStore.Write write) {
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
    if (started) {
      return;
    }
    lock.lock();
    try {
      if (!started && !closed) {
        thread = ambient.startService("strowger-store-watch", this::run);
      }
      started = true;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (nap()) {
      try {
        look();
        if (down) {
          log.info("the store is available again");
        }
        down = false;
      } catch (StoreUnavailableException unavailable) {
        if (!down) {
          log.warn(
              "the store is unavailable; changes by other nodes are not seen until it answers: {}",
              unavailable.getMessage());
        }
        down = true;
      } catch (RuntimeException | Error bug) {
        log.error("checking the store for changes failed and is repeated", bug);
      }
    }
  }

  /** Sleeps until the next poll; returns false when the thread must end. */
  private boolean nap() {
    if (!napping(true)) {
      return false;
    }
    try {
      ambient.sleep(EVERY);
    } catch (InterruptedException closing) {
      return false;
    }
    return napping(false);
  }

  private boolean napping(boolean value) {
    lock.lock();
    try {
      napping = value;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    DocumentStore.Changes changes = documents.changes(latest);
    if (changes.all() || latest < 0) { // copies from before the first poll may be old
      kept.forEach(DocumentChangeListener::dropAll);
    } else {
      StoreUnavailableException away = dropped(changes.changed());
      if (away != null) {
        throw away;
      }
    }
    latest = changes.latest();
  }

  /**
   * Calls the listeners one after the other, each with all changes, in order of registration.
   *
   * @return the last failure of a listener; null when all succeeded
   */
  private @Nullable StoreUnavailableException dropped(List<DocumentStore.Ref> changed) {
    StoreUnavailableException away = null;
    for (DocumentChangeListener some : kept) {
      for (DocumentStore.Ref one : changed) {
        if (some.kinds().contains(one.kind())) {
          try {
            some.invalidate(one);
          } catch (StoreUnavailableException e) {
            away = e;
          }
        }
      }
    }
    return away;
  }

  /** Stops the thread, after a poll in progress; copies are not updated any more. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      running = thread;
      if (running != null && napping) {
        running.interrupt(); // never while it reads: an interrupt would close the file
      }
    } finally {
      lock.unlock();
    }
    if (running != null) {
      ThreadJoiner.joinUninterruptibly(running);
    }
  }
}
