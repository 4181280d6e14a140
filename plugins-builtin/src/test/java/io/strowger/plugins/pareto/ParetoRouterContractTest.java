package io.strowger.plugins.pareto;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.tck.RouterPluginContract;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The pareto router keeps the contract of routers:")
class ParetoRouterContractTest extends RouterPluginContract {
  private static Json.Obj with(String name, Json value) {
    return Json.object().put(name, value).build();
  }

  @Override
  protected PluginProvider provider() {
    return new ParetoRouterProvider();
  }

  @Override
  protected List<Json.Obj> validConfigs() {
    return List.of(
        with("min_coding_score", Json.of(1)),
        with("min_coding_score", Json.of(new BigDecimal("0.5"))),
        with("min_coding_score", Json.of(0)),
        with("max_price", Json.of(0)),
        with("max_price", Json.of(new BigDecimal("4.5"))),
        with("max_price", Json.of(100)).with("price_source", Json.of("weighted_avg")));
  }

  @Override
  protected List<Json.Obj> invalidConfigs() {
    return List.of(
        with("min_coding_score", Json.of(2)),
        with("max_price", Json.of(-1)),
        with("price_source", Json.of("guess")));
  }
}
