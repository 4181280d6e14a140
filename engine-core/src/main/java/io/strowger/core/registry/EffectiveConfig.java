package io.strowger.core.registry;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What host and account have said of one plugin, before any request: the configuration it always
 * runs with, under what the account has saved. Plugins fact sheet, section 1.
 *
 * @param config members of the schema only
 * @param enabled whether it is switched on, where it runs without being asked for
 * @param last a request's own entry changes nothing
 * @param unasked host or account have said something of this very plugin, so that it runs where no
 *     request asks for it
 */
record EffectiveConfig(Json.Obj config, boolean enabled, boolean last, boolean unasked) {
  /**
   * @param always the host's entry; null when the plugin does not always run
   * @param saved the account's entries by plugin id, those of kin included
   * @param kin whose saved entries hold here too, under the plugin's own
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

  /** The configuration for a request with this entry, which wins member by member. */
  Json.Obj under(Descriptor descriptor, @Nullable PluginEntry entry) {
    return entry == null || last || !entry.enabled()
        ? config
        : known(descriptor, entry.config(), config);
  }

  /** Whether it runs on every request that does not say otherwise. */
  boolean runsUnasked() {
    return unasked && enabled;
  }

  /** What is saved of this very plugin is final: no request switches it on or off. */
  boolean isFinal() {
    return unasked && last;
  }

  /** Whether it runs on a request with this entry, which need not ask for it otherwise. */
  boolean runsWith(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? runsUnasked() : entry.enabled();
  }

  /**
   * Whether it runs where a request with this entry needs it, though nobody asked for it: unless
   * somebody switched it off.
   */
  boolean runsWhereNeeded(@Nullable PluginEntry entry) {
    return entry == null || isFinal() ? enabled : entry.enabled();
  }

  /**
   * The members the schema knows, in its order and free of the document they came from. What the
   * schema does not know has no effect, so it is not recorded either.
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
