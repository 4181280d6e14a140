package io.strowger.core.decode;

import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.Set;

/**
 * Judges the plugin entries of a request against the schemas of the plugins there are. Called on
 * any thread.
 */
@FunctionalInterface
public interface PluginChecks {
  /** The same, which stays as it is whatever plugins are put in force. */
  default PluginChecks now() {
    return this;
  }

  /**
   * Notes what is wrong with one entry: an unknown id, values out of bounds. That it names an id
   * and that {@code enabled} is a boolean was seen to.
   *
   * @param entry also one that is switched off
   * @param at its place
   */
  void check(PluginEntry entry, JsonPointer at, Problems problems);

  /** Whether a model, without variants, is no model but stands for a plugin that routes. */
  default boolean isRouter(String model) {
    return false;
  }

  /**
   * The types of the tools the gateway runs, those of the contract and others, such as {@code
   * acme:lookup}: a request may declare them.
   */
  default Set<String> toolTypes() {
    return Set.of();
  }
}
