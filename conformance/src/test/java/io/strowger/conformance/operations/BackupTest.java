package io.strowger.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Authenticator;
import io.strowger.spi.provider.Credential;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@Tag("long")
@DisplayName("A gateway that is backed up while it serves")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no signals")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupTest {
  private static final String ADMIN_KEY = "sk-administrator-0123";

  @TempDir private Path folder;
  private final PaidLoad load = new PaidLoad();
  private int port;

  @AfterEach
  void stop() {
    load.close();
  }

  private HostProcess serve(String store, Path data) throws IOException {
    port = Deployment.freePort();
    Path config =
        Files.writeString(
            folder.resolve("gateway.json"),
            """
            { "server": { "host": "127.0.0.1", "port": %d }, %s
              "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
              "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
                "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
              "keys": [ { "name": "app", "key": "%s", "limit": "100" },
                        { "name": "admin", "key": "%s", "management": true } ] }
            """
                .formatted(port, store, load.upstream(), PaidLoad.KEY, ADMIN_KEY));
    return HostProcess.start(
        List.of(),
        List.of("serve", "--config", config.toString(), "--data", data.toString()),
        Map.of());
  }

  private HttpAnswer get(String path) throws IOException {
    return HttpAnswer.send(port, "GET /api/v1" + path, ADMIN_KEY, "");
  }

  /** Returns how many answers the key's usage pays for, which must be a whole number. */
  private int chargedAnswers() throws IOException {
    HttpAnswer key = get("/keys/" + Authenticator.id(new Credential(PaidLoad.KEY)).hex());
    assertThat(key.status()).as(key.body()).isEqualTo(200);
    return new BigDecimal(
            Objects.requireNonNull(Objects.requireNonNull(key.json().object("data")).get("usage"))
                .toString())
        .divide(PaidLoad.PRICE)
        .intValueExact();
  }

  private void assertRecorded(List<String> answers) throws IOException {
    for (String answer : answers) {
      HttpAnswer record = get("/generation?id=" + answer);
      assertThat(record.status()).as(record.body()).isEqualTo(200);
      assertThat(record.body()).contains("\"total_cost\":" + PaidLoad.PRICE);
    }
  }

  /**
   * Copies a directory with all that is in it, except the named files. Files may be deleted
   * meanwhile.
   */
  private static void copy(Path from, Path to, Set<String> excluded) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Path copied = Files.createDirectories(to.resolve(from.relativize(directory)));
            Files.setPosixFilePermissions(copied, Files.getPosixFilePermissions(directory));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!excluded.contains(file.getFileName().toString())) {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException deleted) {
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Test
  @DisplayName("has every earlier answer in an instantaneous copy of its data directory")
  void file() throws Exception {
    Path data = folder.resolve("data");
    Path backup = folder.resolve("backup");
    try (HostProcess gateway = serve("", data)) {
      load.start(4, 2, () -> port);
      load.await(60);
      List<String> before = load.answered();
      gateway.signal("STOP"); // so that the copy is instantaneous, like a snapshot of a file system
      int dispatched = load.dispatched();
      copy(data, backup, Set.of());
      gateway.signal("CONT");
      load.await(40);
      load.stop();
      assertThat(load.failures()).isEmpty();
      assertThat(chargedAnswers()).isEqualTo(load.answered().size());

      try (HostProcess restored = serve("", backup)) {
        assertThat(chargedAnswers()).isBetween(before.size(), dispatched);
        assertRecorded(before);
        restored.stop();
        assertThat(restored.awaitEnd()).isZero();
      }
    }
  }

  @Test
  @DisplayName("recovers every answer from a backup of PostgreSQL and its own data directory")
  void server() throws Exception {
    Path data = folder.resolve("data");
    Path original = folder.resolve("postgres");
    Path backup = folder.resolve("postgres-backup");
    try (EmbeddedPostgres server = postgres(original);
        HostProcess gateway = serve(store(server), data)) {
      load.start(4, 2, () -> port);
      load.await(60);
      backUp(server, original, backup);
      load.await(40);
      load.stop();
      assertThat(load.failures()).isEmpty();
      gateway.stop();
      assertThat(gateway.awaitEnd()).isZero();
    }
    // the server is lost, with all that was written after the backup
    try (EmbeddedPostgres server = postgres(backup);
        HostProcess gateway = serve(store(server), data)) {
      assertThat(chargedAnswers()).isEqualTo(load.answered().size());
      assertRecorded(load.answered());
      gateway.stop();
      assertThat(gateway.awaitEnd()).isZero();
    }
  }

  private static EmbeddedPostgres postgres(Path directory) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(directory)
        .setCleanDataDirectory(false)
        .start();
  }

  private static String store(EmbeddedPostgres server) {
    return "\"store\": { \"url\": \"jdbc:postgresql://127.0.0.1:%d/postgres\", \"user\": \"postgres\" },"
        .formatted(server.getPort());
  }

  /** Does what {@code pg_basebackup} does, which the embedded server does not include. */
  private static void backUp(EmbeddedPostgres server, Path from, Path to)
      throws SQLException, IOException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('backup', true)");
      copy(from, to, Set.of("postmaster.pid", "postmaster.opts", "epg-lock"));
      try (ResultSet end = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        end.next();
        Files.writeString(to.resolve("backup_label"), end.getString(1));
      }
      copy(from.resolve("pg_wal"), to.resolve("pg_wal"), Set.of());
    }
  }
}
