package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A client")
class ClientGoneTest {
  private static final int TIMES = 3;

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private HttpHost host;

  enum Disconnect {
    CLOSE,
    RESET,
    HALF_CLOSE;

    void perform(RawClient client) throws IOException {
      switch (this) {
        case CLOSE -> client.close();
        case RESET -> client.reset();
        case HALF_CLOSE -> client.halfClose();
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    host =
        HttpHost.start(
            api,
            new HttpHost.Settings("127.0.0.1", 0, 100_000_000, Duration.ofMillis(200)),
            threads);
  }

  @AfterEach
  void stop() throws InterruptedException {
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10)))
        .as("every thread of the host has ended")
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "that goes away before the engine answers cancels its request, though nothing is written to"
          + " it")
  void beforeTheHead(Disconnect disconnect) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      try (var client = new RawClient(host.port())) {
        client.post("/api/v1/wait", "{}");
        assertNoticed(api.next().cancellation(), disconnect, client);
      }
    }
  }

  @Proves("chat.answer.cancel")
  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "that goes away while its stream is silent cancels its request, though nothing is written to"
          + " it")
  void afterTheHead(Disconnect disconnect) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      try (var client = new RawClient(host.port())) {
        client.post("/api/v1/stream", "{}");
        FakeApi.Running running = api.next();
        running.pieces().add("one");
        client.head();
        client.chunk();
        assertNoticed(running.cancellation(), disconnect, client);
      }
    }
  }

  @Test
  @DisplayName("that goes away is noticed on a connection's later requests too")
  void afterOtherRequests() throws Exception {
    try (var client = new RawClient(host.port())) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.post("/api/v1/echo", "x").response().body()).isEqualTo("x");
      }
      client.post("/api/v1/wait", "{}");
      assertNoticed(api.next().cancellation(), Disconnect.CLOSE, client);
    }
  }

  @Test
  @DisplayName("that sends its next request early is not taken for gone")
  void earlyNextRequest() throws Exception {
    try (var client = new RawClient(host.port())) {
      client.post("/api/v1/stream", "{}").post("/api/v1/echo", "next");
      FakeApi.Running running = api.next();
      running.pieces().add("one");
      client.head();
      assertThat(client.chunk()).isEqualTo("one");
      assertThat(running.cancellation().isCancelled()).isFalse();
      running.pieces().add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.response().body()).isEqualTo("next");
    }
  }

  @Test
  @DisplayName("that goes away after its answer cancels nothing")
  void afterTheAnswer() throws Exception {
    FakeApi.Running running;
    try (var client = new RawClient(host.port())) {
      client.post("/api/v1/stream", "{}");
      running = api.next();
      running.pieces().add("one");
      running.pieces().add(FakeApi.END);
      assertThat(client.response().body()).isEqualTo("one");
      // an answer on the same connection shows that the host has ended the first request
      assertThat(client.post("/api/v1/echo", "x").response().body()).isEqualTo("x");
    }
    host.close();
    assertThat(running.cancellation().isCancelled()).isFalse();
  }

  @Test
  @DisplayName(
      "that ends its output in the middle of its request gives the engine an error to read, and"
          + " gets 400")
  void inItsBody() throws Exception {
    try (var client = new RawClient(host.port())) {
      client.send("POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
      client.halfClose();
      assertThat(api.readFailures.poll(10, TimeUnit.SECONDS))
          .hasMessage("the client did not finish its request");
      assertThat(client.response().status()).isEqualTo(400);
      assertThat(client.atEnd()).isTrue();
    }
  }

  private static void assertNoticed(
      Cancellation cancellation, Disconnect disconnect, RawClient client)
      throws IOException, InterruptedException {
    var gone = new CountDownLatch(1);
    cancellation.onCancel(gone::countDown);
    disconnect.perform(client);
    assertThat(gone.await(10, TimeUnit.SECONDS)).as("noticed").isTrue();
    assertThat(cancellation.cause()).isEqualTo(Cancellation.Cause.CALLER_GONE);
  }
}
