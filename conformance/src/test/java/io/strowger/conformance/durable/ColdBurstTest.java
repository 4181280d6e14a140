package io.strowger.conformance.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.stores.JdbcStores;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Two hundred requests at once, the first after a start on a durable store,")
@Timeout(120)
class ColdBurstTest {
  private static final int REQUESTS = 200;

  /**
   * The hold of a request is about 0.03: 16 output tokens at 0.001 each, and a few of the prompt.
   */
  private static final String CONFIG =
      """
      { 'providers': [ { 'slug': 'a', 'protocol': 'simulated', 'base_url': 'http://a.test' } ],
        'models': [ { 'id': 'a/m', 'endpoints': [ { 'provider': 'a',
                      'pricing': { 'prompt': '0.001', 'completion': '0.001' } } ] } ],
        'keys': [ { 'name': 'app', 'key': 'sk-app', 'limit': '%s', 'limit_reset': 'daily' } ] }
      """;

  private static final String BODY =
      "{'model':'a/m','max_tokens':16,'messages':[{'role':'user','content':'hi'}]}";

  @TempDir private Path directory;

  @ParameterizedTest(name = "a limit of {0}")
  @CsvSource({"8", "80", "8000"})
  @DisplayName("are all answered with 200 for one key with")
  void answered(String limit) throws InterruptedException {
    var ambient = new SystemAmbient();
    try (var stores =
            JdbcStores.open(
                new JdbcStores.Settings(
                    "jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE, directory),
                new JacksonCodec(),
                ambient);
        var gateway =
            Gateway.builder(ConfigReader.standard().read(bytes(CONFIG.formatted(limit))).orThrow())
                .ambient(ambient)
                .stores(stores)
                .provider(new SimulatedFactory())
                .build()) {
      Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
      var start = new CountDownLatch(1);
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        clients.add(Thread.startVirtualThread(() -> statuses.add(ask(gateway, start))));
      }
      start.countDown();
      for (Thread client : clients) {
        client.join();
      }
      assertThat(statuses).hasSize(REQUESTS).containsOnly(200);
    }
  }

  private static int ask(Gateway gateway, CountDownLatch start) {
    try {
      start.await();
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name -> name.equalsIgnoreCase("Authorization") ? "Bearer sk-app" : null,
                    new ByteArrayInputStream(bytes(BODY)),
                    new Cancellation()));
    try (WireBody body = response.body()) {
      while (body.writeNext(OutputStream.nullOutputStream())) {
        // reads to the end
      }
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return response.status();
  }

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
