package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP host does not wait for ever")
class StalledClientTest {
  private static final Duration CLIENT_TIMEOUT = Duration.ofMillis(400);

  @RegisterExtension private final ServedHost served = new ServedHost(CLIENT_TIMEOUT);
  private FakeApi api;
  private RawClient client;

  @BeforeEach
  void useServedHost() {
    api = served.api();
    client = served.client();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 9\r\n\r\nabc",
        "Content-Length: 9\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
      })
  @DisplayName("for the rest of a body, but answers 400 and closes")
  void body(String rest) throws IOException {
    client.send("POST /api/v1/echo HTTP/1.1\r\nHost: h\r\n" + rest);
    var response = client.response();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("incomplete");
    assertThat(client.atEnd()).isTrue();
    assertThat(api.readFailures).hasSize(1);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"POST /api", "POST /api/v1/echo HTTP/1.1\r\nHos"})
  @DisplayName("for the rest of a head, but closes")
  void head(String start) throws IOException {
    client.send(start);
    assertThat(client.atEnd()).isTrue();
  }

  @Tag("full")
  @Test
  @DisplayName("for a body that arrives in a trickle")
  void drip() throws IOException {
    client.send("POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
    int sent = 0;
    do {
      client.send("x");
      sent++;
    } while (sent < 100 && client.silentFor(CLIENT_TIMEOUT.dividedBy(4)));
    assertThat(sent).isLessThan(100);
    assertThat(api.readFailures).hasSize(1);
  }

  @Test
  @DisplayName("for the rest of a body that is not wanted")
  void unwanted() throws IOException {
    client.send("POST /api/v1/refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nab");
    assertThat(client.response().status()).isEqualTo(401);
    assertThat(client.atEnd()).isTrue();
  }

  @Tag("full")
  @Test
  @DisplayName("but allows pauses between requests, and any time for work on one")
  void rests() throws IOException, InterruptedException {
    assertThat(client.post("/api/v1/echo", "a").response().body()).isEqualTo("a");
    assertThat(client.silentFor(CLIENT_TIMEOUT.multipliedBy(2))).isTrue();
    client.post("/api/v1/stream", "a");
    BlockingQueue<String> pieces = api.next().pieces();
    assertThat(client.silentFor(CLIENT_TIMEOUT.multipliedBy(3))).isTrue();
    pieces.add("late");
    pieces.add(FakeApi.END);
    assertThat(client.response().body()).isEqualTo("late");
    assertThat(client.silentFor(CLIENT_TIMEOUT.multipliedBy(2))).isTrue();
    assertThat(client.post("/api/v1/echo", "b").response().body()).isEqualTo("b");
  }
}
