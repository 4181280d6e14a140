package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A plain host in front of a {@link FakeApi} for each test, and a client that is connected to it.
 * Register it as a field of the test class. No thread of the host outlives its test.
 */
final class ServedHost implements BeforeEachCallback, AfterEachCallback {
  private final HttpHost.Settings settings;
  private FakeApi api = new FakeApi();
  private LiveThreads threads = new LiveThreads();
  private @Nullable HttpHost host;
  private @Nullable RawClient client;

  ServedHost() {
    this(new HttpHost.Settings("127.0.0.1", 0, 100_000_000, Duration.ofMillis(200)));
  }

  /**
   * Creates a host with its own timeout for clients.
   *
   * @param clientTimeout how long the host waits for a client that sends or reads nothing
   */
  ServedHost(Duration clientTimeout) {
    this(new HttpHost.Settings("127.0.0.1", 0, 100_000_000, Duration.ofMillis(200), clientTimeout));
  }

  private ServedHost(HttpHost.Settings settings) {
    this.settings = settings;
  }

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    api = new FakeApi();
    threads = new LiveThreads();
    HttpHost started = HttpHost.start(api, settings, threads);
    host = started;
    client = new RawClient(started.port());
  }

  @Override
  public void afterEach(ExtensionContext test) throws IOException, InterruptedException {
    client().close();
    host().close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10)))
        .as("every thread of the host has ended")
        .isTrue();
  }

  FakeApi api() {
    return api;
  }

  LiveThreads threads() {
    return threads;
  }

  HttpHost host() {
    return Objects.requireNonNull(host, "no test has begun");
  }

  int port() {
    return host().port();
  }

  RawClient client() {
    return Objects.requireNonNull(client, "no test has begun");
  }
}
