package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.core.Readiness;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Connections that have sent no complete head")
class PendingConnectionsTest {
  private static final long EACH = PendingConnections.PLAIN_COST;

  /** A connection that waits until it is closed. */
  private static final class Connection {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

    Connection(PendingConnections heads, int bytes) throws InterruptedException {
      Thread.ofVirtual()
          .start(
              () -> {
                var closing = new CountDownLatch(1);
                PendingConnections.Waiting one = heads.enter(EACH, closing::countDown);
                heads.received(one, bytes);
                entered.countDown();
                try {
                  closing.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                try {
                  heads.leave(one);
                } catch (CloseConnectionException closed) {
                  ended.add(closed.getMessage());
                }
              });
      entered.await();
    }
  }

  @Test
  @DisplayName("are closed, the longest waiting first, when they use too much memory together")
  void eldest() throws InterruptedException {
    var heads = new PendingConnections(3 * EACH);
    var connections = new ArrayList<Connection>();
    for (int i = 0; i < 3; i++) {
      connections.add(new Connection(heads, 0));
    }
    assertThat(connections).allMatch(connection -> connection.ended.isEmpty());
    PendingConnections.Waiting waiting = heads.enter(EACH, () -> {});
    assertThat(connections.get(0).ended.take()).isEqualTo("other connections need the memory");
    heads.received(waiting, (int) EACH);
    assertThat(connections.get(1).ended.take()).isEqualTo("other connections need the memory");
    assertThat(connections.get(2).ended.take()).isEqualTo("other connections need the memory");
    assertThatCode(() -> heads.leave(waiting)).doesNotThrowAnyException();
    assertThat(new Connection(heads, 0).ended).isEmpty();
  }

  @Test
  @DisplayName("are closed when one of them alone uses too much memory")
  void alone() {
    var heads = new PendingConnections(EACH);
    PendingConnections.Waiting waiting = heads.enter(EACH, () -> {});
    heads.received(waiting, 1);
    assertThatThrownBy(() -> heads.leave(waiting)).isInstanceOf(CloseConnectionException.class);
  }

  @Test
  @DisplayName("are closed by a host, which still serves a client that sends a complete head")
  void host() throws Exception {
    var heads = new PendingConnections(4 * EACH);
    var threads = new LiveThreads();
    try (HttpHost host =
        HttpHost.start(
            new FakeApi(),
            () -> Readiness.READY,
            new HttpHost.Settings("127.0.0.1", 0, 1_000_000, Duration.ofMillis(200)),
            heads,
            threads)) {
      List<RawClient> silent = new ArrayList<>();
      var closed = new CountDownLatch(5); // there is room for less than four
      for (int i = 0; i < 8; i++) {
        RawClient one = new RawClient(host.port()).send("GET /api/v1");
        silent.add(one);
        Thread.ofVirtual().start(() -> countWhenClosed(one, closed));
      }
      closed.await(); // so all of them were connected
      try (var client = new RawClient(host.port())) {
        assertThat(client.get("/api/v1/health").response().status()).isEqualTo(200);
        assertThat(client.get("/api/v1/health").response().status()).isEqualTo(200);
      }
      for (RawClient client : silent) {
        client.close();
      }
    }
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).as("no thread is left").isTrue();
  }

  private static void countWhenClosed(RawClient client, CountDownLatch closed) {
    try {
      if (client.atEnd()) {
        closed.countDown();
      }
    } catch (IOException reset) {
      closed.countDown();
    }
  }
}
