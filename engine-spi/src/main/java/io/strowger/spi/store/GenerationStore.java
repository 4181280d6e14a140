package io.strowger.spi.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is known of finished requests. Most records come with the bill of their request, by
 * {@link LedgerStore#append}; those of requests that end without one are {@linkplain #save saved}
 * here. Contract's reference: resources fact sheet, section 7.
 *
 * <p>Safe on any thread. {@link #find} may wait for a database, at most two seconds, and then
 * throws {@link StoreUnavailableException}; {@link #save} waits for none. Contract test: {@code
 * GenerationStoreContract} in engine-tck.
 */
public interface GenerationStore {
  /**
   * A finished request. Its arrays belong to it: nobody changes them once it is made.
   *
   * @param id {@code gen-...}
   * @param owner whose request it was; no other owner is shown it
   * @param at when the request came; cut to microseconds, which is what databases keep
   * @param row what is known of it, as bytes that only the engine reads; some hundred, no more than
   *     100,000. No prompt, no answer, no secret
   * @param content what was said, JSON in UTF-8, when the account keeps that; null otherwise
   */
  record Generation(String id, String owner, Instant at, byte[] row, byte @Nullable [] content) {
    // spelled out: the compiler forgets that content may be null in a compact one
    public Generation(String id, String owner, Instant at, byte[] row, byte @Nullable [] content) {
      if (!Document.isName(id) || !Document.isName(owner)) {
        throw new IllegalArgumentException(
            "id and owner must be text of 1 to 200 characters without NUL");
      }
      this.id = id;
      this.owner = owner;
      this.at = at.truncatedTo(ChronoUnit.MICROS);
      this.row = Objects.requireNonNull(row, "row");
      this.content = content;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Generation that
          && id.equals(that.id)
          && owner.equals(that.owner)
          && at.equals(that.at)
          && Arrays.equals(row, that.row)
          && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }

    /** Returns the id; the content is private. */
    @Override
    public String toString() {
      return id;
    }
  }

  /**
   * Keeps a record, in place of one of the same id. When it returns, {@link #find} on this node
   * finds it. A failure to write is logged, never thrown: it must not fail the request.
   */
  void save(Generation generation);

  /** Returns the record of an id; null when there is none. */
  @Nullable Generation find(String id);
}
