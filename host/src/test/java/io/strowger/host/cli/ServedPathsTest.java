package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("A path of a served gateway")
class ServedPathsTest {
  private final HttpClient http = HttpClient.newHttpClient();
  private ServedGateway serving;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("gateway.json");
    Files.writeString(file, CommandsTest.CONFIG);
    var commands = new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
    serving =
        ServedGateway.start(
            new ConfigFile(
                file, commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream())),
            new ServedGateway.Options(null, 0, null, null));
  }

  @AfterAll
  void stop() {
    serving.close();
    http.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI root = serving.uri().resolve("/");
    return http.send(
        HttpRequest.newBuilder(URI.create(root.toString().replaceAll("/$", "") + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Authorization", "Bearer sk-admin")
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Proves("version.2")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/models",
        "/api/v1/models/",
        "/api/v1/models?limit=1",
        "/api/v1/models/?limit=1",
        "/api/v1/keys/",
        "/api/v1/models/acme/large/endpoints/",
        "/api/v1/models/acme/%6Carge/endpoints",
      })
  @DisplayName("is found with or without one slash at its end")
  void found(String path) throws Exception {
    assertThat(send("GET", path).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//api/v1/models",
        "/api//v1/models",
        "/api/v1//models",
        "/api/v1/models//",
        "/api/./v1/models",
        "/api/v1/./models",
        "/api/v1/x/../models",
        "/api/v1/%2e/models",
        "/api/v1/x/%2E%2e/models",
        "/api/x/../v1/models",
        "/api%2Fv1/models",
        "/api/v1%2Fmodels",
        "/api/v1/models%2F",
        "/api/v1/%6dodels",
        "/%61pi/v1/models",
        "/api/v1/Models",
        "/API/v1/models",
        "/api/v1/models;x",
        "/api/v1/models;x=1",
        "/api;x/v1/models",
        "/api/v1/models%20",
        "/api/v1/models%00",
        "/api/v1/models%3Flimit=1",
        "/api/v1/models/acme%2Flarge/endpoints",
        "/api/v1/models/acme/large/./endpoints",
      })
  @DisplayName("in any other spelling is not found")
  void nothingElse(String path) throws Exception {
    assertThat(send("GET", path).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "get,/models,405", "Get,/models,405", "post,/keys,405", "PROPFIND,/models,405",
    "OPTIONS,/models,200", "HEAD,/models,200", "HEAD,/keys,200", "HEAD,/chat/completions,405",
    "options,/models,405", "head,/models,405", "TRACE,/models,405", "OPTIONS,/nothing,404"
  })
  @DisplayName("accepts its methods in capital letters only")
  void methods(String method, String path, int status) throws Exception {
    HttpResponse<String> response = send(method, "/api/v1" + path);
    assertThat(response.statusCode()).isEqualTo(status);
    if (status == 405) {
      assertThat(response.headers().firstValue("Allow")).isPresent();
    }
    if (method.equals("HEAD") || method.equals("OPTIONS") && status == 200) {
      assertThat(response.body()).isEmpty();
    }
  }
}
