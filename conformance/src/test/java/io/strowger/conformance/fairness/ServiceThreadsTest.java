package io.strowger.conformance.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.stores.JdbcStores;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The services that all requests depend on run on platform threads, so that they continue while
 * every carrier of the virtual threads is busy. The test recognises a service by its calls of
 * {@code sleep}: a thread that sleeps for the gateway works periodically.
 */
@DisplayName("While every carrier is busy")
class ServiceThreadsTest {
  private static final Set<String> SERVICES =
      Set.of(
          "strowger-watchdog",
          "strowger-health",
          "strowger-ledger",
          "strowger-store-watch",
          "strowger-journal-force",
          "strowger-journal-flush",
          "strowger-journal-record",
          "store-retention",
          "connection-sweep");

  private static final String KEY = "sk-services-1234";
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:1" } ],
        "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha",
            "pricing": { "prompt": "0.000001", "completion": "0.000001" } } ] } ],
        "keys": [ { "name": "app", "key": "%s", "limit": "5" } ] }
      """
          .formatted(KEY);

  @TempDir Path directory;

  private final ThreadKinds ambient = new ThreadKinds();

  /** Records which threads sleep, and which virtual threads are started from platform threads. */
  private static final class ThreadKinds extends ForwardingAmbient {
    private final Map<String, Integer> virtualSleeps = new ConcurrentHashMap<>();
    private final Set<String> platformSleepers = ConcurrentHashMap.newKeySet();
    private final Set<String> startedByServices = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allSlept = new CountDownLatch(SERVICES.size());

    ThreadKinds() {
      super(new SystemAmbient());
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      Thread me = Thread.currentThread();
      if (me.isVirtual()) {
        virtualSleeps.merge(me.getName(), 1, Integer::sum);
      } else if (platformSleepers.add(me.getName()) && SERVICES.contains(me.getName())) {
        allSlept.countDown();
      }
      super.sleep(time);
    }

    @Override
    public Thread start(String name, Runnable task) {
      if (!Thread.currentThread().isVirtual()) {
        startedByServices.add(name);
      }
      return super.start(name, task);
    }
  }

  private static GatewayConfig config() {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(CONFIG.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private JdbcStores stores() {
    return JdbcStores.open(
        new JdbcStores.Settings(
            "jdbc:h2:file:" + directory.resolve("books"),
            null,
            Credential.NONE,
            directory.resolve("node")),
        new JacksonCodec(),
        ambient);
  }

  private static int ask(RunningGateway running) throws IOException {
    byte[] body =
        "{\"model\":\"acme/large\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}"
            .getBytes(StandardCharsets.UTF_8);
    WireResponse response =
        running
            .gateway()
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + KEY : null,
                    new ByteArrayInputStream(body),
                    new Cancellation()));
    try (WireBody answer = response.body()) {
      answer.transferTo(new ByteArrayOutputStream());
    }
    return response.status();
  }

  @Test
  @DisplayName("deadlines are kept, health is published and the ledger is written")
  void services() throws Exception {
    try (var stores = stores();
        var running =
            RunningGateway.open(
                config(),
                ambient,
                new RunningGateway.HostResources(stores, SecretKeySource.NONE, null))) {
      assertThat(ask(running)).isEqualTo(200);
      assertThat(ambient.allSlept.await(30, TimeUnit.SECONDS))
          .as("%s", ambient.platformSleepers)
          .isTrue();
    }
    assertThat(ambient.platformSleepers).containsAll(SERVICES);
    assertThat(ambient.virtualSleeps.values())
        .as("%s", ambient.virtualSleeps)
        .allMatch(count -> count < 3);
    assertThat(ambient.startedByServices)
        .as("virtual threads that services start")
        .doesNotContain("store");
  }

  @Test
  @DisplayName("decisions are logged")
  void decisions() throws Exception {
    Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
    var out =
        new OutputStream() {
          @Override
          public void write(int b) {
            if (Thread.currentThread().getName().equals("decision-log")) {
              virtual.add(Thread.currentThread().isVirtual());
            }
          }

          @Override
          public void flush() {
            write(0);
          }
        };
    try (var log = DecisionLogWriter.toStream(out, 10, ambient);
        var running =
            RunningGateway.open(
                config(),
                ambient,
                new RunningGateway.HostResources(null, SecretKeySource.NONE, log))) {
      assertThat(ask(running)).isEqualTo(200);
    }
    assertThat(virtual).containsExactly(false);
  }
}
