package io.strowger.host.cli;

import io.strowger.core.config.StoreSettings;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.secret.SecretKeySource;
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
  String summary() throws Complaint {
    if (inMemory()) {
      return settings.chosen() ? "memory" : "memory, or a file under the --data of serve";
    }
    try {
      return database().summary();
    } catch (StoreRefusedException e) {
      throw new Complaint(e.sentence());
    }
  }

  /** Opens it; the caller closes it. */
  Stores open(Ambient ambient) throws Complaint {
    if (inMemory()) {
      return new MemoryStores();
    }
    DatabaseSettings database = database();
    try {
      return JdbcStores.open(
          new JdbcStores.Settings(
              database.url(), database.user(), database.password(), directory()),
          new JacksonCodec(),
          ambient);
    } catch (StoreRefusedException e) {
      throw new Complaint(e.sentence());
    }
  }

  /**
   * What encrypts secrets there, where the configuration has no key: a file beside the database. A
   * server is shared by nodes, which would not have the same file; memory keeps nothing.
   */
  SecretKeySource secretKey() throws Complaint {
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
  private Path directory() throws Complaint {
    if (data != null) {
      return data;
    }
    if (!settings.url().startsWith(FILE)) {
      throw new Complaint(
          "a store on a server needs --data DIR as well: a directory of this node alone, for the"
              + " journal of what it spends");
    }
    Path file = Path.of(settings.url().substring(FILE.length())).toAbsolutePath();
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }
}
