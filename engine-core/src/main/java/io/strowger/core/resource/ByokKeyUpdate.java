package io.strowger.core.resource;

import io.strowger.spi.provider.Credential;
import java.util.Objects;

/**
 * What is to change of a customer's own key of a provider.
 *
 * @param key another key in its place; never cleared
 */
public record ByokKeyUpdate(Patch<Credential> key, ByokKeyFields.Change fields) {
  public ByokKeyUpdate {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(fields, "fields");
  }
}
