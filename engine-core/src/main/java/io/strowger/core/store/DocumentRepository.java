package io.strowger.core.store;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one kind, as the services of a resource work with them: always the originals,
 * never copies. A change that meets another is made again over what the other left, so that neither
 * is lost. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class DocumentRepository {
  /** Each failure means that somebody else got through, so this is beyond any real crowd. */
  private static final int TRIES = 1_000;

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
     * @param at to be the time of the next version
     * @return null when it is to be removed; one that says the same when nothing is to change
     */
    @Nullable Document of(Document current, Instant at);
  }

  /** Makes what is written beside a change, such as its entry in the audit log. */
  @FunctionalInterface
  public interface Companion {
    /**
     * @param next null when the document is removed
     */
    Write of(Document current, @Nullable Document next);
  }

  public String kind() {
    return kind;
  }

  /** The time of what is written now. */
  public Instant now() {
    return ambient.now().truncatedTo(ChronoUnit.MICROS);
  }

  public @Nullable Document find(String id) {
    return watch.documents().find(kind, id);
  }

  /**
   * A part of the documents.
   *
   * @param group null: of all groups
   * @param hidden also those that are hidden
   * @param offset how many to leave out; more than there can be is as good as all
   */
  public DocumentStore.Page list(
      @Nullable String group, boolean hidden, DocumentStore.Order order, long offset, int limit) {
    int from = (int) Math.min(offset, Integer.MAX_VALUE);
    return watch
        .documents()
        .list(new DocumentStore.Filter(kind, group, hidden, order, from, limit));
  }

  /** All documents of a group, the oldest first. */
  public List<Document> all(@Nullable String group) {
    var all = new ArrayList<Document>();
    DocumentStore.Page page;
    do {
      page = list(group, true, DocumentStore.Order.CREATED_FIRST, all.size(), 1_000);
      all.addAll(page.documents());
    } while (page.documents().size() == 1_000);
    return all;
  }

  /** A new document of this kind, not yet written. */
  public Document newDocument(String id, String group, Json.Obj body) {
    return Document.create(kind, id, group, now(), body);
  }

  /**
   * Writes a new document.
   *
   * @return false when there is one of this id
   */
  public boolean add(Document document) {
    return watch.write(List.of(new Write.Insert(document)));
  }

  /**
   * Changes a document, over whatever others made of it meanwhile.
   *
   * @param change may be asked more than once
   * @return what was written; when it was removed, what it was; null when there is none
   * @throws io.strowger.spi.error.GatewayException 409 when others never cease to be faster; what
   *     the change throws
   */
  public @Nullable Document change(String id, Change change) {
    return change(id, change, null);
  }

  /**
   * Changes a document as {@link #change(String, Change)} does.
   *
   * @param companion made anew with the change, and written with it or not at all; null for none
   */
  public @Nullable Document change(String id, Change change, @Nullable Companion companion) {
    for (int i = 0; i < TRIES; i++) {
      Document current = find(id);
      if (current == null) {
        return null;
      }
      Document next = change.of(current, now());
      if (next != null && saysTheSame(current, next)) {
        return current;
      }
      Write write =
          next == null ? new Write.Remove(kind, id, current.version()) : new Write.Replace(next);
      List<Write> writes =
          companion == null ? List.of(write) : List.of(write, companion.of(current, next));
      if (watch.write(writes)) {
        return next == null ? current : next;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  private static boolean saysTheSame(Document one, Document other) {
    return one.hidden() == other.hidden() && one.body().equals(other.body());
  }

  /** Removes a document; false when there is none. */
  public boolean remove(String id) {
    return change(id, (current, at) -> null) != null;
  }

  /** Removes a document and writes something beside it; false when there is none. */
  public boolean remove(String id, Companion companion) {
    return change(id, (current, at) -> null, companion) != null;
  }
}
