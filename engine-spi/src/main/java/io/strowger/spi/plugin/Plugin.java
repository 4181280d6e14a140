package io.strowger.spi.plugin;

/**
 * An instance that a {@link PluginProvider} creates for one configuration: a router, an
 * interceptor, or inactive.
 */
public sealed interface Plugin permits RouterPlugin, Interceptor, Plugin.Inactive {
  /**
   * A plugin that does nothing with this configuration.
   *
   * @param reason why the plugin is inactive, for the trace
   */
  record Inactive(String reason) implements Plugin {}
}
