package io.strowger.providers.responses;

import static io.strowger.providers.simulated.LoopbackUpstream.last;
import static io.strowger.providers.simulated.LoopbackUpstream.text;

import io.strowger.providers.simulated.LoopbackUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The openai-responses adapter")
class OpenAiResponsesContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new LoopbackUpstream(ambient, new ResponsesDialect());
  }

  private static final class ResponsesDialect implements LoopbackUpstream.TestedDialect {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new OpenAiResponsesFactory(transport);
    }

    @Override
    public String lastText(Json.Obj body) {
      return text(last(body, "input"), "content");
    }
  }
}
