package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.store.ForwardingStores;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A batch whose node is cut off from its store at any step")
@Timeout(280)
class BatchCrashTest {
  private static final int REQUESTS = 3;

  /** 10 tokens at $1 and 5 at $2 per million, halved. */
  private static final BigDecimal PRICE = new BigDecimal("0.00001");

  private static final EmptyStores STORES = new EmptyStores();

  @TempDir private Path folder;

  @AfterAll
  static void stop() throws IOException {
    STORES.close();
  }

  @Test
  @DisplayName(
      "is continued by another node, with one result and one bill for each request (in memory)")
  void memory() throws Exception {
    cutAtEveryCall(EmptyStores.Kind.MEMORY, 2);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(
      value = EmptyStores.Kind.class,
      names = {"FILE", "POSTGRES"})
  @DisplayName("is continued by another node, with one result and one bill for each request")
  void durable(EmptyStores.Kind kind) throws Exception {
    cutAtEveryCall(kind, 100 / Math.clamp(Integer.getInteger("strowger.effort", 100), 1, 100));
  }

  private void cutAtEveryCall(EmptyStores.Kind kind, int stride) throws Exception {
    int calls = 0;
    boolean cut = true;
    while (cut) {
      for (boolean executes : new boolean[] {false, true}) {
        cut = cutAndContinue(kind, calls, executes);
      }
      calls += stride;
    }
    assertThat(calls).as("store calls until the batch has ended").isGreaterThan(10);
  }

  /**
   * Runs one batch: its node is cut off after some calls of the store, and another node continues.
   *
   * @param executes whether the store executes the call at which the node is cut off; the node gets
   *     an exception in either case
   * @return whether the node was cut off before the batch had ended
   */
  private boolean cutAndContinue(EmptyStores.Kind kind, int calls, boolean executes)
      throws Exception {
    TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    Path data = folder.resolve(kind + "-" + calls + "-" + executes);
    try (SimulatedUpstream upstream = SimulatedUpstream.start(TestAmbient.realTime());
        Stores stores = STORES.open(kind, data, TestAmbient.realTime())) {
      upstream.script("chat", Script.builder().text("hello").tokens(10, 5).build());
      var first = new Node(stores, ambient, upstream);
      String id = first.create();
      first.cutAfter(calls, executes);
      first.startWorker();
      boolean cut = first.await(id);
      first.close();
      // the stores take both gateways for one node: neither ledger learns what the other charged
      BigDecimal before = first.paid();
      ambient.advance(Duration.ofMinutes(3)); // until the leases of the first node have expired
      try (var second = new Node(stores, ambient, upstream)) {
        second.startWorker();
        second.await(id);
        second.assertCompleted(
            id, before, kind + " cut after " + calls + (executes ? ", call executed" : ""));
      }
      return cut;
    }
  }

  /** A gateway that can be cut off from the store of batches. */
  private static final class Node implements AutoCloseable {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Gateway gateway;
    private final AtomicInteger remainingCalls = new AtomicInteger(NEVER);
    private volatile int cutAtCall = NEVER;
    private volatile boolean executesLastCall;

    /**
     * Holds the worker back until the calls are counted; otherwise it might be done before that.
     */
    private final CountDownLatch workerMayStart = new CountDownLatch(1);

    Node(Stores stores, TestAmbient ambient, SimulatedUpstream upstream) {
      String config =
          """
          {'providers':[{'slug':'alpha','protocol':'openai-chat','base_url':'%s'}],
           'batches':{'workers':1,'lease_seconds':60},
           'models':[{'id':'acme/chat','endpoints':[{'provider':'alpha','upstream_model':'chat',
             'pricing':{'prompt':'0.000001','completion':'0.000002'}}]}],
           'keys':[{'name':'app','key':'sk-app'}]}
          """
              .formatted(upstream.baseUri())
              .replace('\'', '"');
      gateway =
          Gateway.builder(
                  ConfigReader.standard().read(config.getBytes(StandardCharsets.UTF_8)).orThrow())
              .provider(new OpenAiChatFactory())
              .ambient(ambient)
              .stores(
                  new StoresWithBatches(stores, proxy(BatchStore.class, stores.batches(), stores)))
              .build();
    }

    /** Returns a proxy of the store or its queue that counts the calls and can be cut off. */
    private <T> T proxy(Class<T> type, T real, Stores stores) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (self, method, arguments) -> {
                if (method.getName().equals("queue")) {
                  return proxy(BatchQueue.class, stores.batches().queue(), stores);
                }
                if (isReading(method.getName())) {
                  return call(real, method, arguments);
                }
                if (type == BatchQueue.class) {
                  workerMayStart.await();
                }
                int before =
                    remainingCalls.getAndUpdate(now -> now == NEVER ? now : Math.max(0, now - 1));
                if (before > 1 || before == NEVER) {
                  return call(real, method, arguments);
                }
                if (before == 1 && executesLastCall) {
                  call(real, method, arguments);
                }
                throw new StoreUnavailableException("cut off", null);
              }));
    }

    /** Returns whether a method only reads, as the requests of the test do. */
    private static boolean isReading(String method) {
      return Set.of("find", "list", "results").contains(method);
    }

    private static @Nullable Object call(
        Object real, java.lang.reflect.Method method, Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw Objects.requireNonNull(e.getCause());
      }
    }

    void cutAfter(int calls, boolean executes) {
      executesLastCall = executes;
      cutAtCall = calls + 1;
    }

    void startWorker() {
      remainingCalls.set(cutAtCall);
      workerMayStart.countDown();
    }

    String create() {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < REQUESTS; i++) {
        requests
            .append(i == 0 ? "" : ",")
            .append("{'custom_id':'c")
            .append(i)
            .append("','body':{'messages':[{'role':'user','content':'hi'}]}}");
      }
      Json.Obj batch =
          send(
              "POST",
              "/batches",
              "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':["
                  + requests
                  + "]}");
      return Objects.requireNonNull(batch.text("id"), batch::toString);
    }

    /** Waits until the batch has ended (false), or the node is cut off (true). */
    boolean await(String id) throws InterruptedException {
      while (true) {
        if (Thread.interrupted()) { // the test has timed out
          throw new InterruptedException("waited for batch " + id);
        }
        if (remainingCalls.get() == 0) {
          return true;
        }
        if (send("GET", "/batches/" + id, "").has("results")) {
          return false;
        }
        Thread.onSpinWait();
      }
    }

    BigDecimal paid() {
      return account().settled().credits().json().decimal();
    }

    private Ledger.Balance account() {
      return gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
    }

    void assertCompleted(String id, BigDecimal before, String testCase) {
      Json.Obj batch = send("GET", "/batches/" + id, "");
      assertThat(batch.text("status")).as(testCase).isEqualTo("completed");
      Set<String> answered = new HashSet<>();
      for (Json result : Objects.requireNonNull(batch.list("results"))) {
        assertThat(((Json.Obj) result).object("response"))
            .as("%s: %s", testCase, result)
            .isNotNull();
        answered.add(Objects.requireNonNull(((Json.Obj) result).text("custom_id")));
      }
      assertThat(answered).as(testCase).hasSize(REQUESTS);
      BigDecimal cost = PRICE.multiply(BigDecimal.valueOf(REQUESTS));
      assertThat(paid().add(before)).as(testCase).isEqualByComparingTo(cost);
      assertThat(account().held()).as(testCase).isEqualTo(Charge.ZERO);
      Json.Obj usage = Objects.requireNonNull(batch.object("usage"));
      assertThat(new BigDecimal(String.valueOf(usage.get("cost"))))
          .as(testCase)
          .isEqualByComparingTo(cost);
    }

    private Json.Obj send(String method, String path, String body) {
      WireResponse response =
          gateway
              .wire()
              .handle(
                  new WireRequest(
                      method,
                      path,
                      "",
                      name -> name.equalsIgnoreCase("Authorization") ? "Bearer sk-app" : null,
                      new ByteArrayInputStream(
                          body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                      new Cancellation()));
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
        return (Json.Obj) new JacksonCodec().parse(out.toByteArray());
      } catch (Exception broken) {
        throw new IllegalStateException(broken);
      }
    }

    @Override
    public void close() {
      workerMayStart.countDown();
      gateway.close();
    }
  }

  /** Stores with another store of batches. */
  private static final class StoresWithBatches extends ForwardingStores {
    private final BatchStore batches;

    StoresWithBatches(Stores stores, BatchStore batches) {
      super(stores);
      this.batches = batches;
    }

    @Override
    public BatchStore batches() {
      return batches;
    }
  }
}
