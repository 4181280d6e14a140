package io.strowger.core.config;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The settings of plugins: default entries for every request, and settings of their providers.
 *
 * @param defaults the plugin entries of every request, in the form of the request; they keep {@code
 *     prevent_overrides}
 * @param settings the settings each plugin's provider is constructed with, by plugin id
 * @param sections by plugin id, the name of the section that holds its settings, such as {@code
 *     search}; the settings of all other plugins are in {@code plugins.settings}
 */
public record PluginSettings(
    List<PluginEntry> defaults, Map<String, Json.Obj> settings, Map<String, String> sections) {
  /** No defaults and no settings. */
  public static final PluginSettings NONE = new PluginSettings(List.of(), Map.of());

  public PluginSettings {
    defaults = List.copyOf(defaults);
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    sections = Map.copyOf(sections);
  }

  /** Creates settings that are all in {@code plugins.settings}. */
  public PluginSettings(List<PluginEntry> defaults, Map<String, Json.Obj> settings) {
    this(defaults, settings, Map.of());
  }

  /** Returns where in the file the settings of a plugin are. */
  public JsonPointer pointerTo(String id) {
    String section = sections.get(id);
    return section == null
        ? JsonPointer.ROOT.child("plugins").child("settings").child(id)
        : JsonPointer.ROOT.child(section);
  }

  /** Returns the defaults and settings of the plugins whose ids match. */
  public PluginSettings filter(Predicate<String> matchesId) {
    var result = new LinkedHashMap<>(settings);
    result.keySet().removeIf(matchesId.negate());
    return new PluginSettings(
        defaults.stream().filter(entry -> matchesId.test(entry.id())).toList(), result, sections);
  }

  static PluginSettings read(Section in) {
    var ids = new UniqueNames();
    var defaults =
        in.sections(
            "defaults",
            (entry, i) -> {
              String id = entry.text("id");
              entry.require("id");
              boolean enabled = entry.flag("enabled", true);
              entry.flag("prevent_overrides", false);
              ids.check(entry, "id", id);
              return new PluginEntry(id == null ? "" : id, enabled, entry.wholeObject());
            });
    var settings = in.section("settings", PluginSettings::readSettings);
    return new PluginSettings(defaults, settings);
  }

  private static Map<String, Json.Obj> readSettings(Section in) {
    var settings = new LinkedHashMap<String, Json.Obj>();
    for (String id : in.names()) {
      settings.put(id, in.uncheckedObject(id));
    }
    return settings;
  }

  /** Returns ids only, since settings may hold secrets. */
  @Override
  public String toString() {
    return "defaults "
        + defaults.stream().map(PluginEntry::id).toList()
        + ", settings "
        + settings.keySet();
  }
}
