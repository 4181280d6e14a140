package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.core.ambient.SystemAmbient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds also where the web server's parser goes wrong in a way nobody knows yet. */
@DisplayName("Each request of a connection is served once at most")
class RequestFramingTest {
  private static final String WITH_BODY =
      "POST /one HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";

  private static RequestFraming framing(String... pieces) {
    Iterator<byte[]> bytes =
        List.of(pieces).stream().map(text -> text.getBytes(StandardCharsets.US_ASCII)).iterator();
    return new RequestFraming(
        new ReadAhead(
            () -> bytes.hasNext() ? bytes.next() : null,
            Duration.ofSeconds(30),
            new SystemAmbient()),
        new PendingConnections(Long.MAX_VALUE),
        PendingConnections.PLAIN,
        1_000);
  }

  @Test
  @DisplayName("a body that the web server takes for a request finds no head")
  void once() {
    RequestFraming requests = framing(WITH_BODY, "GET");
    requests.get();
    assertThat(requests.take().path()).isEqualTo("/one");
    assertThat(requests.get()).asString().isEqualTo("GET");
    assertThatThrownBy(requests::take).isInstanceOf(CloseConnectionException.class);
  }

  @Test
  @DisplayName("a request that the web server takes for a body is not passed over")
  void none() {
    RequestFraming requests = framing(WITH_BODY, "abc", WITH_BODY);
    requests.get();
    requests.get();
    assertThatThrownBy(requests::get).isInstanceOf(CloseConnectionException.class);
  }

  @Test
  @DisplayName("the next request has a head of its own")
  void next() {
    RequestFraming requests = framing(WITH_BODY, "abc", WITH_BODY.replace("one", "two"), "abc");
    requests.get();
    requests.take();
    requests.get();
    requests.get();
    assertThat(requests.take().path()).isEqualTo("/two");
  }
}
