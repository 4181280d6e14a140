package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Credential;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.TestAmbient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The tables of a database")
@Timeout(60)
class SchemaTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  /** The rows that every version of the gateway writes about its migrations, and compares. */
  private static final List<String> HISTORY =
      List.of(
          "1 1 documents and generations SQL V1__documents_and_generations.sql 1524505994 true",
          "2 2 ledger SQL V2__ledger.sql -882058087 true",
          "3 3 audit SQL V3__audit.sql 1922944173 true",
          "4 4 settled blocks SQL V4__settled_blocks.sql 1751218332 true",
          "5 5 batches SQL V5__batches.sql 2100149893 true");

  @TempDir private Path directory;

  private DatabaseSettings file() {
    String url = "jdbc:h2:file:" + directory.resolve("store");
    return new DatabaseSettings(url, null, new Credential("geheim"));
  }

  private static DatabaseSettings server() {
    return new DatabaseSettings(
        SERVER.url(SERVER.freshDatabase()), ServerExtension.USER, Credential.NONE);
  }

  private static List<String> history(DatabaseSettings settings) {
    try (Database database = Database.open(settings, TestAmbient.realTime())) {
      return database.query(
          "read",
          handle ->
              handle
                  .createQuery(
                      "SELECT * FROM strowger_schema WHERE \"version\" IS NOT NULL ORDER BY"
                          + " \"installed_rank\"")
                  .map(
                      (row, context) ->
                          String.join(
                              " ",
                              row.getString("installed_rank"),
                              row.getString("version"),
                              row.getString("description"),
                              row.getString("type"),
                              row.getString("script"),
                              row.getString("checksum"),
                              String.valueOf(row.getBoolean("success"))))
                  .list());
    }
  }

  private static void execute(DatabaseSettings settings, String... statements) throws SQLException {
    DatabaseBackend backend = settings.backend();
    backend.inspect();
    try (Connection connection = new BackendDataSource(backend).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql.replace("${exact}", backend.exactCollation()));
      }
      if (!backend.closingSql().isEmpty()) {
        statement.execute(backend.closingSql());
      }
    }
  }

  @Test
  @DisplayName("are created once, and their history has the form of earlier versions")
  void made() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      assertThat(history(settings)).isEqualTo(HISTORY);
      assertThat(history(settings)).isEqualTo(HISTORY);
    }
  }

  @Test
  @DisplayName("that an earlier version created are brought up to date, and keep their content")
  void earlier() throws SQLException {
    for (DatabaseSettings settings : List.of(file(), server())) {
      execute(
          settings,
          """
          CREATE TABLE "strowger_schema" (
            "installed_rank" INT NOT NULL, "version" VARCHAR(50), "description" VARCHAR(200) NOT NULL,
            "type" VARCHAR(20) NOT NULL, "script" VARCHAR(1000) NOT NULL, "checksum" INT,
            "installed_by" VARCHAR(100) NOT NULL, "installed_on" TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
            "execution_time" INT NOT NULL, "success" BOOLEAN NOT NULL)
          """,
          """
          INSERT INTO "strowger_schema"
            ("installed_rank", "version", "description", "type", "script", "checksum", "installed_by",
             "execution_time", "success")
          VALUES
            (-1, NULL, '<< table created >>', 'TABLE', '', NULL, 'me', 0, TRUE),
            (1, '1', 'documents and generations', 'SQL', 'V1__documents_and_generations.sql', 1524505994, 'me', 62, TRUE),
            (2, '2', 'ledger', 'SQL', 'V2__ledger.sql', -882058087, 'me', 175, TRUE)
          """,
          Migration.of(1).sql(),
          Migration.of(2).sql(),
          "INSERT INTO generation (id, owner, came_at, record)"
              + " VALUES ('gen-1', 'me', CURRENT_TIMESTAMP, '{}')");
      assertThat(history(settings)).isEqualTo(HISTORY);
      try (Database database = Database.open(settings, TestAmbient.realTime())) {
        assertThat(
                database.<List<String>>query(
                    "read",
                    handle ->
                        handle.createQuery("SELECT id FROM generation").mapTo(String.class).list()))
            .containsExactly("gen-1");
      }
    }
  }

  @Test
  @DisplayName(
      "are created by one of several nodes that start together, and the others wait for it")
  void together() throws Exception {
    DatabaseSettings settings = server();
    try (ExecutorService nodes = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<List<String>> node = () -> history(settings);
      for (Future<List<String>> each : nodes.invokeAll(List.of(node, node, node, node))) {
        assertThat(each.get()).isEqualTo(HISTORY);
      }
    }
  }

  @Test
  @DisplayName("have one migration for each version, and there is no other file of migrations")
  void files() throws Exception {
    var names = new ArrayList<String>();
    for (int number = 1; number <= Migration.NEWEST; number++) {
      names.add(Migration.of(number).name());
      assertThat(names.getLast()).startsWith("V" + number + "__");
    }
    String first = "/io/strowger/stores/migrations/" + names.getFirst();
    var file = Path.of(Objects.requireNonNull(Migration.class.getResource(first)).toURI());
    try (var files = Files.list(Objects.requireNonNull(file.getParent()))) {
      assertThat(files.map(each -> String.valueOf(each.getFileName())))
          .containsExactlyInAnyOrderElementsOf(names);
    }
  }
}
