package io.strowger.spi.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps resources. When a write returns, all readers on all nodes see it; a node that keeps copies
 * polls {@link #changes}.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; so does every method of a store that is closed. Contract test:
 * {@code DocumentStoreContract} in engine-tck.
 */
public interface DocumentStore {
  /** One change of {@link #write}. */
  sealed interface Write {
    /** Inserts a document that must not exist yet; its version is 1. */
    record Insert(Document document) implements Write {}

    /** Replaces a document, which must exist with the preceding version. */
    record Replace(Document document) implements Write {}

    /** Removes the document, which must have this version; its id may be used again. */
    record Remove(String kind, String id, long version) implements Write {}

    /**
     * Appends an entry to the audit log if, and only if, the other changes of the same write are
     * made. {@link AuditStore} reads the entry; no listing of documents contains it.
     */
    record Append(AuditEntry entry) implements Write {}
  }

  /**
   * Selects the documents of a kind to list.
   *
   * @param group only documents of this group; null: of all groups
   * @param hidden whether to include hidden documents
   * @param order which documents come first
   * @param offset how many documents to skip; at least 0
   * @param limit the maximum number of documents of the page; 1 to 1000
   */
  record Filter(
      String kind, @Nullable String group, boolean hidden, Order order, int offset, int limit) {
    private static final int MAX_LIMIT = 1000;

    public Filter {
      if (offset < 0 || limit < 1 || limit > MAX_LIMIT) {
        throw new IllegalArgumentException(
            "offset must be at least 0 and limit 1 to 1000, were " + offset + " and " + limit);
      }
    }
  }

  /** The order of a listing. Documents with equal times are in ascending order of id. */
  enum Order {
    OLDEST_FIRST,
    NEWEST_FIRST,
    LAST_UPDATED_FIRST
  }

  /**
   * One page of a listing.
   *
   * @param total how many documents match the filter in all
   */
  record Page(List<Document> documents, long total) {
    public Page {
      documents = List.copyOf(documents);
    }
  }

  /** Identifies a document. */
  record Ref(String kind, String id) {}

  /**
   * The documents that changed since a position in the sequence of all writes.
   *
   * @param position the position to pass to the next call of {@link #changes}
   * @param documents documents written or removed since; may name a document more than once
   * @param truncated whether too many documents changed to be listed, so that any document may have
   *     changed
   */
  record Changes(long position, List<Ref> documents, boolean truncated) {
    public Changes {
      documents = List.copyOf(documents);
    }
  }

  /**
   * Makes all changes, or none of them.
   *
   * @return false when one of them cannot be made because another write came first
   */
  boolean write(List<Write> writes);

  /** Returns a document; null when there is none. */
  @Nullable Document find(String kind, String id);

  Page list(Filter filter);

  /**
   * Returns the documents that any node changed after a position.
   *
   * @param after {@link Changes#position} of the last answer; -1 to learn the current position.
   *     When the position is ahead of the store, as after a backup was restored, the result says
   *     that any document may have changed
   */
  Changes changes(long after);
}
