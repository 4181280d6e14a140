package com.example;

import io.strowger.spi.plugin.PluginProvider;
import io.strowger.tck.RouterPluginContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The cheapest router keeps the contract of routers:")
class CheapestRouterContractTest extends RouterPluginContract {
  @Override
  protected PluginProvider provider() {
    return new CheapestRouter();
  }
}
