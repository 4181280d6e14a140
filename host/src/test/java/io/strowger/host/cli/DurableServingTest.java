package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The store of a served gateway")
class DurableServingTest {
  @TempDir private Path folder;
  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
  private Path file;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("gateway.json");
    data = folder.resolve("data");
    Files.writeString(file, CommandsTest.CONFIG);
  }

  private void store(String url) throws IOException {
    Files.writeString(
        file,
        CommandsTest.CONFIG.replaceFirst("\\{", "{ \"store\": { \"url\": \"" + url + "\" },"));
  }

  private ServedGateway start(@Nullable Path directory) throws CommandException {
    var terminal = commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    return ServedGateway.start(
        new ConfigFile(file, terminal), new ServedGateway.Options(null, 0, directory, null));
  }

  private static String send(ServedGateway serving, String method, String body) throws Exception {
    return send(serving, "/keys", method, body);
  }

  private static String send(ServedGateway serving, String path, String method, String body)
      throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(serving.uri() + path))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .header("Authorization", "Bearer sk-admin")
              .header("Content-Type", "application/json")
              .build();
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
      return response.body();
    }
  }

  @Test
  @DisplayName("keeps its content for the next start, in a file under --data")
  void survives() throws Exception {
    try (ServedGateway serving = start(data)) {
      send(serving, "POST", "{\"name\":\"made to stay\"}");
    }
    assertThat(data.resolve("gateway.mv.db")).isRegularFile();
    try (ServedGateway serving = start(data)) {
      assertThat(send(serving, "GET", "")).contains("made to stay");
    }
  }

  @Test
  @DisplayName(
      "is where the configuration says, with the journal beside it if no directory is given")
  void configuredUrl() throws Exception {
    store("jdbc:h2:file:" + folder.resolve("elsewhere"));
    try (ServedGateway serving = start(null)) {
      send(serving, "POST", "{\"name\":\"made to stay\"}");
    }
    assertThat(folder.resolve("elsewhere.mv.db")).isRegularFile();
    assertThat(folder.resolve("journal")).isDirectory();
    assertThat(data).doesNotExist();
  }

  @Test
  @DisplayName("keeps nothing if the configuration says memory:, or without --data")
  void forgotten() throws Exception {
    try (ServedGateway serving = start(null)) {
      send(serving, "POST", "{\"name\":\"made to go\"}");
    }
    store("memory:");
    try (ServedGateway serving = start(data)) {
      assertThat(send(serving, "GET", "")).doesNotContain("made to go");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  @DisplayName("keeps provider keys encrypted, with a secret key in a file beside the database")
  void providerKeys() throws Exception {
    String secret = "sk-own-0123456789abcdef";
    try (ServedGateway serving = start(data)) {
      assertThat(data.resolve("secret.key")).as("nothing to encrypt yet").doesNotExist();
      send(serving, "/byok", "POST", "{\"provider\":\"alpha\",\"key\":\"" + secret + "\"}");
    }
    assertThat(data.resolve("secret.key")).isRegularFile();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1))
            .as("%s", each)
            .doesNotContain(secret);
      }
    }
    try (ServedGateway serving = start(data)) {
      assertThat(send(serving, "/byok", "GET", "")).contains("sk-o...def");
    }
  }

  private GatewayCommands.Outcome serve() {
    return commands.run(
        "serve", "--config", file.toString(), "--port", "0", "--data", data.toString());
  }

  @Test
  @DisplayName("is not opened over a file of another program: one sentence, exit 1, file untouched")
  void refused() throws Exception {
    Files.createDirectories(data);
    Path foreign = data.resolve("gateway.mv.db");
    Files.writeString(foreign, "somebody's diary");
    GatewayCommands.Outcome outcome = serve();
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err().strip().lines().toList())
        .last()
        .isEqualTo(
            "gateway: the database " + foreign + " belongs to another program: give another file");
    assertThat(outcome.out()).isEmpty();
    assertThat(foreign).hasContent("somebody's diary");
  }

  @Test
  @DisplayName(
      "is waited for if it is a server that cannot be reached, with 503 for probes and callers")
  void waits() throws Exception {
    store("jdbc:postgresql://127.0.0.1:9/gateway?sslmode=disable&password=hidden-word");
    try (ServedGateway serving = start(data);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> ready = get(http, serving.uri().resolve("/readyz"));
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body())
          .contains("\"reason\":\"store unavailable\"")
          .doesNotContain("hidden-word", "127.0.0.1");
      assertThat(get(http, serving.uri().resolve("/livez")).statusCode()).isEqualTo(200);
      HttpResponse<String> models = get(http, URI.create(serving.uri() + "/models"));
      assertThat(models.statusCode()).isEqualTo(503);
      assertThat(models.headers().firstValue("Retry-After")).contains("5");
      assertThat(models.body()).doesNotContain("hidden-word", "127.0.0.1");
    }
    try (Stream<Path> segments = Files.list(data.resolve("journal"))) {
      assertThat(segments).as("one journal for all attempts").hasSizeLessThanOrEqualTo(2);
    }
  }

  private static HttpResponse<String> get(HttpClient http, URI uri) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer sk-admin").build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("needs --data as well if it is a server")
  void directory() throws Exception {
    store("jdbc:postgresql://127.0.0.1:9/gateway?sslmode=disable&password=hidden-word");
    GatewayCommands.Outcome outcome = commands.run("serve", "--config", file.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("gateway: a store on a server needs --data DIR as well")
        .doesNotContain("hidden-word");
  }

  @Test
  @DisplayName("is named by check, which connects to no database and shows no secret")
  void check() throws Exception {
    store("jdbc:postgresql://127.0.0.1:9/gateway?password=hidden-word");
    GatewayCommands.Outcome outcome = commands.run("check", "--config", file.toString());
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("store       the server 127.0.0.1:9/gateway\n")
        .doesNotContain("hidden-word");
    store("jdbc:h2:file:some/where");
    assertThat(commands.run("check", "--config", file.toString()).out())
        .contains("store       the file " + Path.of("some/where.mv.db").toAbsolutePath() + "\n");
    store("memory:");
    assertThat(commands.run("check", "--config", file.toString()).out())
        .contains("store       memory\n");
    Files.writeString(file, CommandsTest.CONFIG);
    assertThat(commands.run("check", "--config", file.toString()).out())
        .contains("store       memory, or a file under the --data of serve\n");
  }
}
