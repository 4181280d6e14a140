package io.strowger.spi.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit log. Only {@link DocumentStore#write} writes entries, together with the changes
 * they describe. No call changes or removes an entry; a store may delete its oldest entries by
 * itself, by a rule that it sets and documents, such as a retention period of 400 days or a maximum
 * number.
 *
 * <p>Safe on any thread. May wait for a database, at most two seconds, and then throws {@link
 * StoreUnavailableException}. Contract test: {@code AuditStoreContract} in engine-tck.
 */
public interface AuditStore {
  /**
   * Selects the entries to list.
   *
   * @param workspace only entries of this workspace; null: all, including those of the account
   * @param after only entries later than this; null: from the first
   * @param before only entries earlier than this; null: to the last
   * @param offset how many matching entries to skip; at least 0
   * @param limit the maximum number of entries of the page; 1 to 1000
   */
  record Filter(
      @Nullable String workspace,
      @Nullable Instant after,
      @Nullable Instant before,
      int offset,
      int limit) {
    private static final int MAX_LIMIT = 1000;

    // not compact: in a compact constructor the compiler loses the @Nullable of the parameters
    public Filter(
        @Nullable String workspace,
        @Nullable Instant after,
        @Nullable Instant before,
        int offset,
        int limit) {
      if (offset < 0 || limit < 1 || limit > MAX_LIMIT) {
        throw new IllegalArgumentException(
            "offset must be at least 0 and limit 1 to 1000, were " + offset + " and " + limit);
      }
      this.workspace = workspace;
      this.after = after;
      this.before = before;
      this.offset = offset;
      this.limit = limit;
    }
  }

  /**
   * One page of the log.
   *
   * @param entries the entries of the page, most recently written first
   * @param total how many entries match the filter in all
   */
  record Page(List<AuditEntry> entries, long total) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Returns a page of the log, most recently written first. */
  Page list(Filter filter);
}
