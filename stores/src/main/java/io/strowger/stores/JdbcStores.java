package io.strowger.stores;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.generations.JdbcGenerations;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.ledger.JdbcLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger log = LoggerFactory.getLogger(JdbcStores.class);
  private static final String JOURNAL = "journal";

  private final Database database;
  private final Journal journal;
  private final JdbcDocuments documents;
  private final JdbcGenerations generations;
  private final JdbcLedger ledger;
  private final Retention retention;

  private JdbcStores(
      Database database, Journal journal, JsonCodec codec, Ambient ambient, Duration records)
      throws IOException {
    this.database = database;
    this.journal = journal;
    this.documents = new JdbcDocuments(database, codec);
    this.generations = new JdbcGenerations(database, journal, codec);
    this.ledger = JdbcLedger.open(database, journal, ambient, generations);
    this.retention = new Retention(database, ambient, records);
  }

  /**
   * Opens the stores. May take seconds: tables are brought up to date first, and what an earlier
   * process wrote down in the same directory is brought into the database.
   *
   * @param codec reads the bodies of documents
   * @throws StoreRefusedException when they cannot be opened as they are
   */
  public static JdbcStores open(Settings settings, JsonCodec codec, Ambient ambient) {
    Journal journal = journal(settings, ambient); // the directory is ours from here on
    try {
      return open(settings, journal, codec, ambient);
    } catch (RuntimeException e) {
      close(journal);
      throw e;
    }
  }

  private static Journal journal(Settings settings, Ambient ambient) {
    try {
      return Journal.open(settings.dataDir().resolve(JOURNAL), ambient);
    } catch (IOException e) {
      throw new StoreRefusedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static JdbcStores open(
      Settings settings, Journal journal, JsonCodec codec, Ambient ambient) {
    var where = new DatabaseSettings(settings.url(), settings.user(), settings.password());
    Database database = Database.open(where, ambient);
    try {
      return new JdbcStores(database, journal, codec, ambient, settings.retention());
    } catch (IOException | StoreUnavailableException e) {
      database.close();
      throw new StoreRefusedException(
          "cannot bring what was written down before into the database: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static void close(Journal journal) {
    try {
      journal.close();
    } catch (IOException e) {
      log.warn("the journal was not closed in good order", e);
    }
  }

  @Override
  public DocumentStore documents() {
    return documents;
  }

  @Override
  public LedgerStore ledger() {
    return ledger;
  }

  @Override
  public GenerationStore generations() {
    return generations;
  }

  @Override
  public void close() {
    retention.close();
    ledger.close();
    close(journal);
    database.close();
  }
}
