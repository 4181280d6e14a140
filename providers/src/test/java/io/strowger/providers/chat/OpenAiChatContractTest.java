package io.strowger.providers.chat;

import static io.strowger.providers.simulated.LoopbackUpstream.last;
import static io.strowger.providers.simulated.LoopbackUpstream.text;

import io.strowger.providers.simulated.LoopbackUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The openai-chat adapter")
class OpenAiChatContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new LoopbackUpstream(ambient, new ChatDialect());
  }

  private static final class ChatDialect implements LoopbackUpstream.TestedDialect {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new OpenAiChatFactory(transport);
    }

    @Override
    public String lastText(Json.Obj body) {
      return text(last(body, "messages"), "content");
    }
  }
}
