package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer that its client does not read")
class UnreadAnswerTest {
  private static final Duration LONG = Duration.ofHours(1);

  /** A minute, the first second, and the time allowed for 6 KiB. */
  private static final int MAX_SECONDS = 62;

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();

  private HttpHost host(Duration clientTimeout, boolean tls) throws IOException {
    ServedCertificate certificate =
        tls ? ServedCertificate.read(TlsTest.files("one", "one")) : null;
    return HttpHost.start(
        api,
        new HttpHost.Settings(
            "127.0.0.1",
            0,
            1_000_000,
            Duration.ofMillis(200),
            Duration.ZERO,
            clientTimeout,
            certificate),
        threads);
  }

  /** Connects a client with a small receive buffer. */
  private static RawClient client(HttpHost host, boolean tls)
      throws IOException, GeneralSecurityException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    if (!tls) {
      return new RawClient(socket);
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new PermissiveTrustManager()}, null);
    return new RawClient(
        context.getSocketFactory().createSocket(socket, "localhost", host.port(), true));
  }

  private void assertReleased() throws InterruptedException {
    assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its body is closed").isTrue();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).as("no thread is left").isTrue();
  }

  @ParameterizedTest(name = "in TLS: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("is given up when the client has read nothing for a while")
  void unread(boolean tls) throws Exception {
    Cancellation cancellation;
    try (HttpHost host = host(LONG, tls);
        RawClient client = client(host, tls)) {
      client.post("/api/v1/endless", "{}");
      cancellation = api.next().cancellation();
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!api.bodiesClosed.await(100, TimeUnit.MILLISECONDS) && System.nanoTime() < until) {
        threads.advance(LONG);
      }
      assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its body is closed").isTrue();
    }
    assertReleased();
    assertThat(cancellation.cause()).isEqualTo(Cancellation.Cause.CALLER_GONE);
  }

  @ParameterizedTest(name = "in TLS: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "is given up soon after its request is cancelled, however long the host's timeout is")
  void afterTheDeadline(boolean tls) throws Exception {
    try (HttpHost host = host(LONG, tls);
        RawClient client = client(host, tls)) {
      client.post("/api/v1/endless", "{}");
      api.next().cancellation().cancel(Cancellation.Cause.TOTAL);
      assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its body is closed").isTrue();
    }
    assertReleased();
  }

  /** A socket in which each write waits for a permit. */
  private static final class BlockingSocket implements ClientSocket {
    private final Semaphore permits = new Semaphore(0);

    @Override
    public int write(byte[] bytes, int from, int length) {
      try {
        permits.acquire();
        return length;
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt(); // as a socket does
        throw new UncheckedIOException(new ClosedByInterruptException());
      }
    }

    @Override
    public byte[] read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean supportsDirectRead() {
      return false;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stopReading() {}

    @Override
    public void dropUnread(int most) {}

    @Override
    public Channel channel() {
      throw new UnsupportedOperationException();
    }
  }

  /** Writes pieces of 1 KiB until the client is given up. */
  private static final class Writer implements Runnable {
    private final ClientSocket socket;
    private final CompletableFuture<ConnectionOutput> out = new CompletableFuture<>();
    private final BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    private volatile @Nullable String ended;

    Writer(ClientSocket socket) {
      this.socket = socket;
    }

    @Override
    public void run() {
      var output = new ConnectionOutput(socket, Thread.currentThread());
      out.complete(output);
      try {
        while (true) {
          output.write(new byte[1024], 0, 1024);
        }
      } catch (CloseConnectionException givenUp) {
        ended = givenUp.getMessage();
        interrupted.add(Thread.currentThread().isInterrupted());
      }
    }

    void awaitWrite(long number) {
      while (ended == null && out.join().currentWrite() < number) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  @DisplayName("counts as unread also if a little of it is read again and again")
  void trickle() throws InterruptedException {
    var socket = new BlockingSocket();
    var writer = new Writer(socket);
    Thread.ofVirtual().start(writer);
    var timeout = new WriteTimeout(writer.out.join(), Duration.ofSeconds(30));
    for (int second = 1; second < MAX_SECONDS; second++) {
      writer.awaitWrite(second / 10 + 1);
      timeout.check(null, TimeUnit.SECONDS.toNanos(second));
      if (second % 10 == 9) {
        socket.permits.release(); // 1 KiB each ten seconds
      }
    }
    assertThat(writer.ended).isNull();
    timeout.check(null, TimeUnit.SECONDS.toNanos(MAX_SECONDS));
    assertThat(writer.interrupted.poll(20, TimeUnit.SECONDS)).isFalse();
    assertThat(writer.ended).isEqualTo("the client does not take its answer");
  }

  @Test
  @DisplayName(
      "is given up only in the write that was found to be stalled, and never in a later one")
  void lateGivingUp() throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      var socket = new BlockingSocket();
      var writer = new Writer(socket);
      Thread.ofVirtual().start(writer);
      ConnectionOutput out = writer.out.join();
      writer.awaitWrite(1);
      Thread taking = Thread.ofVirtual().start(socket.permits::release);
      out.giveUp(1);
      taking.join();
      writer.awaitWrite(2); // unless it has ended, which must leave no interrupt behind
      if (writer.ended == null) {
        out.giveUp(1);
        assertThat(out.currentWrite()).isEqualTo(2);
        out.giveUp(2);
      }
      assertThat(writer.interrupted.poll(20, TimeUnit.SECONDS)).isFalse();
    }
  }
}
