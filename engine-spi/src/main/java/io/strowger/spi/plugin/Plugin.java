package io.strowger.spi.plugin;

/** What a {@link PluginProvider} makes for one request: one of three shapes. */
public sealed interface Plugin permits RouterPlugin, Interceptor, Plugin.Inactive {
  /** A plugin whose entry is valid but has nothing to do for this request. */
  record Inactive(String reason) implements Plugin {}
}
