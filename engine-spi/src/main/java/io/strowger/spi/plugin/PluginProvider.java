package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import java.util.List;

/**
 * Describes a plugin and makes it. Found by {@link java.util.ServiceLoader} where the host wants
 * that, or constructed by the host.
 *
 * <p>Safe on any thread. State that outlives a request is a constructor argument of the provider,
 * owned by the host. A provider that throws while it describes or prepares itself fails the
 * building of the gateway.
 *
 * <p>Contract: "Plugins".
 */
public interface PluginProvider {
  /** Always the same. */
  Descriptor descriptor();

  /**
   * Works out what only depends on the catalog. Called once per snapshot, not on a request's path;
   * may take seconds.
   */
  default Prepared prepare(Catalog catalog) {
    return Prepared.NOTHING;
  }

  /**
   * The plugin for one request. Called on the request's thread; must not block.
   *
   * @param config valid by {@link Descriptor#schema()}
   * @param prepared what {@link #prepare} gave for the request's catalog
   */
  Plugin create(PluginConfig config, Prepared prepared);

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
   * What a provider works out per catalog; its own type, given back to it and read by nobody else.
   */
  interface Prepared {
    Prepared NOTHING = new Prepared() {};
  }
}
