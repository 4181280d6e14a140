package io.strowger.core.registry;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one plugin before any request: the host's entry, overridden member by member
 * by what the account has saved. Plugins fact sheet, section 1.
 *
 * @param config members of the schema only
 * @param enabled false when the host's entry, as overridden by the account, switches the plugin off
 * @param preventsOverrides whether the config members of a request's own entry have no effect
 * @param explicitlyConfigured whether host or account has an entry for this plugin itself, not only
 *     for a related one; without one, the plugin runs only when a request names or requires it
 */
record EffectiveConfig(
    Json.Obj config, boolean enabled, boolean preventsOverrides, boolean explicitlyConfigured) {
  /**
   * Returns the configuration of a plugin, from the host's entry and the account's.
   *
   * @param hostEntry the host's entry; null when the host has none
   * @param savedEntries the account's entries by plugin id, including those of the related plugins
   * @param relatedIds ids of related plugins whose saved entries apply here too; the plugin's own
   *     entry overrides them
   */
  static EffectiveConfig of(
      Descriptor descriptor,
      @Nullable PluginEntry hostEntry,
      Map<String, PluginEntry> savedEntries,
      Iterable<String> relatedIds) {
    var merged = Json.object();
    put(hostEntry, merged);
    for (String id : relatedIds) {
      put(savedEntries.get(id), merged);
    }
    put(savedEntries.get(descriptor.id()), merged);
    Json.Obj mergedMembers = merged.build();
    return new EffectiveConfig(
        knownMembers(descriptor, mergedMembers, Json.Obj.EMPTY),
        !Json.FALSE.equals(mergedMembers.get("enabled")),
        Json.TRUE.equals(mergedMembers.get("prevent_overrides")),
        hostEntry != null || savedEntries.containsKey(descriptor.id()));
  }

  private static void put(@Nullable PluginEntry entry, Json.Obj.Builder merged) {
    if (entry != null) {
      merged.putAll(entry.config()).put("enabled", entry.enabled());
    }
  }

  /** Returns the configuration for a request with this entry, which overrides single members. */
  Json.Obj mergeWith(Descriptor descriptor, @Nullable PluginEntry entry) {
    return entry == null || preventsOverrides || !entry.enabled()
        ? config
        : knownMembers(descriptor, entry.config(), config);
  }

  /** Returns whether the plugin runs on every request that has no entry for it. */
  boolean runsByDefault() {
    return explicitlyConfigured && enabled;
  }

  /** Returns whether requests cannot switch the plugin on or off. */
  boolean isFinal() {
    return explicitlyConfigured && preventsOverrides;
  }

  /**
   * Returns whether the plugin runs on a request, when nothing else in the request, such as an
   * attached file, requires it.
   *
   * @param entry the request's entry for the plugin; null for none
   */
  boolean runsWith(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? runsByDefault() : entry.enabled();
  }

  /**
   * Returns whether the plugin runs on a request whose content requires it: always, unless the
   * request's entry or the saved configuration switches it off.
   *
   * @param entry the request's entry for the plugin; null for none
   */
  boolean runsWhereNeeded(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? enabled : entry.enabled();
  }

  /**
   * Returns the members of the schema, in its order and detached from their document. Members that
   * the schema does not know have no effect, so they are not recorded either.
   */
  private static Json.Obj knownMembers(
      Descriptor descriptor, Json.Obj overrides, Json.Obj defaults) {
    var members = Json.object();
    for (Field<?> field : descriptor.schema().fields()) {
      Json value = overrides.get(field.name());
      value = value == null ? defaults.get(field.name()) : value;
      if (value != null) {
        members.put(field.name(), value);
      }
    }
    Json.Obj result = members.build();
    return result.equals(defaults) ? defaults : result.detached();
  }
}
