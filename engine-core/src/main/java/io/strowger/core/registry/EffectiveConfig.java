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
 * @param enabled whether it is switched on when a request does not name it
 * @param preventsOverrides whether a request's own entry has no effect
 * @param explicitlyConfigured whether host or account configured this very plugin, so that it runs
 *     when no request names it
 */
record EffectiveConfig(
    Json.Obj config, boolean enabled, boolean preventsOverrides, boolean explicitlyConfigured) {
  /**
   * Returns the configuration of a plugin, from the host's entry and the account's.
   *
   * @param always the host's entry; null when the plugin does not always run
   * @param saved the account's entries by plugin id, including those of the related plugins
   * @param kin ids of related plugins whose saved entries apply here too; the plugin's own entry
   *     overrides them
   */
  static EffectiveConfig of(
      Descriptor descriptor,
      @Nullable PluginEntry always,
      Map<String, PluginEntry> saved,
      Iterable<String> kin) {
    var all = Json.object();
    put(always, all);
    for (String id : kin) {
      put(saved.get(id), all);
    }
    put(saved.get(descriptor.id()), all);
    Json.Obj said = all.build();
    return new EffectiveConfig(
        known(descriptor, said, Json.Obj.EMPTY),
        !Json.FALSE.equals(said.get("enabled")),
        Json.TRUE.equals(said.get("prevent_overrides")),
        always != null || saved.containsKey(descriptor.id()));
  }

  private static void put(@Nullable PluginEntry entry, Json.Obj.Builder all) {
    if (entry != null) {
      all.putAll(entry.config()).put("enabled", entry.enabled());
    }
  }

  /** Returns the configuration for a request with this entry, which overrides single members. */
  Json.Obj mergedWith(Descriptor descriptor, @Nullable PluginEntry entry) {
    return entry == null || preventsOverrides || !entry.enabled()
        ? config
        : known(descriptor, entry.config(), config);
  }

  /** Returns whether the plugin runs on every request that has no entry for it. */
  boolean runsUnasked() {
    return explicitlyConfigured && enabled;
  }

  /** Returns whether the saved entry is final, so that no request switches the plugin on or off. */
  boolean isFinal() {
    return explicitlyConfigured && preventsOverrides;
  }

  /**
   * Returns whether the plugin runs on a request that does not need it.
   *
   * @param entry the request's entry for the plugin; null for none
   */
  boolean runsWith(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? runsUnasked() : entry.enabled();
  }

  /**
   * Returns whether it runs on a request with this entry that needs it without naming it: always,
   * unless it is switched off.
   */
  boolean runsWhereNeeded(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? enabled : entry.enabled();
  }

  /**
   * Returns the members of the schema, in its order and detached from their document. Members that
   * the schema does not know have no effect, so they are not recorded either.
   */
  private static Json.Obj known(Descriptor descriptor, Json.Obj over, Json.Obj under) {
    var members = Json.object();
    for (Field<?> field : descriptor.schema().fields()) {
      Json said = over.get(field.name());
      said = said == null ? under.get(field.name()) : said;
      if (said != null) {
        members.put(field.name(), said);
      }
    }
    Json.Obj known = members.build();
    return known.equals(under) ? under : known.detached();
  }
}
