package io.strowger.spi.plugin;

/** What a {@link PluginProvider} makes for one configuration: one of three kinds. */
public sealed interface Plugin permits RouterPlugin, Interceptor, Plugin.Inactive {
  /**
   * A plugin that has nothing to do with this configuration.
   *
   * @param reason why, for the trace
   */
  record Inactive(String reason) implements Plugin {}
}
