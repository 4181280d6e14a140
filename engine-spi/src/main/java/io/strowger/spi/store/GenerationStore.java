package io.strowger.spi.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of finished requests. {@link LedgerStore#append} writes most records, each with
 * the bill of its request; {@link #save} writes those of requests that end without a bill.
 * Resources fact sheet, section 7.
 *
 * <p>Safe on any thread. {@link #find} may wait for a database, at most two seconds, and then
 * throws {@link StoreUnavailableException}; {@link #save} waits for none. Contract test: {@code
 * GenerationStoreContract} in engine-tck.
 */
public interface GenerationStore {
  /**
   * The record of a finished request. It owns its arrays, which must not change.
   *
   * @param id generation id, {@code gen-...}
   * @param owner the owner of the request; no other owner is shown the record
   * @param at when the request arrived; truncated to microseconds, as databases store it
   * @param row the record in a format that only the engine reads; some hundred bytes, at most
   *     100,000. Contains no prompt, no answer and no secret
   * @param content prompt and answer, as JSON in UTF-8; null unless the account keeps them
   */
  record Generation(String id, String owner, Instant at, byte[] row, byte @Nullable [] content) {
    // not compact: in a compact constructor the compiler loses the @Nullable of content
    public Generation(String id, String owner, Instant at, byte[] row, byte @Nullable [] content) {
      if (!Document.isValidId(id) || !Document.isValidId(owner)) {
        throw new IllegalArgumentException(
            "id and owner must be text of 1 to 200 characters without NUL or lone surrogates");
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
   * Writes a record, replacing one with the same id. When this returns, {@link #find} on this node
   * finds the record. A failure to write is logged, never thrown: it must not fail the request.
   */
  void save(Generation generation);

  /** Returns the record of an id; null when there is none. */
  @Nullable Generation find(String id);
}
