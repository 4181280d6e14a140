package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.provider.Transports;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a plugin and makes instances of it. Constructed by the host, or found by {@link
 * java.util.ServiceLoader} where the host asks for that.
 *
 * <p>Safe on any thread. State that outlives a request is a constructor argument of the provider,
 * owned by the host. A provider that throws while it describes itself fails the building of the
 * gateway.
 *
 * <p>A provider that is {@link AutoCloseable} is closed by whoever had it made: one from a jar of
 * the directory of plugins when nothing uses the jar any more, one made by {@link
 * Configurable#with} with its configuration, and one that the host constructed or found on its
 * class path by the host. The engine closes on a thread made for it, and interrupts a {@code close}
 * that takes longer than some seconds. A {@link Plugin} is never closed, since the engine forgets
 * one while requests may use it: what has to be closed belongs to the provider. So does what its
 * {@link #tools()} hold.
 *
 * <p>Contract: "Plugins".
 */
public interface PluginProvider {
  /** Always the same. */
  Descriptor descriptor();

  /**
   * Makes the plugin for one configuration and one catalog. The engine uses the result for all
   * requests of that configuration, and may call this again after it dropped the result. So a
   * plugin keeps nothing of a request, and equal configurations make plugins that behave alike.
   *
   * <p>Called with the configuration that host and account have saved, or an empty one, when a
   * catalog is put into force; if that throws, the gateway is not built or keeps its old catalog.
   * Otherwise called on a request's thread, where it must not block; throwing there fails the
   * request with 500. What depends on the catalog alone belongs in a {@link PerCatalog}.
   *
   * @param config valid by {@link Descriptor#schema()}
   * @param catalog what requests are decided over
   */
  Plugin create(PluginConfig config, Catalog catalog);

  /**
   * Returns why entries with this configuration cannot work with the settings there are, as the
   * rest of a sentence; null when they can. Asked of the defaults of a configuration, so that one
   * that cannot work is refused when it is set and not with each request. Must not block.
   *
   * @param config valid by {@link Descriptor#schema()}
   */
  default @Nullable String unusable(PluginConfig config) {
    return null;
  }

  /**
   * Ids of plugins whose saved defaults of an account hold for this one too, as far as its schema
   * knows them and where the account has saved nothing for this one. Always the same.
   */
  default List<String> defaultsOf() {
    return List.of();
  }

  /** Tools this plugin brings. */
  default List<ServerTool> tools() {
    return List.of();
  }

  /**
   * A provider that a configuration can set up: a host writes its settings once, under {@code
   * plugins.settings} and the plugin's id, and no request says anything of them.
   */
  interface Configurable extends PluginProvider {
    /**
     * What may be set. Always the same. Unlike an entry's, an unknown member is an error, and
     * {@code enabled} is none of them.
     */
    ConfigSchema settings();

    /**
     * Returns a new provider with these settings, with the same descriptor and tools of the same
     * types. Called when a configuration is checked and when it is put in force, not on a request's
     * path; the provider asked stays as it is. A new one at every call: one that is {@link
     * AutoCloseable} is closed at once when a configuration was only checked, or is refused.
     *
     * @param settings valid by {@link #settings}
     * @throws IllegalArgumentException when they do not go together; the message, the rest of a
     *     sentence such as {@code must have low < high}, is shown and must not hold secrets
     */
    PluginProvider with(PluginConfig settings);
  }

  /** A provider whose plugins or tools send requests of their own. */
  interface Networked extends PluginProvider {
    /**
     * Returns a provider with the same descriptor, settings and tools that sends its requests over
     * these transports, which it does not close. It takes the place of this one, which is not used
     * any more. Called by {@code Gateway.open} for providers of the class path, at most once; a
     * host that makes the provider itself gives it a transport in the constructor.
     */
    PluginProvider withTransports(Transports shared);
  }
}
