package io.strowger.tck;

import io.strowger.spi.plugin.PluginProvider;

/** The contract of routers over a provider that may break it. */
final class ContractOf extends RouterPluginContract {
  private final PluginProvider provider;

  ContractOf(PluginProvider provider) {
    this.provider = provider;
  }

  @Override
  protected PluginProvider provider() {
    return provider;
  }
}
