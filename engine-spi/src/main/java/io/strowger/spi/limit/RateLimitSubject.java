package io.strowger.spi.limit;

import java.util.List;
import java.util.Objects;

/**
 * A subject of rate limiting, such as a key, with its quotas. Subjects of equal kind and id share
 * their counts, whatever their quotas are now.
 *
 * @param kind which requests are counted
 * @param id the hash of the key, or the name of the account; not a secret
 * @param quotas the quotas, all of which apply; empty when there is no limit
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
