package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Each request of a connection begins where the one before it ends")
class RequestFramingTest {
  private static final String WITH_BODY =
      "POST /one HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";

  private static RequestFraming framing(String... pieces) {
    return new RequestFraming(
        ConnectionReaderTest.reader(FakeSocket.sending(pieces)),
        new PendingConnections(Long.MAX_VALUE),
        PendingConnections.PLAIN_COST,
        1_000);
  }

  private static String path(RequestFraming requests) {
    return Objects.requireNonNull(requests.nextHead()).path();
  }

  private static String read(RequestFraming requests, int most) {
    byte[] into = new byte[most];
    return new String(into, 0, requests.read(into, 0, most), StandardCharsets.US_ASCII);
  }

  @Test
  @DisplayName("a body that looks like a request is not read as one")
  void once() {
    RequestFraming requests = framing(WITH_BODY, "GET");
    assertThat(path(requests)).isEqualTo("/one");
    assertThat(read(requests, 100)).isEqualTo("GET");
    assertThat(requests.atEnd()).isTrue();
    assertThat(requests.read(new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(requests.nextHead()).isNull();
  }

  @Test
  @DisplayName("a body that was not read, or only in part, is skipped")
  void unread() {
    RequestFraming requests =
        framing(WITH_BODY, "abc" + WITH_BODY.replace("one", "two") + "a", "bc" + WITH_BODY);
    assertThat(path(requests)).isEqualTo("/one");
    assertThat(path(requests)).isEqualTo("/two");
    assertThat(read(requests, 1)).isEqualTo("a");
    assertThat(requests.atEnd()).isFalse();
    assertThat(path(requests)).isEqualTo("/one");
  }

  @Test
  @DisplayName(
      "a body that breaks off while it is skipped ends the connection, without another answer")
  void brokenRest() {
    RequestFraming requests = framing(WITH_BODY, "a");
    assertThat(path(requests)).isEqualTo("/one");
    assertThatThrownBy(requests::nextHead).isInstanceOf(CloseConnectionException.class);
  }

  @Test
  @DisplayName("a body never contains a byte of the next request")
  void next() {
    RequestFraming requests = framing(WITH_BODY + "abc" + WITH_BODY.replace("one", "two") + "def");
    assertThat(path(requests)).isEqualTo("/one");
    assertThat(read(requests, 100)).isEqualTo("abc");
    assertThat(path(requests)).isEqualTo("/two");
    assertThat(read(requests, 100)).isEqualTo("def");
  }

  @Test
  @DisplayName("a request whose declared length is too large is refused at its head")
  void tooLarge() {
    RequestFraming requests = framing(WITH_BODY.replace("3", "1001"));
    assertThatThrownBy(requests::nextHead)
        .isInstanceOfSatisfying(
            RequestException.class, refused -> assertThat(refused.status().code()).isEqualTo(413));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @DisplayName("a connection that waits for its next head is counted from the second sweep on")
  void counted(int sweeps) {
    var heads = new PendingConnections(PendingConnections.PLAIN_COST);
    var self = new AtomicReference<RequestFraming>();
    var reads = new AtomicInteger();
    var socket =
        new FakeSocket(
            () -> {
              if (reads.getAndIncrement() == 1) {
                for (int i = 0; i < sweeps; i++) {
                  self.get().countWhenWaiting();
                }
                heads.enter(PendingConnections.PLAIN_COST, () -> {}); // there is room for one
              }
              return "GET /one HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            });
    RequestFraming requests =
        new RequestFraming(
            ConnectionReaderTest.reader(socket), heads, PendingConnections.PLAIN_COST, 1_000);
    self.set(requests);
    assertThat(path(requests)).isEqualTo("/one");
    if (sweeps < 2) {
      assertThat(path(requests)).isEqualTo("/one");
    } else {
      assertThatThrownBy(requests::nextHead)
          .isInstanceOf(CloseConnectionException.class)
          .hasMessage("other connections need the memory");
    }
  }

  @Test
  @DisplayName(
      "a connection whose head arrives while it is being counted is not counted any longer")
  void arrivesWhileCounted() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      var heads = new PendingConnections(Long.MAX_VALUE);
      var socket = new FakeSocket();
      RequestFraming requests =
          new RequestFraming(
              ConnectionReaderTest.reader(socket), heads, PendingConnections.PLAIN_COST, 1_000);
      Thread sweep =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      requests.countWhenWaiting();
                    }
                  });
      Thread client =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int j = 0; j < 20; j++) {
                      socket.send("GET /one HTTP/1.1\r\nHost: h\r\n\r\n");
                      Thread.yield();
                    }
                    socket.end();
                  });
      while (requests.nextHead() != null) {
        Thread.onSpinWait();
      }
      client.join();
      sweep.interrupt();
      sweep.join();
      assertThat(heads.usedBytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 20, 1000})
  @DisplayName("requests are the same however their bytes are divided on arrival")
  void cut(int size) {
    String all = WITH_BODY + "abc" + WITH_BODY.replace("one", "two") + "def";
    RequestFraming requests = framing(all.split("(?<=\\G[\\s\\S]{" + size + "})"));
    for (String path : new String[] {"/one", "/two"}) {
      assertThat(path(requests)).isEqualTo(path);
      var body = new StringBuilder();
      while (!requests.atEnd()) {
        body.append(read(requests, 2));
      }
      assertThat(body).hasToString(path.equals("/one") ? "abc" : "def");
    }
  }
}
