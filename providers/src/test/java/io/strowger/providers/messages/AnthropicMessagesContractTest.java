package io.strowger.providers.messages;

import static io.strowger.providers.simulated.LoopbackUpstream.last;
import static io.strowger.providers.simulated.LoopbackUpstream.text;

import io.strowger.providers.simulated.LoopbackUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The anthropic-messages adapter")
class AnthropicMessagesContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new LoopbackUpstream(ambient, new MessagesDialect());
  }

  private static final class MessagesDialect implements LoopbackUpstream.TestedDialect {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new AnthropicMessagesFactory(transport);
    }

    @Override
    public String lastText(Json.Obj body) {
      return text(last(body, "messages"), "content");
    }
  }
}
