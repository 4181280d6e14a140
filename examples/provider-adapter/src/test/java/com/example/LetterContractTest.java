package com.example;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.ScriptedUpstream;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The letter adapter keeps the contract of adapters:")
class LetterContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new ScriptedUpstream(ambient, new LetterProtocol());
  }

  @Override
  protected boolean streams() {
    return false;
  }

  private static final class LetterProtocol implements ScriptedUpstream.Protocol {
    @Override
    public ProviderFactory factory(Transport transport) {
      return new LetterFactory(transport);
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("letters", "acme/letters", "1").toBuilder()
          .upstreamModel("letters-large")
          .parameters(0)
          .build();
    }

    @Override
    public String lastText(Json.Obj request) {
      return ((Json.Obj) request.list("turns").getLast()).text("text");
    }

    @Override
    public String answer(String text) {
      return Json.object().put("text", text).put("in", 3).put("out", 5).build().toString();
    }
  }
}
