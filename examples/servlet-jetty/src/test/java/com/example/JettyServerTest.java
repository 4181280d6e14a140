package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedFactory;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The example servlet in Jetty")
class JettyServerTest {
  private static final String BODY =
      "{\"model\":\"acme/large\",\"stream\":%b,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Gateway gateway;
  private JettyServer server;

  private void start(Script script) throws Exception {
    byte[] file = Files.readAllBytes(Path.of("gateway.json"));
    GatewayConfig config = ConfigReader.standard().read(file).orThrow();
    gateway = Gateway.builder(config).provider(new SimulatedFactory(call -> script)).build();
    server = JettyServer.start(gateway, 0);
  }

  @AfterEach
  void stop() {
    gateway.close(); // first, since the tested stream never ends by itself
    server.close();
    client.close();
  }

  private HttpRequest request(String path, boolean stream, String key) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + "/api/v1" + path))
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(BODY.formatted(stream)))
        .build();
  }

  @Test
  @DisplayName("answers")
  void answers() throws Exception {
    start(Script.answer("Hello there"));
    HttpResponse<String> answer =
        client.send(request("/chat/completions", false, "sk-example"), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("Hello there");
  }

  @Test
  @DisplayName("passes an event of a stream on before the next one arrives")
  void streams() throws Exception {
    start(Script.builder().text("12345678").chunks(2).fault(new ScriptedFault.Stall(1)).build());
    HttpResponse<InputStream> answer =
        client.send(request("/chat/completions", true, "sk-example"), BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    try (InputStream body = answer.body()) {
      var read = new StringBuilder();
      while (read.indexOf("1234") < 0) {
        read.append((char) body.read());
      }
    }
  }

  @Test
  @DisplayName("refuses a wrong key and an unknown path as the gateway does")
  void refuses() throws Exception {
    start(Script.answer("Hello there"));
    assertThat(
            client
                .send(request("/chat/completions", false, "sk-wrong"), BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(401);
    HttpResponse<String> unknownPath =
        client.send(request("/unknown", false, "sk-example"), BodyHandlers.ofString());
    assertThat(unknownPath.statusCode()).isEqualTo(404);
    assertThat(unknownPath.body()).startsWith("{\"error\":{");
  }
}
