package io.strowger.conformance.fairness;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.strowger.spi.ambient.Ambient;
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
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What everybody depends on runs on platform threads, so that it goes on while every carrier of the
 * virtual threads is busy. Found by its sleeping: whoever sleeps for the gateway does something
 * again and again.
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

  private final Kinds ambient = new Kinds();

  /** Notes on which kind of thread somebody sleeps, and who starts virtual threads. */
  private static final class Kinds implements Ambient {
    private final SystemAmbient real = new SystemAmbient();
    private final Map<String, Integer> virtual = new ConcurrentHashMap<>();
    private final Set<String> platform = ConcurrentHashMap.newKeySet();
    private final Set<String> carriedForServices = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allSlept = new CountDownLatch(SERVICES.size());

    @Override
    public Instant now() {
      return real.now();
    }

    @Override
    public long nanoTime() {
      return real.nanoTime();
    }

    @Override
    public long seed() {
      return real.seed();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      Thread me = Thread.currentThread();
      if (me.isVirtual()) {
        virtual.merge(me.getName(), 1, Integer::sum);
      } else if (platform.add(me.getName()) && SERVICES.contains(me.getName())) {
        allSlept.countDown();
      }
      real.sleep(time);
    }

    @Override
    public Thread start(String name, Runnable task) {
      if (!Thread.currentThread().isVirtual()) {
        carriedForServices.add(name);
      }
      return real.start(name, task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return real.startService(name, task);
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
  @DisplayName("deadlines are kept, health is published and the books are written all the same")
  void services() throws Exception {
    try (var stores = stores();
        var running =
            RunningGateway.open(
                config(),
                ambient,
                new RunningGateway.HostResources(stores, SecretKeySource.NONE, null))) {
      assertThat(ask(running)).isEqualTo(200);
      assertThat(ambient.allSlept.await(30, TimeUnit.SECONDS)).as("%s", ambient.platform).isTrue();
    }
    assertThat(ambient.platform).containsAll(SERVICES);
    assertThat(ambient.virtual.values()).as("%s", ambient.virtual).allMatch(often -> often < 3);
    assertThat(ambient.carriedForServices).as("what services wait for").doesNotContain("store");
  }

  @Test
  @DisplayName("decisions are logged all the same")
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
