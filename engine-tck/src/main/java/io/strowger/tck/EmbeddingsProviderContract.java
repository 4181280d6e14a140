package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.ModelRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link EmbeddingsProvider}. The author of an adapter extends this class and
 * connects the adapter to a test upstream whose behaviour the tests control.
 */
public abstract class EmbeddingsProviderContract
    extends CompleteAnswerContract<EmbeddingsProviderContract.ProviderSetup> {
  /**
   * A provider under test, and a test upstream that it is connected to. With {@link
   * UpstreamBehaviour.Echoes} the upstream answers with one embedding for each input, no two of
   * them equal, and with the usage.
   */
  public interface ProviderSetup extends ConnectedProvider {
    @Override
    EmbeddingsProvider provider();
  }

  private static Json.Arr texts() {
    return Json.array(Json.of("one"), Json.of("two \"quoted\""), Json.of("\u00e4\u2603"));
  }

  private static EmbeddingsRequest request(Json input, EmbeddingsInput form) {
    Json.Obj members = Json.object().put("model", "acme/embed").put("input", input).build();
    return EmbeddingsRequest.builder(members, ModelRef.parse("acme/embed"), form).build();
  }

  @Test
  @DisplayName(
      "an answer has one embedding for each input, in the order of the inputs, and the usage")
  void ordered() throws UpstreamException {
    try (var fixture = new Fixture()) {
      EmbeddingsAnswer answer =
          embed(fixture.setup, request(texts(), new EmbeddingsInput.Texts(texts())));
      assertThat(answer.vectors()).hasSize(3);
      assertThat(new HashSet<>(answer.vectors())).hasSize(3);
      assertThat(Objects.requireNonNull(answer.usage()).promptTokens()).isPositive();
      EmbeddingsAnswer again =
          embed(fixture.setup, request(texts(), new EmbeddingsInput.Texts(texts())));
      assertThat(again.vectors()).isEqualTo(answer.vectors());
      answer.whenDone().run();
      again.whenDone().run();
    }
  }

  @Test
  @DisplayName("a list of tokens is one input; in a list of such lists, each is one input")
  void tokens() throws UpstreamException {
    try (var fixture = new Fixture()) {
      Json.Arr ids = Json.array(Json.of(11), Json.of(12));
      EmbeddingsAnswer one = embed(fixture.setup, request(ids, new EmbeddingsInput.Tokens(ids)));
      assertThat(one.vectors()).hasSize(1);
      Json.Arr lists = Json.array(ids, ids);
      EmbeddingsAnswer two =
          embed(fixture.setup, request(lists, new EmbeddingsInput.TokenLists(lists)));
      assertThat(two.vectors()).hasSize(2);
      one.whenDone().run();
      two.whenDone().run();
    }
  }

  @Test
  @DisplayName(
      "the body has the upstream's name of the model and every input text, but no credential")
  void sent() throws UpstreamException {
    try (var fixture = new Fixture()) {
      embed(fixture.setup, request(texts(), new EmbeddingsInput.Texts(texts()))).whenDone().run();
      assertThat(fixture.setup.lastBody())
          .contains("one", "two \\\"quoted\\\"", fixture.setup.endpoint().upstreamModel())
          .doesNotContain(SECRET, "acme/embed");
    }
  }

  @Override
  void call(ProviderSetup setup, Cancellation cancellation) throws UpstreamException {
    EmbeddingsRequest request = request(texts(), new EmbeddingsInput.Texts(texts()));
    embed(setup, request, cancellation).whenDone().run();
  }

  private static EmbeddingsAnswer embed(ProviderSetup setup, EmbeddingsRequest request)
      throws UpstreamException {
    return embed(setup, request, new Cancellation());
  }

  private static EmbeddingsAnswer embed(
      ProviderSetup setup, EmbeddingsRequest request, Cancellation cancellation)
      throws UpstreamException {
    return setup
        .provider()
        .embed(
            new EmbeddingsCall(
                setup.endpoint(),
                credential(),
                request,
                null,
                Duration.ofSeconds(30),
                cancellation,
                null));
  }
}
