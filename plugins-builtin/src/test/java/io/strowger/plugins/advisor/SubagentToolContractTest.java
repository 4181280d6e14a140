package io.strowger.plugins.advisor;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The tool that hands a task to another model")
class SubagentToolContractTest extends ServerToolContract {
  @Override
  protected ServerTool tool() {
    return new SubagentTool();
  }

  @Override
  protected SchemaValidator schemaValidator() {
    return new JsonSchemaValidator();
  }

  @Override
  protected FakeChain chain() {
    return FakeChain.of(new Event.CompleteAnswer(Given.answer("Done.")));
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(Json.object().put("task", "Count to three.").build());
  }
}
