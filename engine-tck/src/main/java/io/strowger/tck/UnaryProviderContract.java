package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link UnaryProvider} owes the engine. An author extends this class for each kind of
 * endpoint, and says what is asked and how to reach an upstream of his dialect that does as it is
 * told; the tests then run as his own.
 */
public abstract class UnaryProviderContract
    extends WholeAnswerContract<UnaryProviderContract.Upstream> {
  /**
   * An upstream that does as it is told, and a provider connected to it. {@link
   * UpstreamBehaviour.Echoes} answers what {@link UnaryProviderContract#request()} asks for, and
   * says what it used.
   */
  public interface Upstream extends Connected {
    @Override
    UnaryProvider provider();
  }

  /** A request of the kind under test, for a model that the upstream calls by another name. */
  protected abstract UnaryRequest request();

  /** Looks whether this answers {@link #request()}; throws when it does not. */
  protected abstract void check(Json.Obj document);

  @Test
  @DisplayName("an answer is what was asked for, each time, and its usage")
  void answered() throws UpstreamException {
    try (var bench = new Bench()) {
      for (int i = 0; i < 2; i++) {
        UnaryAnswer answer = answer(bench.upstream, new Cancellation());
        check(answer.document());
        assertThat(answer.usage()).isNotNull();
        answer.whenDone().run();
      }
    }
  }

  @Test
  @DisplayName("the upstream's name of the model is sent, and no secret")
  void sent() throws UpstreamException {
    try (var bench = new Bench()) {
      call(bench.upstream, new Cancellation());
      assertThat(bench.upstream.lastBody())
          .contains(bench.upstream.endpoint().upstreamModel())
          .doesNotContain(SECRET, request().model().toString());
    }
  }

  @Override
  void call(Upstream upstream, Cancellation cancellation) throws UpstreamException {
    answer(upstream, cancellation).whenDone().run();
  }

  private UnaryAnswer answer(Upstream upstream, Cancellation cancellation)
      throws UpstreamException {
    return upstream
        .provider()
        .answer(
            new UnaryCall(
                upstream.endpoint(),
                credential(),
                request(),
                Json.Obj.EMPTY,
                loss -> {},
                null,
                Duration.ofSeconds(30),
                cancellation,
                null));
  }
}
