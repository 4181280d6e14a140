package io.strowger.stores;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.TestAmbient;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Provides a real server: one for all tests of a run, which the first that needs it starts and
 * which is stopped at the end. Each test class has a database of its own.
 */
public final class ServerExtension implements BeforeAllCallback, AfterAllCallback {
  /** The user who needs no password. */
  public static final String USER = "postgres";

  /** The user who needs {@link #PASSWORD} and may not create tables. */
  public static final String STRICT = "strict";

  public static final String PASSWORD = "s3cret-of-strict";

  private final TestAmbient ambient = TestAmbient.realTime();
  private final ReentrantLock nodesLock = new ReentrantLock();
  private final List<JdbcStores> nodes = new ArrayList<>();
  private @Nullable RunningServer server;
  private String database = "";
  private @Nullable Path directory;

  private record RunningServer(EmbeddedPostgres postgres) implements AutoCloseable {
    static RunningServer start() {
      try {
        Path data = Files.createTempDirectory("strowger-postgres");
        EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(true).start();
        Path rules = data.resolve("pg_hba.conf");
        Files.writeString(
            rules, "host all " + STRICT + " all scram-sha-256\n" + Files.readString(rules));
        var running = new RunningServer(postgres);
        running.execute("postgres", "CREATE USER " + STRICT + " PASSWORD '" + PASSWORD + "'");
        running.execute("postgres", "SELECT pg_reload_conf()");
        return running;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void execute(String database, String sql) {
      String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + database;
      try (Connection connection = DriverManager.getConnection(url, USER, "");
          var statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() throws IOException {
      postgres.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    server =
        context
            .getRoot()
            .getStore(Namespace.create(ServerExtension.class))
            .computeIfAbsent(
                RunningServer.class, type -> RunningServer.start(), RunningServer.class);
    directory = Files.createTempDirectory("strowger-nodes");
    database = freshDatabase();
  }

  /** Creates another database, which is empty, and returns its name. */
  public String freshDatabase() {
    String name = "t" + UUID.randomUUID().toString().replace("-", "");
    running().execute("postgres", "CREATE DATABASE " + name);
    return name;
  }

  private RunningServer running() {
    if (server == null) {
      throw new IllegalStateException("register this as a static extension");
    }
    return server;
  }

  public int port() {
    return running().postgres().getPort();
  }

  /** Returns the URL of this class's database. */
  public String url() {
    return url(database);
  }

  public String url(String name) {
    return "jdbc:postgresql://localhost:" + port() + "/" + name;
  }

  /** Executes a statement in this class's database. */
  public void execute(String sql) {
    running().execute(database, sql);
  }

  public TestAmbient ambient() {
    return ambient;
  }

  /**
   * Returns one of the nodes that share this class's database; the first call opens it. May be
   * called on any thread.
   */
  public JdbcStores node(int number) {
    nodesLock.lock();
    try {
      while (nodes.size() <= number) {
        nodes.add(JdbcStores.open(settings(nodes.size()), new JacksonCodec(), ambient));
      }
      return nodes.get(number);
    } finally {
      nodesLock.unlock();
    }
  }

  /** Returns the settings of the node with this number. */
  public JdbcStores.Settings settings(int number) {
    if (directory == null) {
      throw new IllegalStateException("register this as a static extension");
    }
    return new JdbcStores.Settings(
        url(), USER, Credential.NONE, directory.resolve("node" + number));
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    nodes.forEach(JdbcStores::close);
    ambient.assertNoThreadsLeft();
    if (directory != null) {
      Directories.delete(directory);
    }
  }
}
