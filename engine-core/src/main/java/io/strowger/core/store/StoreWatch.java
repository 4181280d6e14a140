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
 * Looks every {@link #EVERY} for documents that anybody changed, on this node or another, and drops
 * the copies of them. One thread for all kinds, from the first copy on. While the store is down the
 * copies stay as they are.
 */
public final class StoreWatch implements AutoCloseable {
  /** How far a copy may lag behind what another node wrote. */
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
   * Keeps copies of the documents of one kind.
   *
   * @param reader makes of a document what is kept; quick, and never null
   * @param most how many are kept
   */
  public <T> DocumentCache<T> copies(String kind, Function<Document, T> reader, int most) {
    var made = new DocumentCache<T>(this, kind, reader, most);
    keep(made);
    return made;
  }

  /**
   * Tells somebody who keeps something that was made of documents; in the order in which they came,
   * so that who keeps what was made of copies comes after the copies.
   */
  public void keep(DocumentChangeListener something) {
    kept.add(something);
  }

  /**
   * Writes documents and drops the copies of them, before it returns and whatever came of it. When
   * the store goes away between the two, the copies follow with the next look: what was written is
   * written, and whoever wrote it may have something to tell that is told once.
   *
   * @return {@link DocumentStore#write}
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

  /** Whether the store answered when it was looked at last; true before the first look. */
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

  /** There is something to watch. */
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

  /** False when it is time to end. */
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
    if (changes.all() || latest < 0) { // what was copied before the first look may be old
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
   * Tells one after the other of everything, so that who came first knows all of it first.
   *
   * @return why somebody could not follow; null when all did
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

  /** Ends the thread; copies are not kept up any more. Waits for a look under way. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      running = thread;
      if (running != null && napping) {
        running.interrupt(); // never while it reads: an interrupted file closes itself
      }
    } finally {
      lock.unlock();
    }
    if (running != null) {
      ThreadJoiner.joinUninterruptibly(running);
    }
  }
}
