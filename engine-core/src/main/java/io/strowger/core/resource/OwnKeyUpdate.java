package io.strowger.core.resource;

import io.strowger.spi.provider.Credential;
import java.util.Objects;

/**
 * What is to change of a customer's own key of a provider.
 *
 * @param key another key in its place; never cleared
 */
public record OwnKeyUpdate(Patch<Credential> key, OwnKeyFields.Change fields) {
  public OwnKeyUpdate {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(fields, "fields");
  }
}
