package io.strowger.core.registry;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.PluginProvider.Configurable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes providers anew with the settings a configuration has for them. */
final class Settled {
  private final Map<String, Roster.Registered> byId;
  private final Problems problems;

  /**
   * @param byId the providers as the host gave them
   * @param problems gets what is wrong; then what is made means nothing
   */
  Settled(Map<String, Roster.Registered> byId, Problems problems) {
    this.byId = byId;
    this.problems = problems;
  }

  /**
   * All providers in their order, those without settings as they are.
   *
   * @param settings by plugin id
   * @param at where they stand
   */
  Map<String, Roster.Registered> with(Map<String, Json.Obj> settings, JsonPointer at) {
    var settled = new LinkedHashMap<>(byId);
    settings.forEach(
        (id, given) -> {
          Roster.Registered registered = byId.get(id);
          if (registered != null && registered.provider() instanceof Configurable provider) {
            settled.put(id, made(registered, provider, given, at.child(id)));
          } else {
            problems.add(at.child(id), refusal(), "");
          }
        });
    return settled;
  }

  private String refusal() {
    List<String> ids =
        byId.values().stream()
            .filter(registered -> registered.provider() instanceof Configurable)
            .map(registered -> registered.descriptor().id())
            .toList();
    return ids.isEmpty()
        ? "has no effect: no plugin has settings"
        : "names no plugin with settings; those are " + String.join(", ", ids);
  }

  private Roster.Registered made(
      Roster.Registered registered, Configurable provider, Json.Obj given, JsonPointer at) {
    int before = problems.found();
    PluginConfig settings = read(provider, given, at);
    if (problems.found() > before) {
      return registered;
    }
    try {
      PluginProvider made = Objects.requireNonNull(provider.with(settings), "gave null");
      if (made.descriptor().equals(registered.descriptor())) {
        return new Roster.Registered(made, registered.descriptor());
      }
      problems.add(at, "makes " + Roster.origin(made) + " another plugin", "");
    } catch (IllegalArgumentException apart) {
      problems.add(at, Objects.requireNonNullElse(apart.getMessage(), "do not go together"), "");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      problems.add(at, "makes " + Roster.origin(provider) + " fail: " + e.getClass().getName(), "");
    }
    return registered;
  }

  private PluginConfig read(Configurable provider, Json.Obj given, JsonPointer at) {
    var schema = provider.settings();
    for (int i = 0; i < given.size(); i++) {
      if (field(schema.fields(), given.name(i)) == null) {
        problems.add(at.child(given.name(i)), "is not a setting" + those(schema.fields()), "");
      }
    }
    return EntryReader.values(schema, given, at, problems);
  }

  private static @Nullable Field<?> field(List<Field<?>> fields, String name) {
    for (Field<?> field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static String those(List<Field<?>> fields) {
    return fields.isEmpty()
        ? ""
        : "; those are " + String.join(", ", fields.stream().map(Field::name).toList());
  }
}
