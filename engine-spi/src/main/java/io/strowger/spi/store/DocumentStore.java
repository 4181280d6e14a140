package io.strowger.spi.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps resources. A write is visible to all readers of all nodes when it returns; a node that
 * keeps copies polls {@link #changes}.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; so does every method of a store that is closed. Contract test:
 * {@code DocumentStoreContract} in engine-tck.
 */
public interface DocumentStore {
  /** One change of {@link #write}. */
  sealed interface Write {
    /** A document that must not be there yet; its version is 1. */
    record Insert(Document document) implements Write {}

    /** A document that must be there with the version before. */
    record Replace(Document document) implements Write {}

    /** Removes the document, which must have this version; its id is free again. */
    record Remove(String kind, String id, long version) implements Write {}

    /**
     * An entry of the audit log, which is written when the changes beside it are and not otherwise.
     * It is read from {@link AuditStore} and is in no listing of documents.
     */
    record Append(AuditEntry entry) implements Write {}
  }

  /**
   * Which documents are listed.
   *
   * @param group null: of all groups
   * @param hidden also those that are hidden
   * @param order which come first
   * @param offset at least 0
   * @param limit 1 to 1000
   */
  record Filter(
      String kind, @Nullable String group, boolean hidden, Order order, int offset, int limit) {
    private static final int LARGEST = 1000;

    public Filter {
      if (offset < 0 || limit < 1 || limit > LARGEST) {
        throw new IllegalArgumentException(
            "offset must be at least 0 and limit 1 to 1000, were " + offset + " and " + limit);
      }
    }
  }

  /** Which documents come first. Those of one moment are in ascending order of id. */
  enum Order {
    CREATED_FIRST,
    CREATED_LAST,
    UPDATED_LAST
  }

  /**
   * A part of a listing.
   *
   * @param total how many there are in all
   */
  record Page(List<Document> documents, long total) {
    public Page {
      documents = List.copyOf(documents);
    }
  }

  /** Names a document. */
  record Ref(String kind, String id) {}

  /**
   * The documents that changed since a position.
   *
   * @param latest the position to ask with the next time
   * @param changed written or removed since; a document may be named more than once
   * @param all too much changed to be listed: everything may have changed
   */
  record Changes(long latest, List<Ref> changed, boolean all) {
    public Changes {
      changed = List.copyOf(changed);
    }
  }

  /**
   * Makes all changes, or none.
   *
   * @return false when one of them cannot be made, since another write came first
   */
  boolean write(List<Write> writes);

  /** Returns a document; null when there is none. */
  @Nullable Document find(String kind, String id);

  Page list(Filter filter);

  /**
   * Returns what any node changed.
   *
   * @param after {@link Changes#latest} of the last answer; -1 to learn the current position. When
   *     it is ahead of the store, as after a backup was restored, the answer is that everything may
   *     have changed
   */
  Changes changes(long after);
}
