package com.example;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.ServerToolContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The coin tool keeps the contract of tools:")
class CoinToolContractTest extends ServerToolContract {
  @Override
  protected ServerTool tool() {
    return new CoinTool();
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(
        Json.object().put("side", "heads").build(), Json.object().put("side", "tails").build());
  }
}
