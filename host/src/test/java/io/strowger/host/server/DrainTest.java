package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks at the threads of the whole process")
@DisplayName("A host that is closed")
class DrainTest {
  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();

  private HttpHost start(Duration drain) throws IOException {
    return HttpHost.start(api, new HttpHost.Settings("127.0.0.1", 0, 100_000_000, drain), threads);
  }

  @Test
  @DisplayName("lets a running request end and takes no new connection")
  void drains() throws Exception {
    HttpHost host = start(Duration.ofSeconds(20));
    try (var client = new RawClient(host.port())) {
      client.post("/api/v1/stream", "{}");
      FakeApi.Running running = api.next();
      running.pieces().add("one");
      client.head();
      assertThat(client.chunk()).isEqualTo("one");
      Thread closing = threads.start("closing", host::close);
      awaitRefusal(host.port());
      running.pieces().add("two");
      assertThat(client.chunk()).isEqualTo("two");
      running.pieces().add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.atEnd()).isTrue();
      assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
      assertThat(running.cancellation().isCancelled()).isFalse();
    }
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  @DisplayName(
      "first reports that it is not ready, while it still serves, and then stops listening")
  void delay() throws Exception {
    var delay = new CountDownLatch(1);
    var delayed = new AtomicReference<Duration>();
    var settings =
        new HttpHost.Settings(
            "127.0.0.1",
            0,
            100_000_000,
            Duration.ofSeconds(20),
            Duration.ofSeconds(7),
            Duration.ofSeconds(30),
            null);
    HttpHost host =
        HttpHost.start(
            api,
            settings,
            threads.sleepingIn(
                time -> {
                  delayed.set(time);
                  delay.await();
                }));
    try (var old = new RawClient(host.port())) {
      assertThat(old.get("/readyz").response().status()).isEqualTo(200);
      Thread closing = threads.start("closing", host::close);
      while (delayed.get() == null) {
        Thread.onSpinWait();
      }
      assertThat(delayed.get()).isEqualTo(Duration.ofSeconds(7));
      var unready = old.get("/readyz").response();
      assertThat(unready.status()).isEqualTo(503);
      assertThat(unready.body()).contains("draining");
      assertThat(unready.header("connection")).isEqualToIgnoringCase("close");
      try (var fresh = new RawClient(host.port())) {
        var response = fresh.post("/api/v1/echo", "x").response();
        assertThat(response.body()).isEqualTo("x");
        assertThat(response.header("connection")).isEqualToIgnoringCase("close");
        assertThat(fresh.atEnd()).isTrue();
      }
      delay.countDown();
      assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  @DisplayName("cancels a request that runs longer than the drain time, and still answers it")
  void cancels() throws Exception {
    HttpHost host = start(Duration.ofMillis(50));
    try (var client = new RawClient(host.port())) {
      client.post("/api/v1/wait", "{}");
      Cancellation cancellation = api.next().cancellation();
      host.close();
      assertThat(cancellation.cause()).isEqualTo(Cancellation.Cause.SHUTDOWN);
      assertThat(client.response().body()).isEqualTo("cancelled: true");
    }
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  @DisplayName("does not wait for idle connections, whether a watcher reads them or not")
  void idle() throws Exception {
    HttpHost host = start(Duration.ofSeconds(30));
    try (var fresh = new RawClient(host.port());
        var watched = new RawClient(host.port());
        var unwatched = new RawClient(host.port())) {
      watched.post("/api/v1/echo", "x").response();
      unwatched.post("/api/v1/refuse", "x").response();
      Thread closing = threads.start("closing", host::close);
      assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
      assertThat(watched.atEnd()).isTrue();
      assertThat(unwatched.atEnd()).isTrue();
    }
  }

  @Test
  @DisplayName("leaves no thread behind")
  void threadsEnd() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    HttpHost host = start(Duration.ofSeconds(1));
    try (var client = new RawClient(host.port())) {
      client.post("/api/v1/echo", "x").response();
    }
    host.close();
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
    Set<String> left = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      boolean ours =
          thread.getName().startsWith("server-") || thread.getName().startsWith("client-watch");
      // the web server's thread reports that it stopped listening just before it ends
      if (ours && !before.contains(thread) && !thread.join(Duration.ofSeconds(10))) {
        left.add(thread.getName());
      }
    }
    assertThat(left).isEmpty();
  }

  private static void awaitRefusal(int port) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < until) {
      try (var late = new RawClient(port)) {
        Thread.onSpinWait();
      } catch (IOException e) {
        assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class);
        return;
      }
    }
    throw new AssertionError("the host still accepts connections");
  }
}
