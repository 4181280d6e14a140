package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;
import java.util.function.Supplier;

/** The contract of routers over a provider that may break it. */
final class ContractOf extends RouterPluginContract {
  private final Supplier<PluginProvider> provider;
  private final List<Json.Obj> invalid;

  ContractOf(PluginProvider provider) {
    this(() -> provider, List.of());
  }

  /**
   * @param provider gives a new one each time
   */
  ContractOf(Supplier<PluginProvider> provider, List<Json.Obj> invalid) {
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
