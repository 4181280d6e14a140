package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.simulated.Script;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A client that closes its sending side and still reads")
class HalfClosedClientTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private LoopbackGateway gateway;
  private Socket socket;
  private BufferedReader in;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    socket = new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort());
    socket.setSoTimeout((int) LoopbackGateway.TIMEOUT.toMillis());
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  @AfterEach
  void stop() throws IOException {
    socket.close();
    gateway.close();
  }

  private void ask(String path, String model, boolean stream) throws IOException {
    String body =
        "{\"model\":\"%s\",\"max_tokens\":50,\"stream\":%s,\"%s\":%s}"
            .formatted(
                model,
                stream,
                path.equals("/responses") ? "input" : "messages",
                path.equals("/responses") ? "\"hi\"" : "[{\"role\":\"user\",\"content\":\"hi\"}]");
    String head =
        "POST /api/v1%s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, LoopbackGateway.KEY, body.length());
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns everything until the server closes the connection. */
  private String rest() throws IOException {
    var rest = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      rest.append(line).append('\n');
    }
    return rest.toString();
  }

  private void assertClosedByClient(CallRecord call) {
    assertThat(call.outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    assertThat(call.error()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST);
    for (TraceEntry entry : call.trace()) {
      if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
        assertThat(attempted.failure()).isEqualTo(FailureKind.CANCELLED);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/chat/completions,acme/over-chat",
    "/messages,acme/over-messages",
    "/responses,acme/over-responses"
  })
  @DisplayName("before its answer gets 499, which blames no provider")
  void beforeTheAnswer(String path, String model) throws Exception {
    gateway.upstream().script("large", Script.builder().text("hello").latency(LONG).build());
    ask(path, model, false);
    socket.shutdownOutput();
    String answer = rest();
    assertThat(answer)
        .startsWith("HTTP/1.1 499 ")
        .contains("\"client_closed_request\"")
        .doesNotContain("overloaded", "Provider", "chat\"");
    assertClosedByClient(gateway.record());
  }

  @Test
  @DisplayName("in the middle of a stream gets error 499 in the stream")
  void inTheStream() throws Exception {
    gateway
        .upstream()
        .script("large", Script.builder().text("hello world").chunks(2).chunkDelay(LONG).build());
    ask("/chat/completions", LoopbackGateway.OVER_CHAT, true);
    String line = in.readLine();
    assertThat(line).startsWith("HTTP/1.1 200 ");
    while (!line.contains("\"content\":\"h")) {
      line = in.readLine();
    }
    socket.shutdownOutput();
    assertThat(rest())
        .contains("\"code\":499", "\"error_type\":\"client_closed_request\"")
        .doesNotContain("overloaded", "Provider returned");
    assertClosedByClient(gateway.record());
  }

  @Test
  @DisplayName("gets an answer that is available at once")
  void atOnce() throws Exception {
    socket
        .getOutputStream()
        .write(
            ("GET /api/v1/models HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer "
                    + LoopbackGateway.KEY
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
    socket.shutdownOutput();
    assertThat(rest()).startsWith("HTTP/1.1 200 ").contains("acme/over-chat");
  }
}
