package io.strowger.conformance.money;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Stores;
import io.strowger.stores.JdbcStores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Opens empty stores of each kind. Starts a PostgreSQL when one is first asked for. */
final class EmptyStores implements AutoCloseable {
  /** Where the stores keep their data. */
  enum Kind {
    MEMORY,
    FILE,
    POSTGRES
  }

  private final AtomicReference<@Nullable EmbeddedPostgres> server = new AtomicReference<>();
  private final AtomicInteger databases = new AtomicInteger();

  /**
   * Opens empty stores.
   *
   * @param folder an empty directory for their files
   */
  Stores open(Kind kind, Path folder, Ambient ambient) {
    return switch (kind) {
      case MEMORY -> new MemoryStores();
      case FILE -> jdbc("jdbc:h2:file:" + folder.resolve("books"), null, folder, ambient);
      case POSTGRES -> jdbc(emptyDatabase(), null, folder, ambient);
    };
  }

  private static Stores jdbc(String url, @Nullable String user, Path folder, Ambient ambient) {
    var settings = new JdbcStores.Settings(url, user, Credential.NONE, folder.resolve("node"));
    return JdbcStores.open(settings, new JacksonCodec(), ambient);
  }

  private String emptyDatabase() {
    String name = "books" + databases.incrementAndGet();
    EmbeddedPostgres running = postgres();
    try (Connection connection = running.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return running.getJdbcUrl("postgres", name);
  }

  private EmbeddedPostgres postgres() {
    EmbeddedPostgres running = server.get();
    if (running == null) {
      try {
        running = EmbeddedPostgres.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      server.set(running);
    }
    return running;
  }

  @Override
  public void close() throws IOException {
    EmbeddedPostgres running = server.get();
    if (running != null) {
      running.close();
    }
  }
}
