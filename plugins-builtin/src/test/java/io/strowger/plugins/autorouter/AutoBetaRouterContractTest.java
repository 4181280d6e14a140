package io.strowger.plugins.autorouter;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.tck.RouterPluginContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The automatic beta router keeps the contract of routers:")
class AutoBetaRouterContractTest extends RouterPluginContract {
  @Override
  protected PluginProvider provider() {
    return new AutoBetaRouterProvider();
  }

  @Override
  protected List<Json.Obj> validConfigs() {
    return List.of(
        Json.object().put("cost_tier", "xhigh").build(),
        Json.object().put("excluded_models", Json.array(Json.of("author2/*"))).build());
  }

  @Override
  protected List<Json.Obj> invalidConfigs() {
    return List.of(Json.object().put("cost_tier", 1).build());
  }
}
