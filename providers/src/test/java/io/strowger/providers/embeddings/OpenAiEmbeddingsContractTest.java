package io.strowger.providers.embeddings;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.simulated.Loopback;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.tck.EmbeddingsProviderContract;
import io.strowger.tck.TestAmbient;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for embeddings in the OpenAI form")
class OpenAiEmbeddingsContractTest extends EmbeddingsProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new EmbeddingsLoopback(ambient);
  }

  private static final class EmbeddingsLoopback extends Loopback<EmbeddingsProvider>
      implements ProviderSetup {
    EmbeddingsLoopback(TestAmbient ambient) {
      super(
          ambient,
          Endpoint.Kind.EMBEDDINGS,
          (transport, settings) ->
              Objects.requireNonNull(new OpenAiChatFactory(transport).createEmbeddings(settings)));
    }
  }
}
