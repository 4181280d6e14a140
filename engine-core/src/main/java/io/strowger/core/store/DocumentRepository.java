package io.strowger.core.store;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the documents of one kind for the services of a resource; always asks the store,
 * never a cache. A change that conflicts with another is repeated on top of it, so that neither is
 * lost. Safe on any thread; every method may throw {@link StoreUnavailableException}.
 */
public final class DocumentRepository {
  /** The most attempts at a change. Each failure means that another change succeeded. */
  private static final int MAX_ATTEMPTS = 1_000;

  private static final int MAX_READINGS = 10;
  private static final int PAGE_SIZE = 1_000; // the most that a store returns at once

  private final StoreWatch watch;
  private final String kind;
  private final Ambient ambient;

  public DocumentRepository(StoreWatch watch, String kind, Ambient ambient) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.kind = Objects.requireNonNull(kind, "kind");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /** Makes the next version of a document. */
  @FunctionalInterface
  public interface Change {
    /**
     * Returns the next version of a document.
     *
     * @param at the time of the next version
     * @return the next version; null to remove the document; an equal one to change nothing
     */
    @Nullable Document apply(Document current, Instant at);
  }

  /** Creates the write that accompanies a change, such as its entry in the audit log. */
  @FunctionalInterface
  public interface Companion {
    /**
     * Returns the write that accompanies a change.
     *
     * @param next null when the document is removed
     */
    Write create(Document current, @Nullable Document next);
  }

  public String kind() {
    return kind;
  }

  /** Returns the current time in whole microseconds, for what is written now. */
  public Instant now() {
    return ambient.now().truncatedTo(ChronoUnit.MICROS);
  }

  public @Nullable Document find(String id) {
    return watch.documents().find(kind, id);
  }

  /**
   * Returns a page of the documents.
   *
   * @param group the group; null for all
   * @param includeHidden whether to include hidden documents
   * @param offset how many documents to skip; may exceed the number there are
   */
  public DocumentStore.Page list(
      @Nullable String group,
      boolean includeHidden,
      DocumentStore.Order order,
      long offset,
      int limit) {
    int skip = (int) Math.min(offset, Integer.MAX_VALUE);
    return watch
        .documents()
        .list(new DocumentStore.Filter(kind, group, includeHidden, order, skip, limit));
  }

  /**
   * Returns all documents of a group, or of all groups when it is null, oldest first.
   *
   * @throws StoreUnavailableException when documents are removed again and again while they are
   *     read
   */
  public List<Document> findAll(@Nullable String group) {
    for (int i = 0; i < MAX_READINGS; i++) {
      List<Document> documents = readPages(group);
      if (documents != null) {
        return documents;
      }
    }
    throw new StoreUnavailableException(
        "documents of kind " + kind + " are removed again and again while they are read", null);
  }

  /** Returns all documents; null when one was removed while they were read, page by page. */
  private @Nullable List<Document> readPages(@Nullable String group) {
    var documents = new ArrayList<Document>();
    DocumentStore.Page page;
    do {
      // each page begins with the last document of the page before, unless one was removed
      int repeated = documents.isEmpty() ? 0 : 1;
      int offset = documents.size() - repeated;
      page = list(group, true, DocumentStore.Order.OLDEST_FIRST, offset, PAGE_SIZE);
      List<Document> found = page.documents();
      if (repeated == 1
          && (found.isEmpty() || !found.getFirst().id().equals(documents.getLast().id()))) {
        return null;
      }
      documents.addAll(found.subList(repeated, found.size()));
    } while (page.documents().size() == PAGE_SIZE);
    return documents;
  }

  /** Returns a new document of this kind, not yet written. */
  public Document newDocument(String id, String group, Json.Obj body) {
    return Document.create(kind, id, group, now(), body);
  }

  /**
   * Writes a new document.
   *
   * @return false when a document with this id exists
   */
  public boolean add(Document document) {
    return watch.write(List.of(new Write.Insert(document)));
  }

  /**
   * Changes a document, and repeats the change when the document was changed concurrently. Throws
   * whatever the change throws.
   *
   * @param change makes the next version; may be called more than once
   * @return the version that is stored now; the last version when the document was removed; null
   *     when there is none
   * @throws io.strowger.spi.error.GatewayException 409 after too many concurrent changes
   */
  public @Nullable Document change(String id, Change change) {
    return change(id, change, null);
  }

  /**
   * Changes a document as {@link #change(String, Change)} does.
   *
   * @param companion creates a write to make together with the change: both are made or neither;
   *     null for none
   */
  public @Nullable Document change(String id, Change change, @Nullable Companion companion) {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Document current = find(id);
      if (current == null) {
        return null;
      }
      Document next = change.apply(current, now());
      if (next != null && hasSameContent(current, next)) {
        return current;
      }
      Write write =
          next == null ? new Write.Remove(kind, id, current.version()) : new Write.Replace(next);
      List<Write> writes =
          companion == null ? List.of(write) : List.of(write, companion.create(current, next));
      if (watch.write(writes)) {
        return next == null ? current : next;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  private static boolean hasSameContent(Document left, Document right) {
    return left.hidden() == right.hidden() && left.body().equals(right.body());
  }

  /** Removes a document; returns false when there is none. */
  public boolean remove(String id) {
    return change(id, (current, at) -> null) != null;
  }

  /** Removes a document together with another write; returns false when there is none. */
  public boolean remove(String id, Companion companion) {
    return change(id, (current, at) -> null, companion) != null;
  }
}
