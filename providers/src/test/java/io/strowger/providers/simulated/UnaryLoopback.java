package io.strowger.providers.simulated;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UnaryProviderContract;
import java.util.Objects;

/**
 * A simulated upstream for a kind of endpoint without streams, and the {@code openai-chat} adapter.
 */
public final class UnaryLoopback extends Loopback<UnaryProvider>
    implements UnaryProviderContract.ProviderSetup {
  public UnaryLoopback(TestAmbient ambient, Endpoint.Kind kind) {
    super(
        ambient,
        kind,
        (transport, settings) ->
            Objects.requireNonNull(new OpenAiChatFactory(transport).createUnary(settings, kind)));
  }
}
