package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.account.Access;
import io.strowger.core.account.AccountState;
import io.strowger.core.account.Caller;
import io.strowger.core.config.BatchSettings;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.batch.BatchDecoder;
import io.strowger.core.decode.batch.BatchEndpoint;
import io.strowger.core.flow.BatchItem;
import io.strowger.core.flow.Quotes;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.secret.SecretKeySource;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.BatchStore.Answered;
import io.strowger.spi.store.Charge;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The workers on batches")
class BatchWorkersTest {
  private static final String KEY = "sk-app-0123456789";
  private static final InferenceRequest REQUEST =
      InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).build();

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryStores stores = new MemoryStores();
  private final StoreWatch watch = new StoreWatch(stores.documents(), ambient);
  private final AccountState accounts = accounts();
  private final Batches batches =
      new Batches(
          stores.batches(),
          accounts,
          new FreeQuotes(),
          ambient,
          new BatchSettings(2, Duration.ofMinutes(1), 0.5, Duration.ofHours(1), 100));
  private final BatchWorkers workers = new BatchWorkers(batches);
  private final Front front = new Front();

  /** Whatever is asked costs nothing at one provider. */
  private static final class FreeQuotes implements Quotes {
    @Override
    public Quote of(Caller caller, InferenceRequest request) {
      return new Quote(Charge.ZERO, "a");
    }

    @Override
    public @Nullable GatewayError shortfall(Caller caller, Charge all) {
      return null;
    }

    @Override
    public boolean isExhausted(Caller caller) {
      return false;
    }
  }

  /** Reads what it is told to, and refuses every request after it billed a part of it. */
  private static final class Front implements BatchFront {
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private Usd billed = Usd.ZERO;
    private @Nullable GatewayError firstJudged; // how the first time ends that it is judged

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
      boolean first = answers.incrementAndGet() == 1;
      assertThat(item.mayBill(new BatchItem.PartialBill(billed, billed, false))).isTrue();
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
          "keys": [ { "name": "app", "key": "%s" } ] }
        """
            .formatted(KEY);
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
    batches.serveWith(front);
    Caller app = accounts.accounts().admit("Bearer " + KEY, Access.INFERENCE);
    Json.Obj head =
        Json.object()
            .put("endpoint", "/v1/chat/completions")
            .put("model", "a/m")
            .put("requests", Json.array())
            .build();
    Json.Obj message = Json.object().put("role", "user").put("content", "hi").build();
    Json.Obj body = Json.object().put("messages", Json.array(List.of(message))).build();
    try (var upload = batches.receive(app, new BatchDecoder(), new Problems())) {
      upload.begin(head);
      upload.request(Json.object().put("custom_id", "one").put("body", body).build());
      return upload.create(head);
    }
  }

  private SavedBatch find(String id) {
    Caller app = accounts.accounts().admit("Bearer " + KEY, Access.INFERENCE);
    return batches.find(app.workspace(), id);
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
    List<Answered> results = batches.results(over, 0, 1000);
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().result().completed()).isFalse();
    assertThat(results.getFirst().result().figures().billedNanos()).isEqualTo(7);
  }

  @Test
  @DisplayName("try again later what could not be paid and cost nothing")
  void unpaid() {
    SavedBatch batch = created();
    await(batch.id(), BatchStatus.IN_PROGRESS);
    long patience = System.nanoTime() + 20_000_000_000L;
    while (find(batch.id()).status() != BatchStatus.COMPLETED && System.nanoTime() - patience < 0) {
      ambient.advance(Duration.ofSeconds(10));
    }
    assertThat(front.answers).hasValue(2);
    SavedBatch over = await(batch.id(), BatchStatus.COMPLETED);
    assertThat(batches.results(over, 0, 1000).getFirst().result().completed()).isTrue();
  }

  @Test
  @DisplayName(
      "judge a batch again where it was the gateway that could not, and fail it for nothing")
  void unavailableWhileJudged() {
    front.firstJudged = GatewayError.of(ErrorCode.UNAVAILABLE);
    SavedBatch batch = created();
    long patience = System.nanoTime() + 20_000_000_000L;
    while (find(batch.id()).status() == BatchStatus.VALIDATING
        && System.nanoTime() - patience < 0) {
      ambient.advance(Duration.ofSeconds(10));
    }
    assertThat(find(batch.id()).status()).isNotEqualTo(BatchStatus.FAILED);
    assertThat(front.reads.get()).isGreaterThan(2);
  }
}
