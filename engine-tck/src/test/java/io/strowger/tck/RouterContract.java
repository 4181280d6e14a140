package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;
import java.util.function.Supplier;

/** The contract of routers for a given provider, which may break it. */
final class RouterContract extends RouterPluginContract {
  private final Supplier<PluginProvider> provider;
  private final List<Json.Obj> invalid;

  RouterContract(PluginProvider provider) {
    this(() -> provider, List.of());
  }

  /**
   * Creates the contract.
   *
   * @param provider returns a new provider each time
   * @param invalid configurations that the provider must refuse
   */
  RouterContract(Supplier<PluginProvider> provider, List<Json.Obj> invalid) {
    this.provider = provider;
    this.invalid = invalid;
  }

  @Override
  protected PluginProvider provider() {
    return provider.get();
  }

  @Override
  protected List<Json.Obj> invalidConfigs() {
    return invalid;
  }
}
