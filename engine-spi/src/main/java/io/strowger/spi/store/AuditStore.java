package io.strowger.spi.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit log. Entries are written by {@link DocumentStore#write} alone, together with the
 * changes they tell of, and there is no way to change or remove one: a store forgets them by age.
 *
 * <p>Safe on any thread. May wait for a database, at most two seconds, and then throws {@link
 * StoreUnavailableException}. Contract test: {@code AuditStoreContract} in engine-tck.
 */
public interface AuditStore {
  /**
   * Which entries are listed.
   *
   * @param workspace null: all of them, those of the account included
   * @param after only entries later than this; null: from the first
   * @param before only entries earlier than this; null: to the last
   * @param offset how many to leave out; at least 0
   * @param limit 1 to 1000
   */
  record Filter(
      @Nullable String workspace,
      @Nullable Instant after,
      @Nullable Instant before,
      int offset,
      int limit) {
    private static final int LARGEST = 1000;

    // spelled out: the compiler forgets what may be null in a compact one
    public Filter(
        @Nullable String workspace,
        @Nullable Instant after,
        @Nullable Instant before,
        int offset,
        int limit) {
      if (offset < 0 || limit < 1 || limit > LARGEST) {
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
   * A part of the log.
   *
   * @param entries the last written first
   * @param total how many entries match the filter in all
   */
  record Page(List<AuditEntry> entries, long total) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Returns a part of the log, the last written first. */
  Page list(Filter filter);
}
