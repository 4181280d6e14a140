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
 * Where a gateway keeps what it knows: what the file says, or else an embedded database in the data
 * directory, or else nowhere but in memory.
 *
 * @param settings of the file
 * @param data directory of this node; null when none was given
 */
record StoreChoice(StoreSettings settings, @Nullable Path data) {
  private static final String FILE = "jdbc:h2:file:";
  private static final String NAME = "gateway";

  /** Everything is forgotten in the end. */
  boolean inMemory() {
    return settings.inMemory() && (settings.chosen() || data == null);
  }

  /** What an operator should know at the start; null for nothing. */
  @Nullable String warning() {
    if (!inMemory()) {
      return null;
    }
    return data != null
        ? "--data has no effect: the file says that the store is memory:"
        : "keys, balances and records are kept in memory only; --data DIR keeps them";
  }

  /** What it is, without asking it; nothing secret. */
  String summary() throws CommandException {
    if (inMemory()) {
      return settings.chosen() ? "memory" : "memory, or a file under the --data of serve";
    }
    try {
      return database().summary();
    } catch (StoreRefusedException e) {
      throw new CommandException(e.sentence());
    }
  }

  /** A store that is not open yet. For one thread at a time. */
  interface Pending extends AutoCloseable {
    /**
     * Opens it, once; the caller closes what is opened.
     *
     * @throws CommandException when it cannot be opened as it is
     * @throws io.strowger.spi.store.StoreUnavailableException when it cannot be reached now; call
     *     again later
     */
    Stores open() throws CommandException;

    /** Lets go of what belongs to it, unless it was opened. */
    @Override
    void close();
  }

  /** Takes what belongs to it for this process, and asks no server yet. */
  Pending prepare(Ambient ambient) throws CommandException {
    return inMemory() ? new InMemory() : InDatabase.prepare(jdbc(), ambient);
  }

  private JdbcStores.Settings jdbc() throws CommandException {
    DatabaseSettings database = database();
    return new JdbcStores.Settings(
        database.url(), database.user(), database.password(), directory());
  }

  private record InMemory() implements Pending {
    @Override
    public Stores open() {
      return new MemoryStores();
    }

    @Override
    public void close() {
      // nothing was taken
    }
  }

  private record InDatabase(JdbcStores.Prepared prepared) implements Pending {
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
   * What encrypts secrets there, where the configuration has no key: a file beside the database. A
   * server is shared by nodes, which would not have the same file; memory keeps nothing.
   */
  SecretKeySource secretKey() throws CommandException {
    return inMemory() || !url().startsWith(FILE)
        ? SecretKeySource.NONE
        : new SecretKeyFile(directory());
  }

  /** Not for memory. */
  DatabaseSettings database() {
    return new DatabaseSettings(url(), settings.user(), settings.password());
  }

  private String url() {
    if (settings.inMemory() && data != null) {
      return FILE + data.resolve(NAME).toAbsolutePath();
    }
    if (data != null && settings.url().startsWith(FILE)) {
      return FILE + data.resolve(settings.url().substring(FILE.length())).toAbsolutePath();
    }
    return settings.url();
  }

  /** Of this node alone: its journal is there. */
  private Path directory() throws CommandException {
    if (data != null) {
      return data;
    }
    if (!settings.url().startsWith(FILE)) {
      throw new CommandException(
          "a store on a server needs --data DIR as well: a directory of this node alone, for the"
              + " journal of what it spends");
    }
    Path file = Path.of(settings.url().substring(FILE.length())).toAbsolutePath();
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }
}
