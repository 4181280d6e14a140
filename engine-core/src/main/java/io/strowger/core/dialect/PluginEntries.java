package io.strowger.core.dialect;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.PluginEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the member {@code plugins}. An entry has the common members of all plugins and those in
 * the schema of the plugin it names. Disabled entries are checked too, and one bad entry does not
 * hide problems of others. Contract: "Plugins".
 */
public final class PluginEntries {
  private static final Rule<Json.Obj> COMMON =
      members().required("id", name()).optional("enabled", bool()).asJson();

  private static final Rule<List<PluginEntry>> ENTRIES = list(PluginEntries::entry);

  public static final Rule<List<PluginEntry>> RULE = PluginEntries::entries;

  private PluginEntries() {}

  private static @Nullable List<PluginEntry> entries(Json value, DecodingContext context) {
    List<PluginEntry> entries = ENTRIES.read(value, context);
    if (value instanceof Json.Arr items && items.size() > 1) {
      rejectDuplicates(items, context);
    }
    return entries;
  }

  private static @Nullable PluginEntry entry(Json value, DecodingContext context) {
    Json.Obj config = COMMON.read(value, context);
    String id = config == null ? null : config.text("id");
    if (config == null || id == null || id.isEmpty()) {
      return null;
    }
    var entry = new PluginEntry(id, !Json.FALSE.equals(config.get("enabled")), config);
    int problemsBefore = context.problemCount();
    context.plugins().check(entry, context.pointer(), context.problems());
    if (id.equals("fusion") && context.problemCount() == problemsBefore) {
      // the tools in an entry of fusion follow the rules for the tools of a request
      ServerTools.checkFusionTools(config, context);
    }
    return entry;
  }

  private static void rejectDuplicates(Json.Arr items, DecodingContext context) {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String id = items.get(i) instanceof Json.Obj entry ? entry.text("id") : null;
      if (id != null && !id.isEmpty() && !ids.add(id)) {
        context
            .problems()
            .add(context.pointer().child(i).child("id"), "must not be named twice", Json.of(id));
      }
    }
  }
}
