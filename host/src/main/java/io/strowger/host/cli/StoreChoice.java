package io.strowger.host.cli;

import io.strowger.core.config.SecretKeySource;
import io.strowger.core.config.StoreSettings;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.Stores;
import io.strowger.stores.JdbcStores;
import io.strowger.stores.database.DatabaseSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The store of a gateway: the one in the configuration, or else an embedded database in the data
 * directory, or else memory.
 *
 * @param settings the settings in the configuration
 * @param data the data directory of this node; null when none was given
 */
record StoreChoice(StoreSettings settings, @Nullable Path data) {
  private static final String H2_FILE_PREFIX = "jdbc:h2:file:";
  private static final String DATABASE_NAME = "gateway";

  /** Returns whether the store is in memory, so that everything is lost when the process ends. */
  boolean isInMemory() {
    return settings.isInMemory() && (settings.isUrlSet() || data == null);
  }

  /** Returns a warning to log at the start; null for none. */
  @Nullable String warning() {
    if (!isInMemory()) {
      return null;
    }
    return data != null
        ? "--data has no effect: the configuration file names memory: as the store"
        : "keys, balances and records are kept in memory only; --data DIR keeps them";
  }

  /** Returns a description of the store without secrets; does not connect to it. */
  String summary() {
    if (isInMemory()) {
      return settings.isUrlSet() ? "memory" : "memory, or a file under the --data of serve";
    }
    return databaseSettings().summary();
  }

  /** The store with its resources claimed, but not open yet. Used by one thread at a time. */
  interface PreparedStore extends AutoCloseable {
    /**
     * Opens the store, once; the caller closes the stores.
     *
     * @throws CommandException when the store cannot be opened and a retry cannot help
     * @throws io.strowger.spi.store.StoreUnavailableException when the store cannot be reached now;
     *     call again later
     */
    Stores open() throws CommandException;

    /** Releases the resources of a store that was not opened. */
    @Override
    void close();
  }

  /**
   * Claims the resources of the store for this process, such as its data directory; does not
   * connect to a server yet.
   */
  PreparedStore prepare(Ambient ambient) throws CommandException {
    return isInMemory() ? new InMemory() : InDatabase.prepare(jdbcSettings(), ambient);
  }

  private JdbcStores.Settings jdbcSettings() throws CommandException {
    DatabaseSettings database = databaseSettings();
    return new JdbcStores.Settings(
        database.url(), database.user(), database.password(), directory());
  }

  private record InMemory() implements PreparedStore {
    @Override
    public Stores open() {
      return new MemoryStores();
    }

    @Override
    public void close() {
      // there is nothing to release
    }
  }

  private record InDatabase(JdbcStores.Prepared prepared) implements PreparedStore {
    static InDatabase prepare(JdbcStores.Settings settings, Ambient ambient)
        throws CommandException {
      try {
        return new InDatabase(JdbcStores.prepare(settings, new JacksonCodec(), ambient));
      } catch (StoreRefusedException e) {
        throw new CommandException(e.sentence());
      }
    }

    @Override
    public Stores open() throws CommandException {
      try {
        return prepared.open();
      } catch (StoreRefusedException e) {
        throw new CommandException(e.sentence());
      }
    }

    @Override
    public void close() {
      prepared.close();
    }
  }

  /**
   * Returns the source of the key for secrets when the configuration has no key: a file in the data
   * directory for an embedded database. None for a database server, whose nodes would have
   * different files, and none for memory.
   */
  SecretKeySource secretKey() throws CommandException {
    return isInMemory() || !url().startsWith(H2_FILE_PREFIX)
        ? SecretKeySource.NONE
        : new SecretKeyFile(directory());
  }

  /** Returns the settings of the database; only for a store that is not in memory. */
  DatabaseSettings databaseSettings() {
    return new DatabaseSettings(url(), settings.user(), settings.password());
  }

  private String url() {
    if (settings.isInMemory() && data != null) {
      return H2_FILE_PREFIX + data.resolve(DATABASE_NAME).toAbsolutePath();
    }
    if (data != null && settings.url().startsWith(H2_FILE_PREFIX)) {
      return H2_FILE_PREFIX
          + data.resolve(settings.url().substring(H2_FILE_PREFIX.length())).toAbsolutePath();
    }
    return settings.url();
  }

  /** Returns the directory of this node alone, which contains its journal. */
  private Path directory() throws CommandException {
    if (data != null) {
      return data;
    }
    if (!settings.url().startsWith(H2_FILE_PREFIX)) {
      throw new CommandException(
          "a store on a server needs --data DIR as well: a directory of this node alone, for the"
              + " journal of what it spends");
    }
    Path file = Path.of(settings.url().substring(H2_FILE_PREFIX.length())).toAbsolutePath();
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }
}
