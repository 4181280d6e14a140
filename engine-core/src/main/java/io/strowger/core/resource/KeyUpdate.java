package io.strowger.core.resource;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;
import java.util.Objects;

/**
 * What is to change of a key. Contract: "PATCH /keys/{hash}".
 *
 * @param name never cleared
 * @param disabled never cleared
 * @param limit cleared for any amount
 * @param limitReset never cleared: a null of the wire is {@link Period#LIFETIME}
 * @param includeByokInLimit never cleared
 */
public record KeyUpdate(
    Patch<String> name,
    Patch<Boolean> disabled,
    Patch<Usd> limit,
    Patch<Period> limitReset,
    Patch<Boolean> includeByokInLimit) {
  public KeyUpdate {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(disabled, "disabled");
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(limitReset, "limitReset");
    Objects.requireNonNull(includeByokInLimit, "includeByokInLimit");
  }

  /** The limit of a key after the change. */
  public KeyLimit over(KeyLimit current) {
    Period reset = limitReset.applyTo(current.reset());
    Boolean include = includeByokInLimit.applyTo(current.includeByok());
    return new KeyLimit(
        limit.applyTo(current.amount()),
        reset == null ? Period.LIFETIME : reset,
        include != null && include);
  }
}
