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

@DisplayName("The workers on batches")
class BatchWorkersTest {
  private static final String KEY = "sk-app-0123456789";
  private static final String OTHER = "sk-other-0123456789";
  private static final Duration KEPT = Duration.ofHours(1);
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
          new BatchSettings(2, Duration.ofMinutes(1), 0.5, KEPT, 100));
  private final BatchWorkers workers = new BatchWorkers(batches);
  private final Front front = new Front();

  /** Whatever is asked costs nothing at one provider, unless a caller is poor. */
  private static final class FreeQuotes implements PriceQuotes {
    private volatile @Nullable KeyId poor;

    @Override
    public Quote of(Caller caller, InferenceRequest request) {
      return new Quote(Charge.ZERO, Charge.ZERO, "a");
    }

    @Override
    public @Nullable GatewayError shortfall(Caller caller, Charge all) {
      return caller.key().equals(poor) ? GatewayError.of(ErrorCode.PAYMENT_REQUIRED) : null;
    }

    @Override
    public boolean isExhausted(Caller caller) {
      return false;
    }
  }

  /** Reads what it is told to, and refuses every request after it billed a part of it. */
  private static final class Front implements BatchRequestHandler {
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private Usd billed = Usd.ZERO;
    private @Nullable GatewayError firstJudged; // how the first time ends that it is judged
    private volatile Runnable onRead = () -> {};
    private volatile @Nullable Function<String, ItemAnswer> answering; // of what the body says

    @Override
    public InferenceRequest read(
        Caller caller,
        BatchEndpoint endpoint,
        byte[] body,
        UnaryOperator<ProviderPreferences> preferences) {
      GatewayError error = firstJudged;
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
      Function<String, ItemAnswer> other = answering;
      if (other != null) {
        return other.apply(new String(body, StandardCharsets.UTF_8));
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
            .formatted(KEY, OTHER);
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
  private SavedBatch created() {
    return created(caller(KEY), "hi", 1);
  }

  private Caller caller(String key) {
    return accounts.authenticator().admit("Bearer " + key, KeyRequirement.INFERENCE);
  }

  /** Creates a batch of some requests that say the same. */
  private SavedBatch created(Caller by, String says, int requests) {
    batches.setRequestHandler(front);
    Json.Obj head =
        Json.object()
            .put("endpoint", "/v1/chat/completions")
            .put("model", "a/m")
            .put("requests", Json.array())
            .build();
    Json.Obj message = Json.object().put("role", "user").put("content", says).build();
    Json.Obj body = Json.object().put("messages", Json.array(List.of(message))).build();
    try (var upload = batches.receive(by, new BatchDecoder(), new Problems())) {
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
    long patience = System.nanoTime() + 20_000_000_000L;
    SavedBatch batch = find(id);
    while (batch.status() != status && System.nanoTime() - patience < 0) {
      Thread.onSpinWait();
      batch = find(id);
    }
    assertThat(batch.status()).isEqualTo(status);
    return batch;
  }

  @Test
  @DisplayName("do not try again what was billed in part: its answer would be free")
  void billedInPart() {
    front.billed = new Usd(7);
    SavedBatch over = await(created().id(), BatchStatus.COMPLETED);
    assertThat(front.answers).hasValue(1);
    List<AnsweredRequest> results = batches.results(over, 0, 1000);
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().result().completed()).isFalse();
    assertThat(results.getFirst().result().usageAndCost().billedNanos()).isEqualTo(7);
  }

  @Test
  @DisplayName("try again later what could not be paid and cost nothing")
  void unpaid() {
    SavedBatch batch = created();
    await(batch.id(), BatchStatus.IN_PROGRESS);
    passTimeUntil(() -> front.answers.get() == 2);
    SavedBatch over = await(batch.id(), BatchStatus.COMPLETED);
    assertThat(batches.results(over, 0, 1000).getFirst().result().completed()).isTrue();
  }

  private static ItemAnswer answer() {
    return new ItemAnswer("{}".getBytes(StandardCharsets.UTF_8), null, null);
  }

  private static ItemAnswer unpayable() {
    return new ItemAnswer(null, GatewayError.of(ErrorCode.PAYMENT_REQUIRED), null);
  }

  private static void awaitThat(BooleanSupplier what) {
    long patience = System.nanoTime() + 20_000_000_000L;
    while (!what.getAsBoolean() && System.nanoTime() - patience < 0) {
      Thread.onSpinWait();
    }
    assertThat(what.getAsBoolean()).isTrue();
  }

  /** Time waits for who looks for work: else a batch expires before a busy machine began it. */
  private void passTimeUntil(BooleanSupplier what) {
    long patience = System.nanoTime() + 20_000_000_000L;
    while (!what.getAsBoolean() && System.nanoTime() - patience < 0) {
      ambient.awaitSleep("batches");
      ambient.advance(BatchWorkers.POLL_INTERVAL);
      LockSupport.parkNanos(1_000_000); // for those who work, whom nobody waits for here
    }
    assertThat(what.getAsBoolean()).isTrue();
  }

  @Test
  @DisplayName("try none of a batch for half a minute whose cheapest request cannot be paid")
  void nothingLeft() {
    var refused = new AtomicInteger();
    front.answering =
        body -> {
          if (!body.contains("poor")) {
            return answer();
          }
          refused.incrementAndGet();
          return unpayable();
        };
    Caller poor = caller(KEY);
    quotes.poor = poor.key();
    SavedBatch unpaid = createdWhilePaid(poor);
    await(unpaid.id(), BatchStatus.IN_PROGRESS);
    awaitThat(() -> refused.get() > 0);
    SavedBatch paid = created(caller(OTHER), "rich", 20);
    await(paid.id(), BatchStatus.COMPLETED);
    awaitThat(() -> workers.requestsInFlight() == 0);
    ambient.awaitSleep("batches");
    assertThat(refused.get()).as("no more than were under way at once").isBetween(1, 2);
    quotes.poor = null;
    front.answering = body -> answer();
    ambient.advance(Duration.ofSeconds(29));
    ambient.awaitSleep("batches");
    assertThat(find(unpaid.id()).counts().completed()).isZero();
    ambient.advance(Duration.ofSeconds(1));
    await(unpaid.id(), BatchStatus.COMPLETED);
    assertThat(find(unpaid.id()).counts().completed()).isEqualTo(20);
  }

  /** A batch is only accepted while all of it can be paid. */
  private SavedBatch createdWhilePaid(Caller by) {
    KeyId poor = quotes.poor;
    quotes.poor = null;
    SavedBatch batch = created(by, "poor", 20);
    quotes.poor = poor;
    return batch;
  }

  @Test
  @DisplayName("go on with the other requests where only a dear one cannot be paid")
  void oneIsDear() {
    var asked = new AtomicInteger();
    front.answering = body -> asked.incrementAndGet() == 1 ? unpayable() : answer();
    SavedBatch batch = created(caller(KEY), "hi", 5);
    awaitThat(() -> find(batch.id()).counts().completed() == 4);
    assertThat(asked).hasValue(5);
  }

  @Test
  @DisplayName("leave a worker that becomes free to a workspace that has none")
  void fair() {
    var waiting = new LinkedBlockingQueue<CountDownLatch>();
    var order = new CopyOnWriteArrayList<String>();
    front.answering =
        body -> {
          order.add(body.contains("slow") ? "slow" : "quick");
          if (body.contains("slow")) {
            var latch = new CountDownLatch(1);
            waiting.add(latch);
            awaitUninterruptibly(latch);
          }
          return answer();
        };
    SavedBatch slow = created(caller(KEY), "slow", 6);
    awaitThat(() -> order.size() == 2); // nobody else has anything: all workers
    Caller elsewhere =
        caller(OTHER).withOwner("00000000-0000-4000-8000-000000000009", Caller.DEFAULT_USER);
    SavedBatch quick = created(elsewhere, "quick", 3);
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
  @DisplayName("end while a batch is judged, and give it back as it was")
  void endWhileJudged() throws Exception {
    var closer = new AtomicReference<@Nullable Thread>();
    front.onRead =
        () -> {
          if (front.reads.get() == 6) { // the first that is judged
            Thread thread = Thread.ofVirtual().start(workers::close);
            closer.set(thread);
            awaitThat(() -> thread.getState() == Thread.State.WAITING);
          }
        };
    SavedBatch batch = created(caller(KEY), "hi", 5);
    awaitThat(() -> closer.get() != null);
    Objects.requireNonNull(closer.get()).join();
    assertThat(front.reads).as("five received, one judged").hasValue(6);
    assertThat(find(batch.id()).status()).isEqualTo(BatchStatus.VALIDATING);
    Instant now = ambient.now();
    assertThat(stores.batches().queue().leaseStep(now, now.plusSeconds(1))).isNotNull();
  }

  @Test
  @DisplayName(
      "judge a batch again where it was the gateway that could not, and fail it for nothing")
  void unavailableWhileJudged() {
    front.firstJudged = GatewayError.of(ErrorCode.UNAVAILABLE);
    SavedBatch batch = created();
    passTimeUntil(() -> find(batch.id()).status() != BatchStatus.VALIDATING);
    assertThat(find(batch.id()).status()).isNotEqualTo(BatchStatus.FAILED);
    assertThat(front.reads.get()).isGreaterThan(2);
  }

  @Proves("open.79")
  @Test
  @DisplayName("end a batch after 24 hours: what was not answered has an error that says so")
  void expires() {
    front.answering = body -> body.contains("hi") ? unpayable() : answer();
    SavedBatch batch = created(caller(KEY), "hi", 2);
    await(batch.id(), BatchStatus.IN_PROGRESS);
    ambient.awaitSleep("batches");
    ambient.advance(Duration.ofHours(24).minusSeconds(1));
    ambient.awaitSleep("batches");
    assertThat(find(batch.id()).status()).isEqualTo(BatchStatus.IN_PROGRESS);
    ambient.advance(Duration.ofSeconds(1));
    SavedBatch over = await(batch.id(), BatchStatus.EXPIRED);
    assertThat(over.toJson().text("status")).isEqualTo("expired");
    List<AnsweredRequest> results = batches.results(over, 0, 1000);
    assertThat(results).hasSize(2);
    for (AnsweredRequest answered : results) {
      assertThat(answered.result().completed()).isFalse();
      assertThat(new String(answered.result().body(), StandardCharsets.UTF_8))
          .contains("\"type\":\"batch_expired\"");
    }
  }

  @Proves("resources.batch.retention")
  @Test
  @DisplayName("remove what a batch said once it was kept as long as configured")
  void retention() {
    front.answering = body -> answer();
    SavedBatch batch = await(created().id(), BatchStatus.COMPLETED);
    ambient.awaitSleep("batches");
    ambient.advance(KEPT.minusSeconds(1));
    ambient.awaitSleep("batches");
    assertThat(find(batch.id()).isRemoved()).isFalse();
    ambient.advance(Duration.ofSeconds(1));
    awaitThat(() -> find(batch.id()).isRemoved());
    awaitThat(() -> find(batch.id()).isContentDeleted());
    assertThat(batches.results(find(batch.id()), 0, 1000)).isEmpty();
  }
}
