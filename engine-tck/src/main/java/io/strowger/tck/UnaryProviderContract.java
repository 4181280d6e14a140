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
 * The contract test of {@link UnaryProvider}. The author of an adapter extends this class for each
 * kind of endpoint, supplies a request, and connects the adapter to a test upstream whose behaviour
 * the tests control.
 */
public abstract class UnaryProviderContract
    extends CompleteAnswerContract<UnaryProviderContract.ProviderSetup> {
  /**
   * A provider under test, and a test upstream that it is connected to. With {@link
   * UpstreamBehaviour.Echoes} the upstream answers {@link UnaryProviderContract#request()}, with
   * its usage.
   */
  public interface ProviderSetup extends ConnectedProvider {
    @Override
    UnaryProvider provider();
  }

  /**
   * Returns a request of the kind under test, for a model that has another name at the upstream.
   */
  protected abstract UnaryRequest request();

  /** Throws an {@link AssertionError} unless the document answers {@link #request()}. */
  protected abstract void check(Json.Obj document);

  @Test
  @DisplayName("every answer fits its request and has the usage")
  void answered() throws UpstreamException {
    try (var fixture = new Fixture()) {
      for (int i = 0; i < 2; i++) {
        UnaryAnswer answer = answer(fixture.setup, new Cancellation());
        check(answer.document());
        assertThat(answer.usage()).isNotNull();
        answer.whenDone().run();
      }
    }
  }

  @Test
  @DisplayName("the body has the upstream's name of the model, but no credential")
  void sent() throws UpstreamException {
    try (var fixture = new Fixture()) {
      call(fixture.setup, new Cancellation());
      assertThat(fixture.setup.lastBody())
          .contains(fixture.setup.endpoint().upstreamModel())
          .doesNotContain(SECRET, request().model().toString());
    }
  }

  @Override
  void call(ProviderSetup setup, Cancellation cancellation) throws UpstreamException {
    answer(setup, cancellation).whenDone().run();
  }

  private UnaryAnswer answer(ProviderSetup setup, Cancellation cancellation)
      throws UpstreamException {
    return setup
        .provider()
        .answer(
            new UnaryCall(
                setup.endpoint(),
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
