package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@Tag("long")
@DisplayName("A host whose ledger is in a file and which is killed again and again under load")
@Timeout(400)
class KilledHostTest {
  private static final int KILLS = HostProcess.kills(20);
  private static final int CALLERS = 4;
  private static final int AFFORDABLE = 1500;
  private static final BigDecimal PRICE = new BigDecimal("0.0002");
  private static final String KEY = "sk-killed-0123456789";
  private static final String ADMIN = "sk-admin-0123456789";
  private static final String REQUEST =
      """
      { "model": "acme/large", "max_tokens": 100, "messages": [ { "role": "user", "content": "Hello" } ] }
      """;

  @TempDir private Path folder;
  private final SimulatedUpstream upstream = SimulatedUpstream.start(new SystemAmbient());
  private final AtomicInteger dispatched = new AtomicInteger();
  private final Queue<String> answered = new ConcurrentLinkedQueue<>();
  private Path config;

  @BeforeEach
  void writeConfig() throws IOException {
    Script hundredTokens = Script.builder().tokens(10, 100).build();
    upstream.respond(
        "large",
        request -> {
          dispatched.incrementAndGet();
          return hundredTokens;
        });
    config = folder.resolve("gateway.json");
    Files.writeString(
        config,
        """
        { "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" } ],
          "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
            "pricing": { "completion": "0.000002" } } ] } ],
          "keys": [ { "name": "killed", "key": "%s", "limit": %s },
                    { "name": "admin", "key": "%s", "management": true } ] }
        """
            .formatted(
                upstream.baseUri(), KEY, PRICE.multiply(BigDecimal.valueOf(AFFORDABLE)), ADMIN));
  }

  @AfterEach
  void stop() {
    upstream.close();
  }

  @Test
  @DisplayName(
      "loses no bill, counts none twice, and serves exactly as many answers as the limit pays for")
  void killed() throws Exception {
    var random = new Random(6);
    for (int i = 0; i < KILLS; i++) {
      serveAndKill(1 + random.nextInt(40));
    }
    try (HostProcess host = HostProcess.start(config, folder.resolve("data"))) {
      int counted = usage(host).divideToIntegralValue(PRICE).intValueExact();
      assertThat(usage(host))
          .as("the usage is a multiple of the price")
          .isEqualByComparingTo(cost(counted));
      assertThat(counted).isBetween(answered.size(), dispatched.get());
      for (String generation : answered) {
        assertThat(host.get("/generation?id=" + generation, KEY).statusCode())
            .as(generation)
            .isEqualTo(200);
      }
      int more = 0;
      int status = 200;
      while (status == 200 || status == 503) { // the store may be slow on a busy machine
        status = host.post("/chat/completions", KEY, REQUEST).statusCode();
        more += status == 200 ? 1 : 0;
      }
      assertThat(counted + more).as("all answers that were charged").isEqualTo(AFFORDABLE);
      assertThat(usage(host)).isEqualByComparingTo(cost(AFFORDABLE));
    }
  }

  /** Starts a host and kills it after this many answers, while other requests are in progress. */
  private void serveAndKill(int answers) throws Exception {
    try (HostProcess host = HostProcess.start(config, folder.resolve("data"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var enough = new CountDownLatch(answers);
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        callers.add(threads.submit(() -> call(host, enough)));
      }
      enough.await();
      host.kill();
      for (Future<?> caller : callers) {
        caller.get();
      }
    }
  }

  private void call(HostProcess host, CountDownLatch enough) {
    try {
      while (true) {
        HttpResponse<String> answer = host.post("/chat/completions", KEY, REQUEST);
        if (answer.statusCode() == 503) {
          continue; // the store may be slow on a busy machine
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        answered.add(answer.headers().firstValue("X-Generation-Id").orElseThrow());
        enough.countDown();
      }
    } catch (IOException killed) {
      // expected: the host was killed
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      while (enough.getCount() > 0) {
        enough.countDown(); // a caller that fails must not keep the test waiting
      }
    }
  }

  private static BigDecimal cost(int answers) {
    return PRICE.multiply(BigDecimal.valueOf(answers));
  }

  private static BigDecimal usage(HostProcess host) throws Exception {
    String hash = Authenticator.id(new Credential(KEY)).hex();
    HttpResponse<String> answer = host.get("/keys/" + hash, ADMIN);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Json.Obj body =
        (Json.Obj) new JacksonCodec().parse(answer.body().getBytes(StandardCharsets.UTF_8));
    Json.Obj data = Objects.requireNonNull(body.object("data"));
    return new BigDecimal(Objects.requireNonNull(data.get("usage")).toString());
  }
}
