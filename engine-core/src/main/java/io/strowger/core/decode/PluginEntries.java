package io.strowger.core.decode;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.text;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code plugins}: each entry has the members every plugin has, and those of the schema of the
 * plugin it names. A disabled entry is held to the same. Contract: "Plugins".
 */
public final class PluginEntries {
  private static final Members<Json.Obj> COMMON =
      Members.<Json.Obj>table().required("id", text()).optional("enabled", bool()).build();

  private static final Rule<List<PluginEntry>> ENTRIES = list(PluginEntries::entry);

  public static final Rule<List<PluginEntry>> RULE = PluginEntries::entries;

  private PluginEntries() {}

  private static @Nullable List<PluginEntry> entries(Json given, Reading reading) {
    List<PluginEntry> entries = ENTRIES.read(given, reading);
    if (entries == null || entries.isEmpty()) {
      return entries;
    }
    if (given instanceof Json.Arr items && items.size() == entries.size()) {
      reading.plugins().check(entries, reading.at(), reading.problems());
    }
    return entries;
  }

  private static @Nullable PluginEntry entry(Json given, Reading reading) {
    int before = reading.found();
    Json.Obj entry = Members.kept(COMMON).read(given, reading);
    if (entry == null || reading.found() > before) {
      return null;
    }
    String id = entry.text("id");
    return id == null ? null : new PluginEntry(id, !Json.FALSE.equals(entry.get("enabled")), entry);
  }
}
