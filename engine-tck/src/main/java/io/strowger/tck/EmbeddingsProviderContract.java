package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.UpstreamFailure;
import io.strowger.spi.routing.ModelRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link EmbeddingsProvider} owes the engine. An author extends this class and says how
 * to reach an upstream of his dialect that does as it is told; the tests then run as his own.
 *
 * <p>Time is real here. A cancellation has two seconds to end a call, twenty times what the SPI
 * grants: a shared machine may be slow, and a call that is not ended at all waits for ever.
 */
public abstract class EmbeddingsProviderContract {
  private static final String SECRET = "sk-4f9d2c-never-to-be-seen";
  private static final Duration PROMPTLY = Duration.ofSeconds(2);

  /** An upstream that does as it is told, and a provider connected to it. */
  public interface Upstream extends AutoCloseable {
    /** The provider under test; always the same one. The contract closes it before this. */
    EmbeddingsProvider provider();

    /** An endpoint of that provider. */
    Endpoint endpoint();

    /**
     * What becomes of every call from now on. {@link UpstreamBehaviour.Echoes} answers with an
     * embedding for each input, no two of them equal, and its usage.
     */
    void behave(UpstreamBehaviour behaviour);

    /** Returns the body of the last request that came, as the upstream received it. */
    String lastBody();

    /** Waits until so many requests have come; false when they did not in time. */
    boolean awaitRequests(long count, Duration atMost) throws InterruptedException;

    /** Ends the upstream. The provider was closed before. */
    @Override
    void close();
  }

  /**
   * A new upstream, and a provider that takes its time, chance and threads from this ambient.
   * Called once per test.
   */
  protected abstract Upstream connect(TestAmbient ambient);

  private static Json.Arr texts() {
    return Json.array(Json.of("one"), Json.of("two \"quoted\""), Json.of("\u00e4\u2603"));
  }

  private static EmbeddingsRequest request(Json input, EmbeddingsInput form) {
    Json.Obj members = Json.object().put("model", "acme/embed").put("input", input).build();
    return EmbeddingsRequest.builder(members, ModelRef.parse("acme/embed"), form).build();
  }

  @Test
  @DisplayName("an answer has one embedding for each input, in their order, and its usage")
  void ordered() throws UpstreamFailure {
    try (var bench = new Bench()) {
      EmbeddingsAnswer answer = bench.embed(request(texts(), new EmbeddingsInput.Texts(texts())));
      assertThat(answer.vectors()).hasSize(3);
      assertThat(new HashSet<>(answer.vectors())).hasSize(3);
      assertThat(Objects.requireNonNull(answer.usage()).promptTokens()).isPositive();
      EmbeddingsAnswer again = bench.embed(request(texts(), new EmbeddingsInput.Texts(texts())));
      assertThat(again.vectors()).isEqualTo(answer.vectors());
      answer.whenDone().run();
      again.whenDone().run();
    }
  }

  @Test
  @DisplayName("tokens are one input, and lists of tokens one each")
  void tokens() throws UpstreamFailure {
    try (var bench = new Bench()) {
      Json.Arr ids = Json.array(Json.of(11), Json.of(12));
      EmbeddingsAnswer one = bench.embed(request(ids, new EmbeddingsInput.Tokens(ids)));
      assertThat(one.vectors()).hasSize(1);
      Json.Arr lists = Json.array(ids, ids);
      EmbeddingsAnswer two = bench.embed(request(lists, new EmbeddingsInput.TokenLists(lists)));
      assertThat(two.vectors()).hasSize(2);
      one.whenDone().run();
      two.whenDone().run();
    }
  }

  @Test
  @DisplayName("the upstream's name of the model is sent, every text of the input, and no secret")
  void sent() throws UpstreamFailure {
    try (var bench = new Bench()) {
      bench.embed(request(texts(), new EmbeddingsInput.Texts(texts()))).whenDone().run();
      assertThat(bench.upstream.lastBody())
          .contains("one", "two \\\"quoted\\\"", bench.upstream.endpoint().upstreamModel())
          .doesNotContain(SECRET, "acme/embed");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 408, 410, 429, 500, 502, 503, 504, 524, 529})
  @DisplayName("a refusal is classified by its status, which is kept, and shows no credential")
  void refusals(int status) {
    try (var bench = new Bench()) {
      bench.upstream.behave(new UpstreamBehaviour.Refuses(status, 7, "no " + SECRET));
      Failure failure = bench.failure();
      assertThat(failure.kind()).isEqualTo(FailureKind.ofStatus(status));
      assertThat(failure.status()).isEqualTo(status);
      assertThat(failure.message()).doesNotContain(SECRET);
    }
  }

  @Test
  @DisplayName("what is no answer, and a cut connection, are failures of the upstream")
  void broken() {
    try (var bench = new Bench()) {
      bench.upstream.behave(new UpstreamBehaviour.Garbage());
      assertThat(bench.failure().kind()).isEqualTo(FailureKind.PROTOCOL);
      bench.upstream.behave(new UpstreamBehaviour.Cuts(""));
      assertThat(bench.failure().kind()).isIn(FailureKind.UNAVAILABLE, FailureKind.PROTOCOL);
    }
  }

  @ParameterizedTest
  @EnumSource(Cancellation.Cause.class)
  @DisplayName("cancelling ends a call under way, and tells the cause; and one that begins later")
  void cancelled(Cancellation.Cause cause) throws InterruptedException {
    FailureKind kind = cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED;
    try (var bench = new Bench()) {
      bench.upstream.behave(new UpstreamBehaviour.Silent());
      EmbeddingsCall call = bench.call();
      Waiting waiting = bench.start(call);
      assertThat(bench.upstream.awaitRequests(1, PROMPTLY)).isTrue();
      call.cancellation().cancel(cause);
      assertThat(waiting.failure().kind()).isEqualTo(kind);
      assertThat(bench.start(call).failure().kind()).isEqualTo(kind);
    }
  }

  @Test
  @DisplayName("closing the provider ends a call under way")
  void closed() throws InterruptedException {
    try (var bench = new Bench()) {
      bench.upstream.behave(new UpstreamBehaviour.Silent());
      Waiting waiting = bench.start(bench.call());
      assertThat(bench.upstream.awaitRequests(1, PROMPTLY)).isTrue();
      bench.upstream.provider().close();
      assertThat(waiting.failure().kind()).isEqualTo(FailureKind.CANCELLED);
    }
  }

  /** A call on a thread of its own. */
  private record Waiting(Thread thread, AtomicReference<@Nullable Failure> failed) {
    Failure failure() throws InterruptedException {
      assertThat(thread.join(PROMPTLY)).as("the call ended").isTrue();
      return Objects.requireNonNull(failed.get(), "the call did not fail");
    }
  }

  private final class Bench implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.realTime();
    private final Upstream upstream = connect(ambient);

    EmbeddingsCall call() {
      return call(request(texts(), new EmbeddingsInput.Texts(texts())));
    }

    EmbeddingsCall call(EmbeddingsRequest request) {
      return new EmbeddingsCall(
          upstream.endpoint(),
          new Credential(SECRET),
          request,
          null,
          Duration.ofSeconds(30),
          new Cancellation());
    }

    EmbeddingsAnswer embed(EmbeddingsRequest request) throws UpstreamFailure {
      return upstream.provider().embed(call(request));
    }

    Failure failure() {
      try {
        upstream.provider().embed(call()).whenDone().run();
      } catch (UpstreamFailure failed) {
        return failed.failure();
      }
      throw new AssertionError("the call did not fail");
    }

    Waiting start(EmbeddingsCall call) {
      var failed = new AtomicReference<@Nullable Failure>();
      Thread thread =
          ambient.start(
              "embed",
              () -> {
                try {
                  upstream.provider().embed(call).whenDone().run();
                } catch (UpstreamFailure expected) {
                  failed.set(expected.failure());
                }
              });
      return new Waiting(thread, failed);
    }

    @Override
    public void close() {
      upstream.provider().close();
      upstream.close();
      ambient.assertNoThreadsLeft();
    }
  }
}
