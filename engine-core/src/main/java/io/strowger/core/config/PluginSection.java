package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;

/**
 * A section of the file that is what one plugin's provider is constructed with: another place, with
 * a name for operators, for what {@code plugins.settings} has by plugin id. Its members are the
 * plugin's to judge, by the schema of its settings.
 */
enum PluginSection {
  SEARCH("search", "web"),
  FETCH("fetch", "web-fetch"),
  FILES("files", "file-parser"),
  MODERATION("moderation", "moderation"),
  FUSION("fusion", "fusion");

  private final String member;
  private final String plugin;

  PluginSection(String member, String plugin) {
    this.member = member;
    this.plugin = plugin;
  }

  /**
   * Returns the settings with those of the sections.
   *
   * @param in the whole file
   */
  static PluginSettings read(Section in, PluginSettings plugins) {
    var settings = new LinkedHashMap<>(plugins.settings());
    var sections = new LinkedHashMap<String, String>();
    for (PluginSection section : values()) {
      Json.Obj said = in.optionalSection(section.member, PluginSection::said);
      if (said != null && settings.putIfAbsent(section.plugin, said) != null) {
        in.hiddenProblem(
            section.member,
            "must not be beside plugins.settings." + section.plugin + ", which says the same");
      } else if (said != null) {
        sections.put(section.plugin, section.member);
      }
    }
    return new PluginSettings(plugins.defaults(), settings, sections);
  }

  /** An explicit null means the same as nothing. */
  private static Json.Obj said(Section in) {
    Json.Obj all = in.all();
    var said = Json.object();
    for (int i = 0; i < all.size(); i++) {
      if (!(all.value(i) instanceof Json.Null)) {
        said.put(all.name(i), all.value(i));
      }
    }
    return said.build();
  }
}
