package io.strowger.core.decode;

import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.Set;

/**
 * What a decoder needs of the installed plugins: the checks of a request's plugin entries, the
 * models of routers and the types of tools. Called on any thread.
 */
@FunctionalInterface
public interface PluginChecks {
  /** Returns these checks as they are now, unaffected by later changes of the plugins. */
  default PluginChecks snapshot() {
    return this;
  }

  /**
   * Adds the problems of one entry, such as an unknown id or values out of bounds. The caller has
   * checked that it names an id and that {@code enabled} is a boolean.
   *
   * @param entry the entry, which may be disabled
   * @param at the place of the entry in the request
   */
  void check(PluginEntry entry, JsonPointer at, Problems problems);

  /** Returns whether a model name, without variants, is the slug of a router or another plugin. */
  default boolean isPluginSlug(String model) {
    return false;
  }

  /**
   * Returns the types of the tools the gateway runs: those of the contract and further ones, such
   * as {@code acme:lookup}. A request may declare them.
   */
  default Set<String> toolTypes() {
    return Set.of();
  }
}
