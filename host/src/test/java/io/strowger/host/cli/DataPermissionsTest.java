package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decisionlog.DecisionLogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A data directory")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no POSIX permissions")
class DataPermissionsTest {
  private static final Set<PosixFilePermission> LOOSE_FILE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> LOOSE_DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
  @TempDir private Path folder;
  private Path data;
  private Path decisions;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("gateway.json"), CommandsTest.CONFIG);
    decisions = folder.resolve("decisions");
    data = folder.resolve("deep/data");
  }

  private ServedGateway start(@Nullable DecisionLogWriter log) throws CommandException {
    var terminal = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    return ServedGateway.start(
        new ConfigFile(folder.resolve("gateway.json"), terminal),
        new ServedGateway.Options(null, 0, data, log));
  }

  /** Serves a request, which writes the journal, database, secret key and decision log. */
  private void serveOnce() throws Exception {
    var ambient =
        commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream()).ambient();
    try (var log = DecisionLogWriter.open(decisions, ambient);
        ServedGateway serving = start(log)) {
      send(serving, "{\"provider\":\"alpha\",\"key\":\"sk-own-0123456789abcdef\"}");
      assertThat(loosePermissions()).as("while it runs").isEmpty();
    }
  }

  private static void send(ServedGateway serving, String body) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(serving.uri() + "/byok"))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .header("Authorization", "Bearer sk-admin")
              .header("Content-Type", "application/json")
              .build();
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    }
  }

  /** Returns the permissions of what others may open, by its path below the data directory. */
  private Map<String, String> loosePermissions() throws IOException {
    var loose = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path each : all.toList()) {
        String expected = Files.isDirectory(each) ? "rwx------" : "rw-------";
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
        if (!mode.equals(expected)) {
          loose.put(data.relativize(each).toString(), mode);
        }
      }
    }
    return loose;
  }

  @Test
  @DisplayName("and everything in it can be opened only by its owner, as soon as it is created")
  void made() throws Exception {
    serveOnce();
    assertThat(loosePermissions()).isEmpty();
    assertThat(data.resolve("gateway.mv.db")).isRegularFile();
    assertThat(data.resolve("secret.key")).isRegularFile();
    assertThat(data.resolve("journal")).isNotEmptyDirectory();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(decisions)))
        .isEqualTo("rw-------");
  }

  @Test
  @DisplayName(
      "keeps its permissions, even if others may read it, which the log says; files of earlier"
          + " versions in it are tightened")
  void tightened() throws Exception {
    serveOnce();
    Files.setPosixFilePermissions(data, LOOSE_DIRECTORY);
    Files.setPosixFilePermissions(data.resolve("journal"), LOOSE_DIRECTORY);
    Files.setPosixFilePermissions(data.resolve("gateway.mv.db"), LOOSE_FILE);
    var log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (ServedGateway restarted = start(null)) {
      assertThat(restarted.uri()).isNotNull();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("other users have access to the data directory " + data + ": run chmod 700 on it")
        .contains("other users had access to " + data.resolve("gateway.mv.db"));
    assertThat(Files.getPosixFilePermissions(data)).isEqualTo(LOOSE_DIRECTORY);
    assertThat(loosePermissions().keySet()).isEqualTo(Set.of(""));
  }
}
