package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is known of finished requests. Contract's reference: resources fact sheet, section 7.
 *
 * <p>Safe on any thread. {@link #find} may wait for a database, at most two seconds, and then
 * throws {@link StoreUnavailableException}; {@link #save} waits for none.
 */
public interface GenerationStore {
  /**
   * A finished request.
   *
   * @param id {@code gen-...}
   * @param owner whose it is: nobody else is told of it
   * @param at when it came
   * @param record in the wire's own form; no prompt, no answer, no secret
   * @param content what was said, when the account keeps that; null otherwise
   */
  record Generation(
      String id, String owner, Instant at, Json.Obj record, Json.@Nullable Obj content) {
    /** Not what was said. */
    @Override
    public String toString() {
      return id;
    }
  }

  /**
   * Keeps a record. When it returns, {@link #find} on this node finds it. A failure to write is
   * logged, never thrown: it must not fail the request.
   */
  void save(Generation generation);

  /**
   * @return null when there is none of this id
   */
  @Nullable Generation find(String id);
}
