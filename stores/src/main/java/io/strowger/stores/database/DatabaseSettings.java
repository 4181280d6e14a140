package io.strowger.stores.database;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which database.
 *
 * @param url {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://...}; may carry secrets
 * @param user who signs in; null for nobody in particular
 * @param password the user's
 */
public record DatabaseSettings(String url, @Nullable String user, Credential password) {
  public DatabaseSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(password, "password");
  }

  Place place() {
    if (url.startsWith(EmbeddedFile.PREFIX)) {
      return EmbeddedFile.of(this);
    }
    if (url.startsWith(Server.PREFIX)) {
      return new Server(this);
    }
    throw new StoreRefusedException(
        "the store's URL must begin with " + EmbeddedFile.PREFIX + " or " + Server.PREFIX, null);
  }

  /** What it is and where, for operators; asks no database and shows nothing secret. */
  public String summary() {
    return place().summary();
  }

  /** Nothing of it that may be secret. */
  @Override
  public String toString() {
    return url.startsWith(EmbeddedFile.PREFIX) ? "an embedded database" : "a database server";
  }
}
