package io.strowger.stores;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.stores.batches.JdbcBatches;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.documents.JdbcAudit;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.files.OwnerOnlyFiles;
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
 * Keeps all stores in one database: {@code jdbc:h2:file:PATH}, for one process, or {@code
 * jdbc:postgresql://...}, for any number of processes.
 */
public final class JdbcStores implements Stores {
  /**
   * Where data is stored, and for how long.
   *
   * @param url {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://HOST/NAME}
   * @param user the database user; null when the database needs none
   * @param password the password of the user
   * @param dataDir this node's own directory; created when it does not exist
   * @param retention how long records of finished requests are kept; positive
   * @param maxRecordBytes how many bytes of records are kept, by all nodes of a database together;
   *     beyond that the oldest are deleted; positive
   */
  public record Settings(
      String url,
      @Nullable String user,
      Credential password,
      Path dataDir,
      Duration retention,
      long maxRecordBytes) {
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

    /** 4 GiB: some fifteen million records without prompts and answers. */
    public static final long DEFAULT_RECORD_BYTES = 4L << 30;

    public Settings {
      Objects.requireNonNull(url, "url");
      Objects.requireNonNull(password, "password");
      Objects.requireNonNull(dataDir, "dataDir");
      if (!retention.isPositive()) {
        throw new IllegalArgumentException("retention must be positive, was " + retention);
      }
      if (maxRecordBytes <= 0) {
        throw new IllegalArgumentException(
            "maxRecordBytes must be positive, was " + maxRecordBytes);
      }
    }

    public Settings(String url, @Nullable String user, Credential password, Path dataDir) {
      this(url, user, password, dataDir, DEFAULT_RETENTION, DEFAULT_RECORD_BYTES);
    }

    /** Returns a text without anything secret. */
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
  private final JdbcAudit audit;
  private final JdbcGenerations generations;
  private final JdbcLedger ledger;
  private final JdbcBatches batches;
  private final Retention retention;

  private JdbcStores(
      Database database, Journal journal, JsonCodec codec, Ambient ambient, Settings settings)
      throws IOException {
    this.database = database;
    this.journal = journal;
    this.documents = new JdbcDocuments(database, codec);
    this.audit = new JdbcAudit(database, codec);
    this.generations = new JdbcGenerations(database, journal);
    this.ledger = JdbcLedger.open(database, journal, ambient, generations);
    String node = journal.node().toString();
    this.batches = new JdbcBatches(database, node, generations, codec);
    this.retention =
        new Retention(database, node, ambient, settings.retention(), settings.maxRecordBytes());
  }

  /**
   * Opens the stores. May take seconds: tables are migrated first, and what an earlier process
   * journaled in the same directory is written to the database.
   *
   * @param codec reads the bodies of documents
   * @throws StoreRefusedException when the stores cannot be opened as they are
   * @throws StoreUnavailableException when the database cannot be reached; another attempt may
   *     succeed, see {@link #prepare}
   */
  public static JdbcStores open(Settings settings, JsonCodec codec, Ambient ambient) {
    try (Prepared prepared = prepare(settings, codec, ambient)) {
      return prepared.open();
    }
  }

  /**
   * Locks the data directory for this process without connecting to the database, so that a program
   * can wait for a server that is not reachable yet.
   *
   * @param codec reads the bodies of documents
   * @throws StoreRefusedException when the directory or what is in it cannot be used
   */
  public static Prepared prepare(Settings settings, JsonCodec codec, Ambient ambient) {
    return new Prepared(settings, codec, ambient);
  }

  /**
   * Stores that are not open yet, whose data directory is already locked by this process. For one
   * thread at a time.
   */
  public static final class Prepared implements AutoCloseable {
    private final Settings settings;
    private final JsonCodec codec;
    private final Ambient ambient;
    private @Nullable Journal journal; // null: handed over, or must be opened again

    private Prepared(Settings settings, JsonCodec codec, Ambient ambient) {
      this.settings = settings;
      this.codec = codec;
      this.ambient = ambient;
      this.journal = openJournal(settings, ambient);
      OwnerOnlyFiles.warnIfOpenToOthers(settings.dataDir());
    }

    /**
     * Opens the stores, once. May take seconds. After a failed attempt, the next one repeats the
     * steps or finds them already done.
     *
     * @throws StoreRefusedException when the stores cannot be opened as they are
     * @throws StoreUnavailableException when the database cannot be reached; call again later
     */
    public JdbcStores open() {
      Journal current = journal == null ? openJournal(settings, ambient) : journal;
      journal = current;
      var databaseSettings =
          new DatabaseSettings(settings.url(), settings.user(), settings.password());
      Database database = Database.open(databaseSettings, ambient);
      journal = null; // recovery deletes what it delivered, so a retry must open the journal again
      try {
        return new JdbcStores(database, current, codec, ambient, settings);
      } catch (IOException e) {
        abandon(database, current);
        throw new StoreRefusedException(
            "cannot write the journals of earlier processes to the database: " + e.getMessage(), e);
      } catch (RuntimeException e) {
        abandon(database, current);
        throw e;
      }
    }

    private static void abandon(Database database, Journal journal) {
      database.close();
      JdbcStores.close(journal);
    }

    /** Releases the data directory, unless the stores were opened. */
    @Override
    public void close() {
      Journal current = journal;
      if (current != null) {
        JdbcStores.close(current);
        journal = null;
      }
    }
  }

  private static Journal openJournal(Settings settings, Ambient ambient) {
    try {
      // the embedded database is forced to disk before a journal file is deleted
      Duration fileRetention =
          DatabaseSettings.isEmbedded(settings.url())
              ? Duration.ZERO
              : Journal.SERVER_FILE_RETENTION;
      return Journal.open(settings.dataDir().resolve(JOURNAL), ambient, fileRetention);
    } catch (IOException e) {
      throw new StoreRefusedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void close(Journal journal) {
    try {
      journal.close();
    } catch (IOException e) {
      log.warn("closing the journal failed; it is checked at the next start", e);
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
  public AuditStore audit() {
    return audit;
  }

  @Override
  public BatchStore batches() {
    return batches;
  }

  @Override
  public void close() {
    retention.close();
    ledger.close();
    close(journal);
    database.close();
  }
}
