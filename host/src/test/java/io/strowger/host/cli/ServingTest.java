package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A gateway served from a file")
class ServingTest {
  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private Path file;
  private Serving serving;

  @BeforeEach
  void start() throws Exception {
    file = folder.resolve("gateway.json");
    Files.writeString(file, CommandsTest.CONFIG);
    serving = Serving.start(configFile(), new Serving.Options(null, 0, null, null));
  }

  private ConfigFile configFile() {
    var shell = new Shell(Map.of("UPSTREAM_KEY", "upstream-secret"));
    return new ConfigFile(
        file, shell.terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
  }

  @AfterEach
  void stop() {
    serving.close();
    http.close();
  }

  private HttpResponse<String> send(String method, String path, String key)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(serving.uri() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Authorization", "Bearer " + key)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("is healthy once it listens")
  void healthy() throws Exception {
    HttpResponse<String> health = send("GET", "/health", "nobody");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).isEqualTo("{\"status\":\"ok\"}");
  }

  @Test
  @DisplayName("takes over a changed file on request of a management key")
  void reloads() throws Exception {
    String before = send("POST", "/admin/reload", "sk-admin").body();
    Files.writeString(file, CommandsTest.CONFIG.replace("acme/large", "acme/huge"));
    HttpResponse<String> reloaded = send("POST", "/admin/reload", "sk-admin");
    assertThat(reloaded.statusCode()).isEqualTo(200);
    assertThat(reloaded.body())
        .startsWith("{\"data\":{\"catalog_version\":\"")
        .isNotEqualTo(before);
  }

  @Test
  @DisplayName("refuses a bad file with every problem and keeps what it had")
  void keeps() throws Exception {
    Files.writeString(file, "{ \"providers\": 1, \"modls\": [] }");
    HttpResponse<String> refused = send("POST", "/admin/reload", "sk-admin");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("/providers", "/models", "/modls");
    assertThat(serving.reload()).isInstanceOf(Reading.Refused.class);
    Files.delete(file);
    assertThat(send("POST", "/admin/reload", "sk-admin").statusCode()).isEqualTo(409);
    assertThat(serving.reload()).isNull();
    assertThat(send("GET", "/health", "nobody").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("reloads for nobody else, and only when it is asked to")
  void protectedRoute() throws Exception {
    assertThat(send("POST", "/admin/reload", "sk-nobody").statusCode()).isEqualTo(401);
    HttpResponse<String> forbidden = send("POST", "/admin/reload", "sk-app");
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body()).contains("Only management keys can perform this operation");
    assertThat(send("GET", "/admin/reload", "sk-admin").statusCode()).isEqualTo(405);
  }

  @Test
  @DisplayName("cannot be served twice on one port, and says so")
  void portTaken() {
    assertThatThrownBy(
            () ->
                Serving.start(
                    configFile(),
                    new Serving.Options("127.0.0.1", serving.uri().getPort(), null, null)))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("Address already in use");
  }
}
