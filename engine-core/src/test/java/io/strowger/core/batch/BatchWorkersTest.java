package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.administration.AccountState;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.batch.BatchRequestHandler.ItemAnswer;
import io.strowger.core.config.BatchSettings;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decode.Problems;
import io.strowger.core.inference.BatchItem;
import io.strowger.core.inference.PriceQuotes;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The workers for batches")
class BatchWorkersTest {
  private static final String KEY = "sk-app-0123456789";
  private static final String OTHER_KEY = "sk-other-0123456789";
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final InferenceRequest REQUEST =
      InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).build();

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryStores stores = new MemoryStores();
  private final StoreWatch watch = new StoreWatch(stores.documents(), ambient);
  private final AccountState accounts = accounts();
  private final FreeQuotes quotes = new FreeQuotes();
  private final Batches batches =
      new Batches(
          stores.batches(),
          accounts,
          quotes,
          ambient,
          new BatchSettings(2, Duration.ofMinutes(1), 0.5, RETENTION, 100));
  private final BatchWorkers workers = new BatchWorkers(batches);
  private final ScriptedHandler handler = new ScriptedHandler();

  /** Quotes that cost nothing, except that one key may be unable to pay. */
  private static final class FreeQuotes implements PriceQuotes {
    private volatile @Nullable KeyId insolvent;

    @Override
    public Quote of(Caller caller, InferenceRequest request) {
      return new Quote(Charge.ZERO, Charge.ZERO, "a");
    }

    @Override
    public @Nullable GatewayError shortfall(Caller caller, Charge total) {
      return caller.key().equals(insolvent) ? GatewayError.of(ErrorCode.PAYMENT_REQUIRED) : null;
    }

    @Override
    public boolean isExhausted(Caller caller) {
      return false;
    }
  }

  /**
   * A handler whose first answer is a refusal, after it billed a part of the request, and whose
   * later answers succeed, unless {@code answering} is set.
   */
  private static final class ScriptedHandler implements BatchRequestHandler {
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private Usd billed = Usd.ZERO;
    private @Nullable GatewayError firstCheckError; // thrown when the batch is first checked
    private volatile Runnable onRead = () -> {};
    private volatile @Nullable Function<String, ItemAnswer> answering; // by the text of the body

    @Override
    public InferenceRequest read(
        Caller caller,
        BatchEndpoint endpoint,
        byte[] body,
        UnaryOperator<ProviderPreferences> preferences) {
      GatewayError error = firstCheckError;
      if (reads.incrementAndGet() == 2 && error != null) {
        throw error.toException();
      }
      onRead.run();
      return REQUEST;
    }

    @Override
    public ItemAnswer answer(
        Caller caller,
        BatchEndpoint endpoint,
        byte[] body,
        UnaryOperator<ProviderPreferences> preferences,
        BatchItem item,
        Cancellation cancellation) {
      Function<String, ItemAnswer> script = answering;
      if (script != null) {
        return script.apply(new String(body, StandardCharsets.UTF_8));
      }
      boolean first = answers.incrementAndGet() == 1;
      assertThat(item.claimBilling(new BatchItem.PartialBill(billed, billed, false))).isTrue();
      return first
          ? new ItemAnswer(null, GatewayError.of(ErrorCode.PAYMENT_REQUIRED), null)
          : new ItemAnswer("{}".getBytes(StandardCharsets.UTF_8), null, null);
    }
  }

  private AccountState accounts() {
    String file =
        """
        { "providers": [ { "slug": "a", "protocol": "simulated", "base_url": "http://a.test" } ],
          "models": [ { "id": "a/m", "endpoints": [ { "provider": "a" } ] } ],
          "keys": [ { "name": "app", "key": "%s" }, { "name": "other", "key": "%s" } ] }
        """
            .formatted(KEY, OTHER_KEY);
    return AccountState.open(
        watch,
        ambient,
        new AccountState.Secrets(byte[]::new, SecretKeySource.NONE),
        ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow());
  }

  @AfterEach
  void noThreads() {
    workers.close();
    watch.close();
    ambient.assertNoThreadsLeft();
  }

  /** Creates a batch of one request. */
  private SavedBatch create() {
    return create(caller(KEY), "hi", 1);
  }

  private Caller caller(String key) {
    return accounts.authenticator().admit("Bearer " + key, KeyRequirement.INFERENCE);
  }

  /** Creates a batch of requests with the same message. */
  private SavedBatch create(Caller caller, String text, int requests) {
    batches.setRequestHandler(handler);
    Json.Obj head =
        Json.object()
            .put("endpoint", "/v1/chat/completions")
            .put("model", "a/m")
            .put("requests", Json.array())
            .build();
    Json.Obj message = Json.object().put("role", "user").put("content", text).build();
    Json.Obj body = Json.object().put("messages", Json.array(List.of(message))).build();
    try (var upload = batches.receive(caller, BatchDecoder.MAX_REQUESTS, new Problems())) {
      upload.begin(head);
      for (int i = 0; i < requests; i++) {
        upload.addRequest(Json.object().put("custom_id", "c" + i).put("body", body).build());
      }
      return upload.create(head);
    }
  }

  private SavedBatch find(String id) {
    return new SavedBatch(Objects.requireNonNull(stores.batches().find(id), id));
  }

  private SavedBatch await(String id, BatchStatus status) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    SavedBatch batch = find(id);
    while (batch.status() != status && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
      batch = find(id);
    }
    assertThat(batch.status()).isEqualTo(status);
    return batch;
  }

  @Test
  @DisplayName("do not retry a request that was billed in part, since its answer would be free")
  void billedInPart() {
    handler.billed = new Usd(7);
    SavedBatch ended = await(create().id(), BatchStatus.COMPLETED);
    assertThat(handler.answers).hasValue(1);
    List<AnsweredRequest> results = batches.results(ended, 0, 1000);
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().result().completed()).isFalse();
    assertThat(results.getFirst().result().usageAndCost().billedNanoUsd()).isEqualTo(7);
  }

  @Test
  @DisplayName("retry a request later that was refused for lack of credits and not billed")
  void unpaid() {
    SavedBatch batch = create();
    await(batch.id(), BatchStatus.IN_PROGRESS);
    advanceUntil(() -> handler.answers.get() == 2);
    SavedBatch ended = await(batch.id(), BatchStatus.COMPLETED);
    assertThat(batches.results(ended, 0, 1000).getFirst().result().completed()).isTrue();
  }

  private static ItemAnswer answer() {
    return new ItemAnswer("{}".getBytes(StandardCharsets.UTF_8), null, null);
  }

  private static ItemAnswer paymentRequired() {
    return new ItemAnswer(null, GatewayError.of(ErrorCode.PAYMENT_REQUIRED), null);
  }

  private static void awaitThat(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  /**
   * Advances the clock until a condition holds. Waits each time until the workers sleep: otherwise
   * a batch could expire on a busy machine before it has begun.
   */
  private void advanceUntil(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
      ambient.awaitSleep("batches");
      ambient.advance(BatchWorkers.POLL_INTERVAL);
      LockSupport.parkNanos(1_000_000); // gives running requests some time
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  @DisplayName("pause a batch for half a minute if the caller cannot pay its cheapest request")
  void nothingLeft() {
    var refused = new AtomicInteger();
    handler.answering =
        body -> {
          if (!body.contains("poor")) {
            return answer();
          }
          refused.incrementAndGet();
          return paymentRequired();
        };
    Caller insolvent = caller(KEY);
    quotes.insolvent = insolvent.key();
    SavedBatch unpaid = createWhileSolvent(insolvent);
    await(unpaid.id(), BatchStatus.IN_PROGRESS);
    awaitThat(() -> refused.get() > 0);
    SavedBatch paid = create(caller(OTHER_KEY), "rich", 20);
    await(paid.id(), BatchStatus.COMPLETED);
    awaitThat(() -> workers.requestsInFlight() == 0);
    ambient.awaitSleep("batches");
    assertThat(refused.get()).as("no more than the workers at the same time").isBetween(1, 2);
    quotes.insolvent = null;
    handler.answering = body -> answer();
    ambient.advance(Duration.ofSeconds(29));
    ambient.awaitSleep("batches");
    assertThat(find(unpaid.id()).counts().completed()).isZero();
    ambient.advance(Duration.ofSeconds(1));
    await(unpaid.id(), BatchStatus.COMPLETED);
    assertThat(find(unpaid.id()).counts().completed()).isEqualTo(20);
  }

  /** Creates a batch while its caller can pay, since a batch is only accepted then. */
  private SavedBatch createWhileSolvent(Caller caller) {
    KeyId insolvent = quotes.insolvent;
    quotes.insolvent = null;
    SavedBatch batch = create(caller, "poor", 20);
    quotes.insolvent = insolvent;
    return batch;
  }

  @Test
  @DisplayName("continue with the other requests if only an expensive one cannot be paid")
  void oneIsExpensive() {
    var asked = new AtomicInteger();
    handler.answering = body -> asked.incrementAndGet() == 1 ? paymentRequired() : answer();
    SavedBatch batch = create(caller(KEY), "hi", 5);
    awaitThat(() -> find(batch.id()).counts().completed() == 4);
    assertThat(asked).hasValue(5);
  }

  @Test
  @DisplayName("give a free worker to a workspace that has none")
  void fair() {
    var waiting = new LinkedBlockingQueue<CountDownLatch>();
    var order = new CopyOnWriteArrayList<String>();
    handler.answering =
        body -> {
          order.add(body.contains("slow") ? "slow" : "quick");
          if (body.contains("slow")) {
            var latch = new CountDownLatch(1);
            waiting.add(latch);
            awaitUninterruptibly(latch);
          }
          return answer();
        };
    SavedBatch slow = create(caller(KEY), "slow", 6);
    awaitThat(() -> order.size() == 2); // one batch has all workers
    Caller ofOtherWorkspace =
        caller(OTHER_KEY).withOwner("00000000-0000-4000-8000-000000000009", Caller.DEFAULT_USER);
    SavedBatch quick = create(ofOtherWorkspace, "quick", 3);
    await(quick.id(), BatchStatus.IN_PROGRESS);
    Objects.requireNonNull(waiting.poll()).countDown();
    await(quick.id(), BatchStatus.COMPLETED);
    assertThat(order.subList(0, 5)).containsExactly("slow", "slow", "quick", "quick", "quick");
    while (find(slow.id()).status() != BatchStatus.COMPLETED) {
      CountDownLatch next = waiting.poll();
      if (next != null) {
        next.countDown();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("can be closed while they check a batch, which they release unchanged")
  void closedWhileChecking() throws Exception {
    var closer = new AtomicReference<@Nullable Thread>();
    handler.onRead =
        () -> {
          if (handler.reads.get() == 6) { // the first read of the check
            Thread thread = Thread.ofVirtual().start(workers::close);
            closer.set(thread);
            awaitThat(() -> thread.getState() == Thread.State.WAITING);
          }
        };
    SavedBatch batch = create(caller(KEY), "hi", 5);
    awaitThat(() -> closer.get() != null);
    Objects.requireNonNull(closer.get()).join();
    assertThat(handler.reads).as("five reads at creation, one of the check").hasValue(6);
    assertThat(find(batch.id()).status()).isEqualTo(BatchStatus.VALIDATING);
    Instant now = ambient.now();
    assertThat(stores.batches().queue().leaseStep(now, now.plusSeconds(1))).isNotNull();
  }

  @Test
  @DisplayName("check a batch again if the gateway was unavailable, and do not fail it for that")
  void unavailableWhileChecking() {
    handler.firstCheckError = GatewayError.of(ErrorCode.UNAVAILABLE);
    SavedBatch batch = create();
    advanceUntil(() -> find(batch.id()).status() != BatchStatus.VALIDATING);
    assertThat(find(batch.id()).status()).isNotEqualTo(BatchStatus.FAILED);
    assertThat(handler.reads.get()).isGreaterThan(2);
  }

  @Proves("open.79")
  @Test
  @DisplayName("end a batch after 24 hours; requests without an answer get the error batch_expired")
  void expires() {
    handler.answering = body -> body.contains("hi") ? paymentRequired() : answer();
    SavedBatch batch = create(caller(KEY), "hi", 2);
    await(batch.id(), BatchStatus.IN_PROGRESS);
    ambient.awaitSleep("batches");
    ambient.advance(Duration.ofHours(24).minusSeconds(1));
    ambient.awaitSleep("batches");
    assertThat(find(batch.id()).status()).isEqualTo(BatchStatus.IN_PROGRESS);
    ambient.advance(Duration.ofSeconds(1));
    SavedBatch ended = await(batch.id(), BatchStatus.EXPIRED);
    assertThat(ended.toJson().text("status")).isEqualTo("expired");
    List<AnsweredRequest> results = batches.results(ended, 0, 1000);
    assertThat(results).hasSize(2);
    for (AnsweredRequest answered : results) {
      assertThat(answered.result().completed()).isFalse();
      assertThat(new String(answered.result().body(), StandardCharsets.UTF_8))
          .contains("\"type\":\"batch_expired\"");
    }
  }

  @Proves("resources.batch.retention")
  @Test
  @DisplayName("delete the content of a batch after the configured retention")
  void retention() {
    handler.answering = body -> answer();
    SavedBatch batch = await(create().id(), BatchStatus.COMPLETED);
    ambient.awaitSleep("batches");
    ambient.advance(RETENTION.minusSeconds(1));
    ambient.awaitSleep("batches");
    assertThat(find(batch.id()).isRemoved()).isFalse();
    ambient.advance(Duration.ofSeconds(1));
    awaitThat(() -> find(batch.id()).isRemoved());
    awaitThat(() -> find(batch.id()).isContentDeleted());
    assertThat(batches.results(find(batch.id()), 0, 1000)).isEmpty();
  }
}
