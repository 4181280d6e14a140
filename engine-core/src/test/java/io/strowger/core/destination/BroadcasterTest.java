package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.RecordedLog;
import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.DestinationConfig;
import io.strowger.core.config.DestinationQueueSettings;
import io.strowger.core.config.SecretKey;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The broadcaster of calls to destinations")
class BroadcasterTest {
  private static final String FILE =
      """
      {"providers": [{"slug": "a", "protocol": "simulated", "base_url": "http://a.test"}],
       "models": [{"id": "a/m", "endpoints": [{"provider": "a"}]}],
       "observability_destinations": [
         {"id": "d", "name": "n", "type": "webhook", "config": {"url": "http://batch.test"}}]}
      """;

  @TempDir Path directory;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final SecretCipher cipher =
      new SecretCipher(() -> SecretKey.of(new byte[SecretKey.BYTES]), new SecureBytes());
  private final StoreWatch watch = new StoreWatch(new MemoryStores().documents(), ambient);

  @AfterEach
  void noThreads() {
    watch.close();
    ambient.assertNoThreadsLeft();
  }

  private static List<DestinationConfig> destinations() {
    return ConfigReader.standard()
        .read(FILE.getBytes(StandardCharsets.UTF_8))
        .orThrow()
        .observabilityDestinations();
  }

  private Broadcaster broadcaster(Transport transport) {
    var destinations =
        new Destinations(
            watch,
            cipher,
            Exporters.of(List.of(new PlainExporters())),
            new JacksonCodec(),
            ambient);
    DiskQueues disk =
        DiskQueues.open(
            new DestinationQueueSettings(directory, 1, 0), cipher, new SecureBytes(), ambient);
    return new Broadcaster(destinations, transport, ambient, Duration.ZERO, disk);
  }

  private void send(Broadcaster broadcaster) {
    Broadcast broadcast =
        Objects.requireNonNull(broadcaster.choose(DefaultWorkspace.ID, List.of(), null, "gen-1"));
    broadcast.send(SampleTraces.bare("gen-1", ambient.now()), null);
  }

  /**
   * A transport that delivers nothing. A cancelled request ends only when the test's thread, which
   * closes the broadcaster, is waiting.
   */
  private static final class SlowTransport implements Transport {
    private final Thread closer = Thread.currentThread();
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    @Override
    public Response send(Request request) {
      var cancelled = new CountDownLatch(1);
      request.cancellation().onCancel(cancelled::countDown);
      hasBegun.countDown();
      try {
        cancelled.await();
        while (closer.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      hasEnded.set(true);
      throw new IllegalStateException("cancelled");
    }

    @Override
    public void close() {}
  }

  @Test
  @DisplayName(
      "warns once about a destination that it cannot read, and again if that happens later")
  void unreadable() {
    String id = "pigeon-1";
    Json.Obj pigeon = Json.object().put("name", "n").put("type", "carrier-pigeon").build();
    Json.Obj webhook = Json.object().put("name", "n").put("type", "webhook").build();
    try (RecordedLog.Recording log = RecordedLog.record();
        Broadcaster broadcaster = broadcaster(new ScriptedTransport())) {
      Document first =
          new Document(
              Destinations.KIND,
              id,
              DefaultWorkspace.ID,
              false,
              1,
              ambient.now(),
              ambient.now(),
              pigeon);
      watch.write(List.of(new Write.Insert(first)));
      broadcaster.dropAll();
      broadcaster.dropAll();
      assertThat(log.linesWith(id)).hasSize(1);
      Document readable = first.next(ambient.now(), webhook);
      watch.write(List.of(new Write.Replace(readable)));
      broadcaster.dropAll();
      assertThat(log.linesWith("carrier-pigeon")).hasSize(1);
      watch.write(List.of(new Write.Replace(readable.next(ambient.now(), pigeon))));
      broadcaster.dropAll();
      assertThat(log.linesWith("carrier-pigeon")).hasSize(2);
    }
  }

  @Test
  @DisplayName("suspends a stored destination whose settings it cannot use, and no other")
  void unusable() throws SecretKeyException {
    String config = "{\"url\":\"http://batch.test\",\"method\":\"POST\"}";
    for (String id : List.of("d1", "d2", "d3")) {
      Json.Obj rule =
          Json.object()
              .put("field", "model")
              .put("operator", "regex")
              .put("value", id.equals("d2") ? "(" : "m")
              .build();
      Json.Obj body =
          Json.object()
              .put("name", "n")
              .put("type", "webhook")
              .put("sealed", cipher.seal(new Credential(config), "destination/" + id))
              .put(
                  "filter_rules",
                  Json.object()
                      .put("enabled", Json.TRUE)
                      .put(
                          "groups",
                          Json.array(Json.object().put("rules", Json.array(rule)).build()))
                      .build())
              .build();
      watch.write(
          List.of(
              new Write.Insert(
                  new Document(
                      Destinations.KIND,
                      id,
                      DefaultWorkspace.ID,
                      false,
                      1,
                      ambient.now(),
                      ambient.now(),
                      body))));
    }
    try (RecordedLog.Recording log = RecordedLog.record();
        Broadcaster broadcaster = broadcaster(new ScriptedTransport())) {
      broadcaster.dropAll();
      assertThat(log.linesWith("destination d2 receives no calls")).hasSize(1);
      assertThat(broadcaster.counts())
          .extracting(DestinationCounts::id)
          .containsExactly("d1", "d3");
    }
  }

  @Test
  @DisplayName("refuses a config for which an exporter's factory fails, without repeating it")
  void failingFactory() {
    var failing =
        new DestinationFactory() {
          @Override
          public Set<String> types() {
            return Set.of("webhook");
          }

          @Override
          public DestinationExporter create(String type, Json.Obj config) {
            throw new IllegalStateException(config.text("url"));
          }
        };
    assertThat(
            Exporters.of(List.of(failing))
                .problem(
                    Objects.requireNonNull(DestinationType.find("webhook")),
                    Json.object().put("url", "http://secret.test").build()))
        .isEqualTo("type webhook has an exporter that failed; the log of the gateway says why");
  }

  @Test
  @DisplayName("waits on closing for the thread of a destination that was removed before")
  void removedDestination() throws InterruptedException {
    var transport = new SlowTransport();
    Broadcaster broadcaster = broadcaster(transport);
    broadcaster.configure(destinations());
    send(broadcaster);
    transport.hasBegun.await();
    broadcaster.configure(List.of());
    broadcaster.close();
    assertThat(transport.hasEnded).isTrue();
  }

  @Test
  @DisplayName(
      "stays closed: a later change of destinations starts no thread and opens no queue on disk")
  void laterChange() {
    var refusing = new ScriptedTransport();
    refusing.alwaysFail("gen-1");
    Broadcaster first = broadcaster(refusing);
    first.configure(destinations());
    send(first);
    first.close();
    assertThat(first.counts().getFirst().diskCalls()).isEqualTo(1);

    var transport = new ScriptedTransport();
    Broadcaster closed = broadcaster(transport);
    closed.close();
    closed.configure(destinations());
    closed.dropAll();
    ambient.assertNoThreadsLeft();
    assertThat(transport.remainingRequests()).isEmpty();
    assertThat(closed.counts()).isEmpty();
  }
}
