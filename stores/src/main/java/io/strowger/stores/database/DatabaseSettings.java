package io.strowger.stores.database;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which database.
 *
 * @param url {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://...}; may carry secrets
 * @param user who signs in; null when the database needs none
 * @param password the user's
 */
public record DatabaseSettings(String url, @Nullable String user, Credential password) {
  static final String FILE = "jdbc:h2:file:";

  public DatabaseSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(password, "password");
  }

  /** The embedded database is an optional dependency, and only its own class needs it. */
  private static void requireEmbedded() {
    try {
      DriverManager.getDriver(FILE);
    } catch (SQLException e) {
      throw new StoreRefusedException(
          "a store in a file needs com.h2database:h2 beside strowger-stores: add it, strowger-bom"
              + " has the version, or give the URL of a server",
          e);
    }
  }

  /** Whether this URL is of a database in a file of this process alone. */
  public static boolean isEmbedded(String url) {
    return url.startsWith(FILE);
  }

  DatabaseBackend place() {
    if (isEmbedded(url)) {
      requireEmbedded();
      return EmbeddedDatabase.of(this);
    }
    if (url.startsWith(ServerDatabase.PREFIX)) {
      return new ServerDatabase(this);
    }
    throw new StoreRefusedException(
        "the store's URL must begin with " + FILE + " or " + ServerDatabase.PREFIX, null);
  }

  /** What it is and where, for operators; asks no database and shows nothing secret. */
  public String summary() {
    return place().summary();
  }

  /** Nothing of it that may be secret. */
  @Override
  public String toString() {
    return isEmbedded(url) ? "an embedded database" : "a database server";
  }
}
