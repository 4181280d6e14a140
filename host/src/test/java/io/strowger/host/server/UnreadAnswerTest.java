package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.webserver.CloseConnectionException;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
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

  /** A minute, the first second, and what 6 KiB may take. */
  private static final int MOST_SECONDS = 62;

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();

  private HttpHost host(Duration patience, boolean tls) throws IOException {
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
            patience,
            certificate),
        threads);
  }

  /** A client that takes little. */
  private static RawClient client(HttpHost host, boolean tls)
      throws IOException, GeneralSecurityException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    if (!tls) {
      return new RawClient(socket);
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, null);
    return new RawClient(
        context.getSocketFactory().createSocket(socket, "localhost", host.port(), true));
  }

  private void isGivenBack() throws InterruptedException {
    assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its place is free").isTrue();
    assertThat(threads.ended(Duration.ofSeconds(10))).as("no thread is left").isTrue();
  }

  @ParameterizedTest(name = "in TLS: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("is given up when the client took nothing for a while")
  void unread(boolean tls) throws Exception {
    Cancellation cancellation;
    try (HttpHost host = host(Duration.ofMillis(500), tls);
        RawClient client = client(host, tls)) {
      client.post("/api/v1/endless", "{}");
      cancellation = api.next().cancellation();
      assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its place is free").isTrue();
    }
    isGivenBack();
    assertThat(cancellation.cause()).isEqualTo(Cancellation.Cause.CALLER_GONE);
  }

  @ParameterizedTest(name = "in TLS: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("is given up soon after its request is over, however patient the host is")
  void afterTheDeadline(boolean tls) throws Exception {
    try (HttpHost host = host(LONG, tls);
        RawClient client = client(host, tls)) {
      client.post("/api/v1/endless", "{}");
      api.next().cancellation().cancel(Cancellation.Cause.TOTAL);
      assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).as("its place is free").isTrue();
    }
    isGivenBack();
  }

  /** A connection whose client takes what it is let take. */
  private static final class Blocking implements DataWriter {
    private final Semaphore takes = new Semaphore(0);

    @Override
    public void write(BufferData... buffers) {
      takes.acquireUninterruptibly();
    }

    @Override
    public void write(BufferData buffer) {
      try {
        takes.acquire();
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt(); // as a socket does
      }
    }

    @Override
    public void writeNow(BufferData... buffers) {
      write(buffers);
    }

    @Override
    public void writeNow(BufferData buffer) {
      write(buffer);
    }
  }

  /** Writes pieces of 1 KiB until the client is given up. */
  private static final class Writing implements Runnable {
    private final WatchedOutput out;
    private final BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    private volatile @Nullable String ended;

    Writing(WatchedOutput out) {
      this.out = out;
    }

    @Override
    public void run() {
      try {
        while (true) {
          out.write(BufferData.create(new byte[1024]));
        }
      } catch (CloseConnectionException givenUp) {
        ended = givenUp.getMessage();
        interrupted.add(Thread.currentThread().isInterrupted());
      }
    }

    void awaitWrite(long number) {
      while (ended == null && (out.progress().writes() < number || !out.progress().waiting())) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  @DisplayName("counts as unread also when a little of it is taken again and again")
  void trickle() throws InterruptedException {
    var socket = new Blocking();
    var out = new WatchedOutput(socket);
    var readers = new WriteTimeouts(Duration.ofSeconds(30), TestAmbient.at("2026-11-22T12:00:00Z"));
    var writing = new Writing(out);
    try (WriteTimeouts.Answer answer = readers.watch(out, new Cancellation())) {
      Thread.ofVirtual().start(writing);
      for (int second = 1; second < MOST_SECONDS; second++) {
        writing.awaitWrite(second / 10 + 1);
        answer.check(TimeUnit.SECONDS.toNanos(second));
        if (second % 10 == 9) {
          socket.takes.release(); // 1 KiB each ten seconds
        }
      }
      assertThat(writing.ended).isNull();
      answer.check(TimeUnit.SECONDS.toNanos(MOST_SECONDS));
      assertThat(writing.interrupted.poll(20, TimeUnit.SECONDS)).isFalse();
      assertThat(writing.ended).isEqualTo("the client does not take its answer");
    }
  }
}
