package com.example;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;

/** A tool that lays a coin on the table, with the side up that the model asks for. */
public final class CoinTool implements ServerTool {
  private static final String SIDE = "side";

  @Override
  public Spec spec() {
    return new Spec(
        "example:coin",
        "Puts a coin on the table.",
        Json.object()
            .put("type", "object")
            .put(
                "properties",
                Json.object().put(SIDE, Json.object().put("type", "string").build()).build())
            .build());
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    String side = call.arguments().text(SIDE);
    if (!"heads".equals(side) && !"tails".equals(side)) {
      throw new ToolException("side must be heads or tails");
    }
    return Json.object().put("up", side).build();
  }
}
