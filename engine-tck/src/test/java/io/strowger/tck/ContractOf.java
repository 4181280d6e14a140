package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/** The contract of routers over a provider that may break it. */
final class ContractOf extends RouterPluginContract {
  private final PluginProvider provider;
  private final List<Json.Obj> invalid;

  ContractOf(PluginProvider provider) {
    this(provider, List.of());
  }

  ContractOf(PluginProvider provider, List<Json.Obj> invalid) {
    this.provider = provider;
    this.invalid = invalid;
  }

  @Override
  protected PluginProvider provider() {
    return provider;
  }

  @Override
  protected List<Json.Obj> invalidConfigs() {
    return invalid;
  }
}
