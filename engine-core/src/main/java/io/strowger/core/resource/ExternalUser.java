package io.strowger.core.resource;

import io.strowger.spi.provider.Credential;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whom a key belongs to at a partner: {@code external}. Resources fact sheet, section 3.
 *
 * @param user the partner's own name for the user, trimmed; not empty
 * @param apiKey by which the partner finds the key again; to be stored as its SHA-256 and never
 *     returned; null for none
 */
public record ExternalUser(String user, @Nullable Credential apiKey) {
  public ExternalUser {
    Objects.requireNonNull(user, "user");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user must not be empty");
    }
  }
}
