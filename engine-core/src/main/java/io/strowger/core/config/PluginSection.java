package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;

/**
 * A section of the file with the settings of one built-in plugin. It is an alternative to {@code
 * plugins.settings}, with a name that operators understand. The members of the section are checked
 * against the schema of the plugin's settings.
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
   * Returns the plugin settings, with those of the sections added.
   *
   * @param in the whole file
   */
  static PluginSettings read(Section in, PluginSettings plugins) {
    var settings = new LinkedHashMap<>(plugins.settings());
    var sections = new LinkedHashMap<String, String>();
    for (PluginSection section : values()) {
      Json.Obj sectionMembers = in.optionalSection(section.member, PluginSection::presentMembers);
      if (sectionMembers != null && settings.putIfAbsent(section.plugin, sectionMembers) != null) {
        in.problemWithoutValue(
            section.member,
            "cannot be combined with plugins.settings."
                + section.plugin
                + ", which sets the same plugin: remove one of them");
      } else if (sectionMembers != null) {
        sections.put(section.plugin, section.member);
      }
    }
    return new PluginSettings(plugins.defaults(), settings, sections);
  }

  /** Returns the members of a section without explicit nulls, which are treated as absent. */
  private static Json.Obj presentMembers(Section in) {
    Json.Obj members = in.wholeObject();
    var result = Json.object();
    for (int i = 0; i < members.size(); i++) {
      if (!(members.value(i) instanceof Json.Null)) {
        result.put(members.name(i), members.value(i));
      }
    }
    return result.build();
  }
}
