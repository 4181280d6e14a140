package io.strowger.plugins.fusion;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The tool router:fusion")
class FusionToolContractTest extends ServerToolContract {
  @Override
  protected ServerTool tool() {
    return new FusionProvider().tools().getFirst();
  }

  @Override
  protected List<Json.Obj> parameters() {
    Json models = Json.array(Json.of("acme/one"), Json.of("acme/two"));
    return List.of(
        Json.object().put("analysis_models", models).build(),
        Json.object()
            .put("model", "acme/one")
            .put("tools", Json.array())
            .put("max_tool_calls", 1)
            .put("max_completion_tokens", 1)
            .put("temperature", 0)
            .build());
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(Json.Obj.EMPTY);
  }

  @Override
  protected FakeChain chain() {
    return new FakeChain(
            request -> EventStream.of(List.of(new Event.CompleteAnswer(Given.answer("an answer")))))
        .withCatalog(Given.catalog(Given.endpoint("alpha", "acme/one", "1")))
        .withCodec(new JacksonCodec());
  }
}
