package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@Tag("long")
@DisplayName("Two nodes on one PostgreSQL that work on a batch and are killed again and again")
@Timeout(600)
class KilledBatchesTest {
  private static final int KILLS = HostProcess.kills(20);
  private static final int REQUESTS = 30 * KILLS;

  /** 100 tokens at $2 per million, halved. */
  private static final BigDecimal PRICE = new BigDecimal("0.0001");

  private static final String KEY = "sk-batches-0123456789";
  private static final String ADMIN = "sk-admin-0123456789";

  @TempDir private Path folder;
  private final SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient());
  private final AtomicInteger dispatched = new AtomicInteger();
  private final HostProcess[] nodes = new HostProcess[2];
  private EmbeddedPostgres database;

  @BeforeEach
  void start() throws IOException {
    database = EmbeddedPostgres.start();
    Script answer = Script.builder().tokens(10, 100).latency(Duration.ofMillis(60)).build();
    upstream.respond(
        "large",
        request -> {
          dispatched.incrementAndGet();
          return answer;
        });
    Files.writeString(
        folder.resolve("gateway.json"),
        """
        { "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
          "store": { "url": "%s", "user": "postgres", "password": "postgres" },
          "batches": { "workers": 4, "lease_seconds": 5 },
          "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
            "pricing": { "completion": "0.000002" } } ] } ],
          "keys": [ { "name": "batches", "key": "%s" },
                    { "name": "admin", "key": "%s", "management": true } ] }
        """
            .formatted(
                upstream.baseUri(), database.getJdbcUrl("postgres", "postgres"), KEY, ADMIN));
  }

  @AfterEach
  void stop() throws Exception {
    for (HostProcess node : nodes) {
      if (node != null) {
        node.close();
      }
    }
    database.close();
    upstream.close();
  }

  private HostProcess startNode(int node) throws IOException {
    HostProcess started =
        HostProcess.start(folder.resolve("gateway.json"), folder.resolve("data" + node));
    nodes[node] = started;
    return started;
  }

  @Test
  @DisplayName("give every request exactly one result, and bill each once")
  void killed() throws Exception {
    startNode(0);
    startNode(1);
    String id = createBatch();
    var random = new Random(18);
    for (int i = 0; i < KILLS; i++) {
      int before = dispatched.get();
      int wanted = before + 5 + random.nextInt(20);
      upstream.awaitRequests(wanted, Duration.ofSeconds(5));
      int node = random.nextInt(2);
      Objects.requireNonNull(nodes[node]).kill();
      startNode(node);
    }
    Json.Obj batch = awaitResults(id);
    assertThat(batch.text("status")).as(batch.toString()).isEqualTo("completed");
    Json.Arr results = Objects.requireNonNull(batch.list("results"));
    Set<String> answered = new HashSet<>();
    for (Json result : results) {
      var one = (Json.Obj) result;
      assertThat(one.object("response")).as(one.toString()).isNotNull();
      assertThat(answered.add(Objects.requireNonNull(one.text("custom_id")))).isTrue();
    }
    assertThat(answered).hasSize(REQUESTS);
    BigDecimal cost = PRICE.multiply(BigDecimal.valueOf(REQUESTS));
    assertThat(decimal(Objects.requireNonNull(batch.object("usage")), "cost"))
        .isEqualByComparingTo(cost);
    assertThat(dispatched.get()).isGreaterThanOrEqualTo(REQUESTS);
    assertThat(usageAfterRestart())
        .as("usage, of %d dispatched requests", dispatched.get())
        .isEqualByComparingTo(cost);
  }

  private String createBatch() throws Exception {
    String requests =
        IntStream.range(0, REQUESTS)
            .mapToObj(
                i ->
                    "{\"custom_id\":\"c"
                        + i
                        + "\",\"body\":{\"max_tokens\":100,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}}")
            .collect(Collectors.joining(","));
    HttpResponse<String> response =
        Objects.requireNonNull(nodes[0])
            .post(
                "/batches",
                KEY,
                "{\"endpoint\":\"/v1/chat/completions\",\"model\":\"acme/large\",\"requests\":["
                    + requests
                    + "]}");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    return Objects.requireNonNull(json(response).text("id"));
  }

  private Json.Obj awaitResults(String id) throws Exception {
    while (true) {
      HttpResponse<String> response = Objects.requireNonNull(nodes[0]).get("/batches/" + id, KEY);
      if (response.statusCode() == 503) {
        continue; // the store may be slow on a busy machine
      }
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      Json.Obj batch = json(response);
      if (batch.has("results")) {
        return batch;
      }
    }
  }

  /** Stops both nodes, so that all bills are in the store, and returns the usage of the key. */
  private BigDecimal usageAfterRestart() throws Exception {
    for (int i = 0; i < nodes.length; i++) {
      Objects.requireNonNull(nodes[i]).close();
    }
    String hash = Authenticator.id(new Credential(KEY)).hex();
    HttpResponse<String> response = startNode(0).get("/keys/" + hash, ADMIN);
    startNode(1);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return decimal(Objects.requireNonNull(json(response).object("data")), "usage");
  }

  private static BigDecimal decimal(Json.Obj object, String member) {
    return new BigDecimal(Objects.requireNonNull(object.get(member)).toString());
  }

  private static Json.Obj json(HttpResponse<String> response) throws Exception {
    return (Json.Obj) new JacksonCodec().parse(response.body().getBytes(StandardCharsets.UTF_8));
  }
}
