package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.memory.MemoryStores;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.store.ForwardingStores;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The answer with the results of a batch")
class BatchServiceTest {
  private static final BatchStore.Batch FINISHED =
      new BatchStore.Batch(
          "batch-1",
          DefaultWorkspace.ID,
          BatchStore.Phase.OVER,
          "completed",
          Instant.EPOCH,
          Instant.EPOCH,
          1,
          new BatchStore.Counts(1, 1, 0),
          Json.object()
              .put("endpoint", "/v1/chat/completions")
              .put("model", "acme/large")
              .put("expires_at", 1)
              .build());

  /** Stores with one finished batch, whose results cannot be read. */
  private static final class BrokenStores extends ForwardingStores {
    private final RuntimeException failure;

    BrokenStores(Stores stores, RuntimeException failure) {
      super(stores);
      this.failure = failure;
    }

    @Override
    public BatchStore batches() {
      return (BatchStore)
          Proxy.newProxyInstance(
              BatchStore.class.getClassLoader(),
              new Class<?>[] {BatchStore.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("find")) {
                  return FINISHED;
                }
                throw failure;
              });
    }
  }

  static Stream<RuntimeException> failures() {
    return Stream.of(
        new StoreUnavailableException("the database does not answer", null),
        new IllegalStateException("a row is damaged"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("breaks off when the results cannot be read, and keeps the cause")
  void unreadable(RuntimeException failure) throws Exception {
    var api = new TestHttpApi(new BrokenStores(new MemoryStores(), failure));
    WireResponse response = api.call("GET", "/batches/batch-1").key("sk-app").send();
    assertThat(response.status()).isEqualTo(200);
    try (WireBody body = response.body()) {
      var brokenOff =
          catchThrowableOfType(
              TruncatedAnswerException.class, () -> body.writeNext(new ByteArrayOutputStream()));
      assertThat(brokenOff)
          .hasMessage("the results could not be read to their end")
          .hasCause(failure);
    }
  }
}
