package io.strowger.spi.limit;

import java.util.List;
import java.util.Objects;

/**
 * A subject of rate limiting, such as a key, with its quotas. Two subjects of one kind and id are
 * the same and share their counts, whatever their quotas are now.
 *
 * @param kind what is counted
 * @param id of whoever asks: the hash of a key, or the name of the account; no secret
 * @param quotas all of which have to be kept; none: there is no limit
 */
public record RateLimitSubject(Kind kind, String id, List<Quota> quotas) {
  /** What is counted. */
  public enum Kind {
    /** All requests of one key. */
    KEY,
    /** Requests of one account for models that cost nothing. */
    FREE_MODELS
  }

  public RateLimitSubject {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(id, "id");
    quotas = List.copyOf(quotas);
  }
}
