package io.strowger.stores;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Stores;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.generations.JdbcGenerations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores in a database: {@code jdbc:h2:file:PATH}, for one process, or {@code
 * jdbc:postgresql://...}, for as many as like.
 */
public final class JdbcStores implements Stores {
  /**
   * Where things are kept, and for how long.
   *
   * @param url {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://HOST/NAME}
   * @param user who signs in; null for nobody in particular
   * @param password the user's
   * @param dataDir this node's own directory; is made when it is not there
   * @param retention how long records of finished requests are kept; positive
   */
  public record Settings(
      String url, @Nullable String user, Credential password, Path dataDir, Duration retention) {
    public static final Duration RETENTION = Duration.ofDays(30);

    public Settings {
      Objects.requireNonNull(url, "url");
      Objects.requireNonNull(password, "password");
      Objects.requireNonNull(dataDir, "dataDir");
      if (!retention.isPositive()) {
        throw new IllegalArgumentException("retention must be positive, was " + retention);
      }
    }

    public Settings(String url, @Nullable String user, Credential password, Path dataDir) {
      this(url, user, password, dataDir, RETENTION);
    }

    /** Nothing of it that may be secret. */
    @Override
    public String toString() {
      return "stores in " + new DatabaseSettings(url, user, password);
    }
  }

  private final Database database;
  private final JdbcDocuments documents;
  private final JdbcGenerations generations;

  private JdbcStores(Database database, JsonCodec codec, Ambient ambient) {
    this.database = database;
    this.documents = new JdbcDocuments(database, codec);
    this.generations = new JdbcGenerations(database, codec, ambient);
  }

  /**
   * Opens the stores. May take seconds: tables are brought up to date first.
   *
   * @param codec reads the bodies of documents
   * @throws io.strowger.spi.store.StoreRefusedException when they cannot be opened as they are
   */
  public static JdbcStores open(Settings settings, JsonCodec codec, Ambient ambient) {
    var where = new DatabaseSettings(settings.url(), settings.user(), settings.password());
    return new JdbcStores(Database.open(where, ambient), codec, ambient);
  }

  @Override
  public DocumentStore documents() {
    return documents;
  }

  @Override
  public LedgerStore ledger() {
    throw new UnsupportedOperationException("the books are not kept in a database yet");
  }

  @Override
  public GenerationStore generations() {
    return generations;
  }

  @Override
  public void close() {
    generations.close();
    database.close();
  }
}
