package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.provider.Transports;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a plugin and makes instances of it. Constructed by the host, or found by {@link
 * java.util.ServiceLoader} where the host asks for that.
 *
 * <p>Safe on any thread. Pass state that outlives a request to the provider's constructor; the host
 * owns it. If a provider throws while it is registered, the gateway is not built.
 *
 * <p>A provider that is {@link AutoCloseable} is closed by its creator. The engine closes a
 * provider from a plugin jar when nothing uses the jar any more, and a provider made by {@link
 * Configurable#with} along with its configuration. The host closes a provider that it constructed
 * or found on its class path. The engine closes on a new thread, and interrupts a {@code close}
 * that takes longer than a few seconds. A {@link Plugin} is never closed, since requests may still
 * use one that the engine has dropped: the provider owns what must be closed, including what its
 * {@link #tools()} hold.
 *
 * <p>Contract: "Plugins".
 */
public interface PluginProvider {
  /** Returns the descriptor; always the same. */
  Descriptor descriptor();

  /**
   * Makes the plugin for one configuration and one catalog. The engine uses the result for all
   * requests of that configuration, and may call this again after it dropped the result. A plugin
   * must not keep request state, and equal configurations make equivalent plugins.
   *
   * <p>Called with the configuration that host and account have saved, or an empty one, when a
   * catalog is put into force; if that throws, the gateway is not built or keeps its old catalog.
   * Otherwise called on a request's thread, where it must not block; throwing there fails the
   * request with 500. What depends on the catalog alone belongs in a {@link PerCatalog}.
   *
   * @param config valid by {@link Descriptor#schema()}
   * @param catalog the catalog requests are routed over
   */
  Plugin create(PluginConfig config, Catalog catalog);

  /**
   * Returns why entries with this configuration cannot work with the current settings, as the rest
   * of a sentence that begins with the plugin; null when they can. Called for the enabled defaults
   * of a configuration, so that an unusable default is refused when it is set, not at each request.
   * Must not block.
   *
   * @param config valid by {@link Descriptor#schema()}
   */
  default @Nullable String unusableReason(PluginConfig config) {
    return null;
  }

  /**
   * Returns the ids of plugins whose account defaults also apply to this one, for members of its
   * schema. A member that the account has saved for this one overrides them. Always the same.
   */
  default List<String> inheritsDefaultsFrom() {
    return List.of();
  }

  /** Returns the plugin's tools. */
  default List<ServerTool> tools() {
    return List.of();
  }

  /**
   * A provider with settings in the configuration: the host writes them once, under {@code
   * plugins.settings} and the plugin's id, and requests cannot change them.
   */
  interface Configurable extends PluginProvider {
    /**
     * Returns the schema of the settings. Always the same. Unlike in a plugin entry, an unknown
     * member is an error, and so is {@code enabled}.
     */
    ConfigSchema settings();

    /**
     * Returns a new provider with these settings, with the same descriptor and tools of the same
     * types. Called when a configuration is checked and when it is applied, not during a request.
     * Does not change this provider. Every call returns a new provider: when it is {@link
     * AutoCloseable} and the configuration was only checked or was refused, the engine closes it at
     * once.
     *
     * @param settings valid by {@link #settings}
     * @throws IllegalArgumentException when they are inconsistent; the message, such as {@code must
     *     have low < high}, is shown as the rest of a sentence and must not contain secrets
     */
    PluginProvider with(PluginConfig settings);
  }

  /** A provider whose plugins or tools send requests of their own. */
  interface Networked extends PluginProvider {
    /**
     * Returns a provider with the same descriptor, settings and tools that sends its requests over
     * these transports and does not close them. The returned provider replaces this one, which is
     * not used any more. Called by {@code Gateway.open} for providers of the class path, at most
     * once; a host that makes the provider itself gives it a transport in the constructor.
     */
    PluginProvider withTransports(Transports transports);
  }
}
