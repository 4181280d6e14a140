package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
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
  @DisplayName("goes on where it was, every request with one result and one bill (in memory)")
  void memory() throws Exception {
    every(EmptyStores.Kind.MEMORY, 2);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(
      value = EmptyStores.Kind.class,
      names = {"FILE", "SERVER"})
  @DisplayName("goes on where it was, every request with one result and one bill")
  void durable(EmptyStores.Kind kind) throws Exception {
    every(kind, 100 / Math.clamp(Integer.getInteger("strowger.effort", 100), 1, 100));
  }

  private void every(EmptyStores.Kind kind, int stride) throws Exception {
    int calls = 0;
    boolean cut = true;
    while (cut) {
      for (boolean done : new boolean[] {false, true}) {
        cut = lives(kind, calls, done);
      }
      calls += stride;
    }
    assertThat(calls).as("calls of a batch's life").isGreaterThan(10);
  }

  /**
   * One batch: its node is cut off after some calls, and another one goes on.
   *
   * @param done the last call is done, and nobody hears of it
   * @return whether the node was cut off before the batch was over
   */
  private boolean lives(EmptyStores.Kind kind, int calls, boolean done) throws Exception {
    TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    Path own = folder.resolve(kind + "-" + calls + "-" + done);
    try (SimulatedUpstream upstream = SimulatedUpstream.start(TestAmbient.realTime());
        Stores stores = STORES.open(kind, own, TestAmbient.realTime())) {
      upstream.script("chat", Script.builder().text("hello").tokens(10, 5).build());
      var first = new Node(stores, ambient, upstream);
      String id = first.create();
      first.cutAfter(calls, done);
      first.goOn();
      boolean cut = first.await(id);
      first.close();
      // both gateways are one node to their stores: neither is told what the other spent
      BigDecimal before = first.paid();
      ambient.advance(Duration.ofMinutes(3)); // leases of the first are over, and one more
      try (var second = new Node(stores, ambient, upstream)) {
        second.goOn();
        second.await(id);
        second.assertWhole(id, before, kind + " cut after " + calls + (done ? ", done" : ""));
      }
      return cut;
    }
  }

  /** A gateway whose way to the batches can be cut. */
  private static final class Node implements AutoCloseable {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Gateway gateway;
    private final AtomicInteger left = new AtomicInteger(NEVER);
    private volatile int after = NEVER;
    private volatile boolean done;

    /** Nobody works on a batch before: else the worker may be through when calls are counted. */
    private final CountDownLatch going = new CountDownLatch(1);

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
              .stores(new Cut(stores, proxy(BatchStore.class, stores.batches(), stores)))
              .build();
    }

    /** The batches, each call counted. */
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
                  going.await();
                }
                int before = left.getAndUpdate(now -> now == NEVER ? now : Math.max(0, now - 1));
                if (before > 1 || before == NEVER) {
                  return call(real, method, arguments);
                }
                if (before == 1 && done) {
                  call(real, method, arguments);
                }
                throw new StoreUnavailableException("cut off", null);
              }));
    }

    /** What the test itself asks, through the interface. */
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

    void cutAfter(int calls, boolean isDone) {
      done = isDone;
      after = calls + 1;
    }

    void goOn() {
      left.set(after);
      going.countDown();
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
      Json.Obj made =
          send(
              "POST",
              "/batches",
              "{'endpoint':'/v1/chat/completions','model':'acme/chat','requests':["
                  + requests
                  + "]}");
      return Objects.requireNonNull(made.text("id"), made::toString);
    }

    /** Waits until the batch is over, or the node is cut off; true when it is. */
    boolean await(String id) throws InterruptedException {
      while (true) {
        if (Thread.interrupted()) { // its time is over, and a store answers no more
          throw new InterruptedException("waited for batch " + id);
        }
        if (left.get() == 0) {
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

    void assertWhole(String id, BigDecimal before, String where) {
      Json.Obj batch = send("GET", "/batches/" + id, "");
      assertThat(batch.text("status")).as(where).isEqualTo("completed");
      Set<String> answered = new HashSet<>();
      for (Json result : Objects.requireNonNull(batch.list("results"))) {
        assertThat(((Json.Obj) result).object("response")).as("%s: %s", where, result).isNotNull();
        answered.add(Objects.requireNonNull(((Json.Obj) result).text("custom_id")));
      }
      assertThat(answered).as(where).hasSize(REQUESTS);
      BigDecimal cost = PRICE.multiply(BigDecimal.valueOf(REQUESTS));
      assertThat(paid().add(before)).as(where).isEqualByComparingTo(cost);
      assertThat(account().held()).as(where).isEqualTo(Charge.ZERO);
      Json.Obj usage = Objects.requireNonNull(batch.object("usage"));
      assertThat(new BigDecimal(String.valueOf(usage.get("cost"))))
          .as(where)
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
      try (WireBody told = response.body()) {
        told.transferTo(out);
        return (Json.Obj) new JacksonCodec().parse(out.toByteArray());
      } catch (Exception broken) {
        throw new IllegalStateException(broken);
      }
    }

    @Override
    public void close() {
      going.countDown();
      gateway.close();
    }
  }

  /** The same stores with other batches. */
  private record Cut(Stores of, BatchStore batches) implements Stores {
    @Override
    public DocumentStore documents() {
      return of.documents();
    }

    @Override
    public LedgerStore ledger() {
      return of.ledger();
    }

    @Override
    public GenerationStore generations() {
      return of.generations();
    }

    @Override
    public AuditStore audit() {
      return of.audit();
    }

    @Override
    public void close() {
      of.close();
    }
  }
}
