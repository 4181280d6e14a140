package io.strowger.stores.database;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a database.
 *
 * @param url {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://...}; may carry secrets
 * @param user the database user; null when the database needs none
 * @param password the password of the user
 */
public record DatabaseSettings(String url, @Nullable String user, Credential password) {
  static final String FILE_PREFIX = "jdbc:h2:file:";

  public DatabaseSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(password, "password");
  }

  /** Checks for the embedded database, an optional dependency that only its own class needs. */
  private static void requireEmbedded() {
    try {
      DriverManager.getDriver(FILE_PREFIX);
    } catch (SQLException e) {
      throw new StoreRefusedException(
          "a store in a file needs com.h2database:h2 beside strowger-stores: add it in the version"
              + " of strowger-bom, or give the URL of a server",
          e);
    }
  }

  /** Returns whether a URL is of a database in a file that only this process uses. */
  public static boolean isEmbedded(String url) {
    return url.startsWith(FILE_PREFIX);
  }

  DatabaseBackend backend() {
    if (isEmbedded(url)) {
      requireEmbedded();
      return EmbeddedDatabase.of(this);
    }
    if (url.startsWith(ServerDatabase.PREFIX)) {
      return new ServerDatabase(this);
    }
    throw new StoreRefusedException(
        "the store's URL must begin with " + FILE_PREFIX + " or " + ServerDatabase.PREFIX, null);
  }

  /** Returns kind and place for operators; does not connect and shows nothing secret. */
  public String summary() {
    return backend().summary();
  }

  /** Returns a text without anything secret. */
  @Override
  public String toString() {
    return isEmbedded(url) ? "an embedded database" : "a database server";
  }
}
