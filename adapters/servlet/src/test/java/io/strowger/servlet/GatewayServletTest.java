package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.strowger.servlet.Container.Settings;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a whole gateway in real containers. */
@DisplayName("A gateway in a servlet container")
class GatewayServletTest {
  private static final String CHAT = Container.ROOT + "/chat/completions";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static HttpResponse<String> send(ServedGateway served, boolean stream)
      throws IOException, InterruptedException {
    return CLIENT.send(served.chat(100, stream), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("answers a plain request with its length, and charges for it")
  void plain(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings())) {
      served.upstream.script("m", Script.builder().text("Hällo").tokens(10, 8).build());
      HttpResponse<String> answer = send(served, false);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(answer.headers().firstValueAsLong("Content-Length"))
          .hasValue(answer.body().getBytes(StandardCharsets.UTF_8).length);
      assertThat(answer.body()).contains("Hällo");
      assertThat(served.records.take().cost().nanos()).isEqualTo(8_000_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("passes on the first event of a stream while its upstream is silent")
  void streamed(Container container) throws Exception {
    Settings settings = new Settings().stop(Duration.ofMillis(100));
    try (var served = new ServedGateway(container, settings, Duration.ofMillis(100))) {
      served.upstream.script(
          "m",
          Script.builder().text("12345678").chunks(2).fault(new ScriptedFault.Stall(1)).build());
      HttpResponse<InputStream> answer =
          CLIENT.send(served.chat(100, true), BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/event-stream");
      try (InputStream body = answer.body()) {
        var read = new StringBuilder();
        while (read.indexOf("1234") < 0) {
          read.append((char) body.read());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ends a stream with [DONE]")
  void streamEnds(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings())) {
      served.upstream.script("m", Script.answer("all of it"));
      assertThat(send(served, true).body()).contains("data: ").endsWith("data: [DONE]\n\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "occupies the container's thread if asynchronous requests are not supported, and still"
          + " streams")
  void synchronous(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings().synchronous())) {
      served.upstream.script("m", Script.answer("all of it"));
      assertThat(send(served, true).body()).endsWith("data: [DONE]\n\n");
      assertThat(send(served, false).body()).contains("all of it");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("keeps a connection after errors, which have the gateway's bodies")
  void errors(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings());
        var client = new RawClient(served.container.port())) {
      served.upstream.script("m", Script.answer("still here"));
      RawClient.Response withoutKey =
          client
              .send("GET %s/models HTTP/1.1\r\nHost: h\r\n\r\n".formatted(Container.ROOT))
              .response();
      assertThat(withoutKey.status()).isEqualTo(401);
      assertThat(withoutKey.body()).startsWith("{\"error\":{").contains("\"authentication\"");
      RawClient.Response unknownPath =
          client.send("GET", Container.ROOT + "/nowhere", "").response();
      assertThat(unknownPath.status()).isEqualTo(404);
      assertThat(unknownPath.body()).startsWith("{\"error\":{").contains("\"not_found\"");
      RawClient.Response answer =
          client.send("POST", CHAT, ServedGateway.body(100, false)).response();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).contains("still here");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("refuses a body that is malformed or too large, and the client can read the reason")
  void refusedBodies(Container container) throws Exception {
    String[] bodies = {"{", " ".repeat(ServedGateway.MAX_BYTES + 1), " ".repeat(4_000_000)};
    int[] statuses = {400, 413, 413};
    try (var served = new ServedGateway(container, new Settings())) {
      for (int i = 0; i < bodies.length; i++) {
        try (var client = new RawClient(served.container.port())) {
          RawClient.Response refused = client.send("POST", CHAT, bodies[i]).response();
          assertThat(refused.status()).isEqualTo(statuses[i]);
          assertThat(refused.body()).startsWith("{\"error\":{");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("refuses a body that is not valid HTTP, and continues to serve others")
  void invalidBody(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings())) {
      served.upstream.script("m", Script.answer("still here"));
      for (int i = 0; i < 50; i++) { // often, since Tomcat may answer, too
        try (var client = new RawClient(served.container.port())) {
          client.send(
              "POST %s/chat/completions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nno chunk\r\n"
                  .formatted(Container.ROOT, ServedGateway.KEY));
          RawClient.Response refused = client.response();
          // Tomcat sees the error at the same time, and may answer first
          Integer[] expected =
              container == Container.TOMCAT ? new Integer[] {400, 500} : new Integer[] {400};
          assertThat(refused.status()).as("%d: %s", i, refused).isIn((Object[]) expected);
        }
      }
      assertThat(send(served, false).body()).contains("still here");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("refuses an encoded body, which the servlet does not decode")
  void encoded(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings())) {
      HttpResponse<String> answer =
          CLIENT.send(
              served
                  .to("/chat/completions")
                  .header("Content-Encoding", "gzip")
                  .POST(BodyPublishers.ofByteArray(new byte[] {31, -117}))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(415);
      assertThat(answer.body()).contains("Content-Encoding");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("waits for a slow model longer than the container waits for silent clients")
  void slowModel(Container container) throws Exception {
    Settings settings = new Settings().idle(Duration.ofMillis(200));
    try (var served = new ServedGateway(container, settings)) {
      served.upstream.script(
          "m", Script.builder().text("at last").latency(Duration.ofMillis(700)).build());
      assertThat(send(served, false).body()).contains("at last");
      assertThat(send(served, true).body()).endsWith("data: [DONE]\n\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not start under a mapping without paths below it, and reports how to map it")
  void mappings(Container container) {
    for (String mapping : List.of("/api/v1", "*.json")) {
      try (Logs logs = Logs.listen()) {
        Throwable failure =
            catchThrowable(
                () -> new ServedGateway(container, new Settings().mappedTo(mapping)).close());
        assertThat(failure).isInstanceOf(IllegalStateException.class);
        assertThat(logs.errors() + " " + failure + " " + failure.getCause()) // Tomcat logs it
            .contains(
                "GatewayServlet is mapped to "
                    + mapping
                    + ": map it to a path and all below it, such as /api/v1/*");
      }
    }
  }
}
