package io.strowger.plugins.autorouter;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.tck.RouterPluginContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The automatic router keeps the contract of routers:")
class AutoRouterContractTest extends RouterPluginContract {
  @Override
  protected PluginProvider provider() {
    return new AutoRouterProvider();
  }

  @Override
  protected List<Json.Obj> validConfigs() {
    return List.of(
        Json.object().put("cost_tier", "low").put("pin_model", true).build(),
        Json.object().put("cost_tier", "high").build(),
        Json.object().put("cost_tier", "max").put("cost_quality_tradeoff", 10).build(),
        Json.object().put("cost_quality_tradeoff", 0).build(),
        Json.object().put("allowed_models", Json.array(Json.of("author1/*"))).build(),
        Json.object().put("excluded_models", Json.array(Json.of("*:free"))).build());
  }

  @Override
  protected List<Json.Obj> invalidConfigs() {
    return List.of(
        Json.object().put("cost_tier", "lowest").build(),
        Json.object().put("cost_quality_tradeoff", 11).build(),
        Json.object().put("allowed_models", "author1/*").build());
  }
}
