package io.strowger.providers.gemini;

import static io.strowger.providers.simulated.LoopbackUpstream.last;
import static io.strowger.providers.simulated.LoopbackUpstream.text;

import io.strowger.providers.simulated.LoopbackUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The gemini adapter")
class GeminiContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new LoopbackUpstream(ambient, new GeminiDialect());
  }

  private static final class GeminiDialect implements LoopbackUpstream.TestedDialect {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new GeminiFactory(transport);
    }

    @Override
    public String lastText(Json.Obj body) {
      return text(last(last(body, "contents"), "parts"), "text");
    }

    @Override
    public Json.Obj refusal(int status, String message) {
      Json.Obj inner = Json.object().put("code", status).put("message", message).build();
      return Json.object().put("error", inner).build();
    }

    @Override
    public boolean namesModelInBody() {
      return false; // the URI names it
    }
  }
}
